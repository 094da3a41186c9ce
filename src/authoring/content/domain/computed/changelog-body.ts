import { block, inline, leaf, mark, paragraph, plain, text } from '../../../../formats/document/build.js';
import type { Block, Node } from '../../../../formats/document/types.js';
import {
  CHANGE_EFFECTS,
  type ChangeCounts,
  type ChangeEffect,
  type ChangeSubject,
  type SpecificationChange,
} from '../../../../formats/openapi/domain/changes/change.js';

/** A version of a specification with its most harmful changes against the one before it. */
export interface ChangelogVersion {
  /** The day in UTC, such as `2026-01-31`. */
  readonly createdAt: string;
  readonly counts: ChangeCounts;
  readonly changes: readonly SpecificationChange[];
}

const TITLES: Readonly<Record<ChangeEffect, string>> = {
  breaking: 'Breaking changes',
  dangerous: 'Changes that may break clients',
  compatible: 'Other changes',
  documentation: 'Changed descriptions',
};

/** The ids of the pages that show what changes are about now, by `subjectKey`. */
export type ChangelogPages = Readonly<Record<string, string>>;

/** The operation, webhook or schema of a change; names of parameters in a path do not count. */
export function subjectKey({ operation, webhook, schema }: ChangeSubject): string | undefined {
  if (operation) return `${operation.method} ${operation.path.replace(/\{[^{}]*\}/g, '{}')}`;
  if (webhook) return `hook ${webhook.method} ${webhook.name}`;
  return schema === undefined ? undefined : `schema ${schema}`;
}

/** The blocks of a changelog: a heading for each version, below it a list for each effect. */
export function changelogBlocks(versions: readonly ChangelogVersion[], pages: ChangelogPages): Block[] {
  if (versions.length === 0) return [paragraph(plain('There is no change yet.'))];
  return versions.flatMap(({ createdAt, counts, changes }) => [
    block('heading-2', {}, [plain(createdAt)]),
    ...CHANGE_EFFECTS.flatMap((effect) =>
      listOf(
        effect,
        changes.filter((change) => change.effect === effect),
        counts[effect],
        pages,
      ),
    ),
    ...(CHANGE_EFFECTS.every((effect) => counts[effect] === 0)
      ? [paragraph(plain('Nothing that clients or readers notice.'))]
      : []),
  ]);
}

function listOf(
  effect: ChangeEffect,
  changes: readonly SpecificationChange[],
  count: number,
  pages: ChangelogPages,
): Block[] {
  if (count === 0) return [];
  const items = changes.map((change) => block('list-item', {}, [paragraph(...wordsOf(change, pages))]));
  const more = count - changes.length;
  return [
    block('heading-3', {}, [plain(`${TITLES[effect]} (${count})`)]),
    ...(items.length > 0 ? [block('list-unordered', {}, items)] : []),
    ...(more > 0 ? [paragraph(plain(`And ${more} more.`))] : []),
  ];
}

/** The operation, webhook or schema as code, which leads to its page where there is one; then the place and what changed. */
function wordsOf(change: SpecificationChange, pages: ChangelogPages): Node[] {
  const { operation, webhook, schema, place, message } = change;
  const subject = operation
    ? `${operation.method.toUpperCase()} ${operation.path}`
    : webhook
      ? `${webhook.method.toUpperCase()} ${webhook.name}`
      : schema;
  const words = place === undefined ? message : `${place}: ${message}`;
  if (subject === undefined) return [plain(words)];
  const key = subjectKey(change) ?? '';
  const name = leaf(subject, [mark('code')]);
  return Object.hasOwn(pages, key)
    ? [inline('link', { ref: { kind: 'page', page: pages[key] ?? '' } }, [text(name)]), plain(` ${words}`)]
    : [text(name, leaf(` ${words}`))];
}
