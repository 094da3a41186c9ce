import { allows } from '../../kernel/access/permissions.js';
import type { AccessLevel } from '../../kernel/common/roles.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Flag, Free, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { LANGUAGE_CODES } from '../../kernel/common/languages.js';
import { versioned } from '../../kernel/common/versioned.js';
import { document, paragraph, plain } from '../../formats/document/build.js';
import type { Document } from '../../formats/document/types.js';
import type { Slugs } from './domain/target-items.js';

export const TRANSLATION_STATUSES = ['pending', 'running', 'completed'] as const;
export type TranslationStatus = (typeof TRANSLATION_STATUSES)[number];

const SLUGS = ['keep', 'translate'] as const satisfies readonly Slugs[];
const INSTRUCTIONS = document([paragraph(plain('Address readers informally.'))]);
const READER_NOTE_TEXT =
  'Published pages tell their readers that a machine has translated them, or that their source has changed since a person has, until all of their texts are reviewed';
const MOST_VARIANT = 20;
const VARIANT = /^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u;
const VARIANT_TEXT =
  'Tells several translations of a space to one language apart: each has instructions and a space of its own';
const REVIEW_TEXT =
  'Runs write into a change request of the space with the result, which people review and merge, instead of straight into the space';
const SLUGS_TEXT = 'Pages keep the slugs of the source, or get slugs made of their translated titles';

class TranslationSourceField {
  @Id({ description: 'A space of the organization' }) space: string;
  @OneOf(LANGUAGE_CODES, { description: 'Language of the space' }) language: string;
}

export class CreateTranslation {
  @Nested(() => TranslationSourceField) source: TranslationSourceField;
  @OneOf(LANGUAGE_CODES, { example: 'es', description: 'Another one than that of the source' }) language: string;
  @Text({
    optional: true,
    min: 1,
    max: MOST_VARIANT,
    pattern: VARIANT,
    patternMessage: 'must be one line that does not begin or end with a space',
    example: 'informal',
    description: VARIANT_TEXT,
  })
  variant?: string;
  @Free({
    optional: true,
    example: INSTRUCTIONS,
    description: 'A document for engines that take instructions: about tone, not about content',
  })
  instructions?: Document;
  @OneOf(SLUGS, { optional: true, default: 'keep', description: SLUGS_TEXT }) slugs?: Slugs;
  @Flag({ optional: true, default: false, example: true, description: READER_NOTE_TEXT }) readerNote?: boolean;
  @Flag({ optional: true, default: false, example: true, description: REVIEW_TEXT }) review?: boolean;
}

export class UpdateTranslation {
  @Free({
    example: INSTRUCTIONS,
    description: 'A document; existing translations are made again where the input of the engine changes',
  })
  instructions: Document;
  @OneOf(SLUGS, { optional: true, description: SLUGS_TEXT }) slugs?: Slugs;
  @Flag({ optional: true, example: true, description: READER_NOTE_TEXT }) readerNote?: boolean;
  @Flag({ optional: true, example: true, description: REVIEW_TEXT }) review?: boolean;
}

class TranslationResultBody {
  @Id({ description: 'The space that holds the translation; nobody else writes to it' }) space: string;
  @Id({ description: 'Its latest revision' }) revision: string;
  @Id({
    optional: true,
    description: 'The change request with what runs have made, until it is merged: see `review`',
  })
  changeRequest?: string;
  @OneOf(LANGUAGE_CODES, { example: 'es' }) language: string;
}

class TranslationStatsBody {
  @Amount({ min: 0, description: 'Runs that were completed' }) runs: number;
  @Amount({ min: 0, description: 'Words that engines were sent' }) totalWords: number;
  @Amount({ min: 0, description: 'Pages that were translated, as often as they were' }) totalPages: number;
  @Amount({ min: 0, description: 'Milliseconds' }) totalDuration: number;
  @Amount({ min: 0, description: 'Milliseconds' }) latestRunDuration: number;
  @Amount({ min: 0 }) latestPages: number;
  @Amount({ min: 0 }) latestWords: number;
}

class TranslationPermissions {
  @Flag() view: boolean;
  @Flag() edit: boolean;
}

class TranslationUrls {
  @Url({ example: 'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xy/translations/AbCdEfGh0123456789Xz' })
  location: string;
}

export class TranslationBody {
  @ObjectName('translation') object: 'translation';
  @Id() id: string;
  @OneOf(TRANSLATION_STATUSES, {
    description:
      '`pending`: a run waits for its turn; `running`: one is at work; `completed`: there is nothing to do, see `error`',
  })
  status: TranslationStatus;
  @Text({
    optional: true,
    description:
      'Why the latest run failed, or what the present one fails at while it is tried again; the result is still that of the one before',
    example: 'This server has no translation engine from en to ja.',
  })
  error?: string;
  @Nested(() => TranslationSourceField) source: TranslationSourceField;
  @OneOf(LANGUAGE_CODES, { example: 'es' }) language: string;
  @Text({ optional: true, example: 'informal', description: VARIANT_TEXT }) variant?: string;
  @Free({ example: INSTRUCTIONS }) instructions: Document;
  @OneOf(SLUGS, { description: SLUGS_TEXT }) slugs: Slugs;
  @Flag({ example: false, description: READER_NOTE_TEXT }) readerNote: boolean;
  @Flag({ example: false, description: REVIEW_TEXT }) review: boolean;
  @Nested(() => TranslationResultBody) result: TranslationResultBody;
  @Timestamp() createdAt: string;
  @Timestamp() updatedAt: string;
  @Nested(() => TranslationStatsBody) stats: TranslationStatsBody;
  @Nested(() => TranslationPermissions) permissions: TranslationPermissions;
  @Nested(() => TranslationUrls) urls: TranslationUrls;
}

export interface TranslationRow extends TranslationStatsBody {
  readonly id: string;
  readonly organizationId: string;
  readonly sourceSpaceId: string;
  readonly sourceLanguage: string;
  readonly language: string;
  readonly variant: string;
  readonly resultSpaceId: string;
  readonly resultRevisionId: string;
  readonly instructions: Document;
  readonly slugs: Slugs;
  readonly readerNote: boolean;
  readonly review: boolean;
  readonly changeRequestId: string | null;
  readonly status: TranslationStatus;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly version: number;
}

/** Administrators of the organization view and edit its translations. */
export function presentTranslation(row: TranslationRow, role: AccessLevel, addresses: Addresses): TranslationBody {
  const { runs, totalWords, totalPages, totalDuration, latestRunDuration, latestPages, latestWords } = row;
  const mayManage = allows('organization:admin', role);
  return versioned(
    {
      object: 'translation',
      id: row.id,
      status: row.status,
      ...(row.error !== null && { error: row.error }),
      source: { space: row.sourceSpaceId, language: row.sourceLanguage },
      language: row.language,
      ...(row.variant !== '' && { variant: row.variant }),
      instructions: row.instructions,
      slugs: row.slugs,
      readerNote: row.readerNote,
      review: row.review,
      result: {
        space: row.resultSpaceId,
        revision: row.resultRevisionId,
        ...(row.changeRequestId !== null && { changeRequest: row.changeRequestId }),
        language: row.language,
      },
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      stats: { runs, totalWords, totalPages, totalDuration, latestRunDuration, latestPages, latestWords },
      permissions: { view: mayManage, edit: mayManage },
      urls: { location: addresses.location(`/orgs/${row.organizationId}/translations/${row.id}`) },
    },
    row.version,
  );
}
