import { Id, Nested, ObjectName, Text, Timestamp } from '../../kernel/common/fields.js';

const MAX_GROUPS = 500;
const MAX_WORDS = 20;

export class SynonymGroup {
  @Text({
    list: true,
    min: 1,
    max: 100,
    minItems: 2,
    maxItems: MAX_WORDS,
    description: 'Words, names of several words, or abbreviations that mean the same',
    example: ['SLA', 'service level agreement'],
  })
  words: string[];
}

export class SearchSynonymsBody {
  @ObjectName('search-synonyms') object: 'search-synonyms';
  @Nested(() => SynonymGroup, { list: true }) groups: SynonymGroup[];
  @Timestamp({ optional: true, description: 'Absent as long as nobody has set them' }) updatedAt?: string;
  @Id({ optional: true, description: 'The user who set them' }) updatedBy?: string;
}

export class UpdateSearchSynonyms {
  @Nested(() => SynonymGroup, { list: true, maxItems: MAX_GROUPS, description: 'They replace all former groups' })
  groups: SynonymGroup[];
}

export interface SynonymsForCaller {
  readonly groups: readonly SynonymGroup[];
  readonly updatedAt?: Date;
  readonly updatedBy?: string;
}

export function presentSynonyms({ groups, updatedAt, updatedBy }: SynonymsForCaller): SearchSynonymsBody {
  return {
    object: 'search-synonyms',
    groups: [...groups],
    ...(updatedAt !== undefined && { updatedAt: updatedAt.toISOString() }),
    ...(updatedBy !== undefined && { updatedBy }),
  };
}
