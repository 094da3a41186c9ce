import type { Addresses } from '../../../kernel/common/addresses.js';
import { Amount, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../../kernel/common/fields.js';
import { PageQuery } from '../../../kernel/common/page-query.js';
import { versioned } from '../../../kernel/common/versioned.js';
import type { DiffPart } from '../domain/fuzzy-match.js';
import { taggedSegment } from '../domain/inline-tags.js';
import type { Segment } from '../domain/segment.js';
import { TARGET_WARNINGS, targetWarnings, type TargetWarning } from '../domain/target-warnings.js';
import type { FormerTranslation } from '../translation-tasks.js';

export const SEGMENT_STATES = ['machine', 'reviewed', 'outdated', 'untranslated'] as const;
export type SegmentState = (typeof SEGMENT_STATES)[number];

/** Maximum number of characters of a translation that a person gives. */
export const MOST_TARGET = 50_000;

const STATES =
  '`machine`: an engine has translated it; `reviewed`: a person has; `outdated`: a person had translated a former source, and an engine has translated this one; `untranslated`: no engine could, and it stands there as in the source';
const TAGS =
  '`<pc id="1">…</pc>` stands around text that is marked or a link, `<ph id="2"/>` for code and other things that are not translated; `&lt;`, `&gt;` and `&amp;` are the signs themselves';
const SOURCE = 'Read <pc id="1">this</pc> first, then <ph id="2"/>.';
const TARGET = 'Lea primero <pc id="1">esto</pc>, luego <ph id="2"/>.';

export class SegmentQuery extends PageQuery {
  @Id({ optional: true, description: 'Only segments of this page, by its id in the space with the translation' })
  pageId?: string;
  @OneOf(SEGMENT_STATES, { optional: true, description: `Only segments in this state. ${STATES}` })
  state?: SegmentState;
}

export class TranslatedPageQuery extends PageQuery {
  @OneOf(SEGMENT_STATES, { optional: true, description: 'Only pages in this state' })
  state?: SegmentState;
}

const CORRECTABLE = ['reviewed', 'machine'] as const;

export class CorrectSegment {
  @Text({
    optional: true,
    min: 1,
    max: MOST_TARGET,
    example: 'Comience aquí.',
    description: `The translation of the source, with each of its tags once. ${TAGS}`,
  })
  target?: string;
  @OneOf(CORRECTABLE, {
    optional: true,
    description:
      '`reviewed` without a target says that the present one is right; `machine` takes back what a person has said, for a run to translate it',
  })
  state?: (typeof CORRECTABLE)[number];
}

const CHANGES = ['equal', 'insert', 'delete'] as const;

class SegmentDiffPart {
  @OneOf(CHANGES, { description: 'The text stands in both sources, in the present one, or in the former one' })
  type: DiffPart['type'];
  @Text({ example: 'Read ' }) text: string;
}

class SegmentMatch {
  @Text({ example: 'Read <pc id="1">this</pc> before <ph id="2"/>.', description: 'The former source' })
  source: string;
  @Text({ example: TARGET, description: 'The translation that a person has given to it' }) target: string;
  @Amount({ min: 0, max: 1, fractional: true, example: 0.8, description: 'The part of words that both sources have' })
  similarity: number;
  @Nested(() => SegmentDiffPart, { list: true, description: 'The changes of the source since' })
  diff: SegmentDiffPart[];
}

class SegmentUrls {
  @Url({
    example:
      'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xy/translations/AbCdEfGh0123456789Xz/segments/AbCdEfGh0123456789Xa',
  })
  location: string;
}

export class TranslationSegmentBody {
  @ObjectName('translation-segment') object: 'translation-segment';
  @Id({ description: 'It stays as long as the source is the same' }) id: string;
  @OneOf(SEGMENT_STATES, { description: STATES }) state: SegmentState;
  @Text({ example: SOURCE, description: `A text of the source. ${TAGS}` }) source: string;
  @Text({
    example: TARGET,
    description: 'Its translation; what a person has said is on the page a moment later',
  })
  target: string;
  @OneOf(TARGET_WARNINGS, {
    list: true,
    example: ['numbers'],
    description:
      'Differences from the source that are often mistakes: `length`, other `numbers`, or a `negation` in one of both alone (English, German, Spanish, French, Italian, Portuguese, Dutch)',
  })
  warnings: TargetWarning[];
  @Id({ optional: true, description: 'The page with the text, in the space with the translation' }) page?: string;
  @Id({ optional: true, description: 'Or the reusable content with it' }) reusableContent?: string;
  @Nested(() => SegmentMatch, {
    optional: true,
    description: 'The translation that a person has given to a former source of an outdated segment',
  })
  match?: SegmentMatch;
  @Timestamp() updatedAt: string;
  @Nested(() => SegmentUrls) urls: SegmentUrls;
}

class SegmentCounts {
  @Amount({ min: 0 }) machine: number;
  @Amount({ min: 0 }) reviewed: number;
  @Amount({ min: 0 }) outdated: number;
  @Amount({ min: 0 }) untranslated: number;
}

export class TranslatedPageBody {
  @ObjectName('translated-page') object: 'translated-page';
  @Id({ description: 'The page in the space with the translation' }) id: string;
  @Id({ description: 'The page of the source' }) source: string;
  @OneOf(SEGMENT_STATES, {
    description:
      '`outdated` with any segment that is, then `untranslated` with any; `reviewed` where all are, `machine` otherwise; pages without words are not listed',
  })
  state: SegmentState;
  @Nested(() => SegmentCounts, { description: 'Its segments by state' }) segments: SegmentCounts;
}

export interface SegmentRow extends Record<string, unknown> {
  readonly id: string;
  readonly organizationId: string;
  readonly translationId: string;
  readonly kind: string;
  readonly itemId: string;
  readonly sourceLanguage: string;
  readonly language: string;
  readonly source: Segment;
  readonly target: Segment;
  readonly state: SegmentState;
  readonly former: FormerTranslation | null;
  readonly version: number;
  readonly updatedAt: Date;
}

export interface TranslatedPageRow extends Record<string, unknown> {
  readonly id: string;
  readonly source: string;
  readonly state: SegmentState;
  readonly machine: number;
  readonly reviewed: number;
  readonly outdated: number;
  readonly untranslated: number;
}

export function presentSegment(row: SegmentRow, addresses: Addresses): TranslationSegmentBody {
  const { id, kind, itemId, former } = row;
  return versioned(
    {
      object: 'translation-segment',
      id,
      state: row.state,
      source: taggedSegment(row.source),
      target: taggedSegment(row.target),
      warnings: targetWarnings(row.source, row.target, { source: row.sourceLanguage, target: row.language }),
      ...(kind === 'page' ? { page: itemId } : { reusableContent: itemId }),
      ...(former !== null && {
        match: {
          source: taggedSegment(former.source),
          target: taggedSegment(former.target),
          similarity: former.similarity,
          diff: [...former.diff],
        },
      }),
      updatedAt: row.updatedAt.toISOString(),
      urls: {
        location: addresses.location(`/orgs/${row.organizationId}/translations/${row.translationId}/segments/${id}`),
      },
    },
    row.version,
  );
}

export function presentTranslatedPage({
  id,
  source,
  state,
  machine,
  reviewed,
  outdated,
  untranslated,
}: TranslatedPageRow): TranslatedPageBody {
  return { object: 'translated-page', id, source, state, segments: { machine, reviewed, outdated, untranslated } };
}
