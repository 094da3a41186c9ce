import { canonicalJson } from '../../../formats/document/hash.js';
import { mergeText, withLineEndsOf } from '../../../formats/markdown/merge-text.js';
import { styleOf } from '../../../formats/markdown/source-style.js';
import { writeComputed } from './computed-entry.js';
import { pageFinder } from './plan-tree.js';
import {
  decodePath,
  directoryOf,
  encodePath,
  isMarkdown,
  joinPath,
  normalizePath,
  relativePath,
} from './repository-paths.js';
import { readSummary, writeSummary, type SummaryEntry, type SummaryLine } from './summary.js';

/** A table of contents to be written where there is one already. */
export interface RewrittenSummary {
  readonly before: string;
  readonly after: string;
  /** Its path. */
  readonly summary: string;
  /** The paths of all pages. */
  readonly markdown: readonly string[];
}

type Groups = readonly { readonly title?: string; readonly entries: readonly SummaryLine[] }[];

/** The table of contents `after` with the lines that `before` has for the same entries. */
export function keepSummary({ before, after, summary, markdown }: RewrittenSummary): string {
  const find = pageFinder(summary, new Set(markdown));
  const groupsIn = (text: string): Groups =>
    readSummary(text).groups.map(({ title, entries }) => ({
      ...(title === undefined ? {} : { title }),
      entries: entries.flatMap((entry) => lineOf(entry, directoryOf(summary), find)),
    }));
  const wanted = canonicalJson(groupsIn(after));
  const were = groupsIn(before);
  if (canonicalJson(were) === wanted) return before;
  const { bullet } = styleOf(before);
  const [was = '', is = ''] = [were, groupsIn(after)].map((groups) =>
    withLineEndsOf(before, indentedAs(before, writeSummary(groups, bullet))),
  );
  const merged = mergeText(was, is, before);
  return canonicalJson(groupsIn(merged)) === wanted ? merged : after;
}

/** The lists of a text as far in as those of another one. Lists with YAML in them stay. */
function indentedAs(source: string, text: string): string {
  const unit = /^[*+-][ \t].*\n([ \t]+)[*+-][ \t]/m.exec(source)?.[1];
  if (unit === undefined || /^ *```/m.test(text)) return text;
  return text.replace(/^(?: {2})+(?=[*+-] )/gm, (spaces) => unit.repeat(spaces.length / 2));
}

function lineOf(entry: SummaryEntry, directory: string, find: (target: string) => string | undefined): SummaryLine[] {
  const { title, target, linkTitle, computed } = entry;
  if (computed !== undefined)
    return 'source' in computed ? [{ title: '', computed: writeComputed(computed), children: [] }] : [];
  const children = entry.children.flatMap((child) => lineOf(child, directory, find));
  const place = target === undefined ? undefined : targetOf(target, directory, find);
  return [
    {
      title,
      ...(place === undefined ? {} : { target: place }),
      ...(linkTitle === undefined ? {} : { linkTitle }),
      children,
    },
  ];
}

/** The one form of all targets that mean the same; undefined for a page that is not there. */
function targetOf(target: string, directory: string, find: (target: string) => string | undefined): string | undefined {
  if (/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(target)) return target;
  const [written = '', anchor] = decodePath(target).split('#');
  const found = find(written);
  if (found === undefined && isMarkdown(written)) return undefined;
  const path = found ?? normalizePath(written.startsWith('/') ? written : joinPath(directory, written));
  if (path === undefined) return target;
  return encodePath(relativePath(directory, path)) + (anchor === undefined ? '' : `#${encodePath(anchor)}`);
}
