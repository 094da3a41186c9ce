import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { isObject } from '../../../formats/document/checks.js';
import { mergeText, withLineEndsOf } from '../../../formats/markdown/merge-text.js';
import { readYaml, YamlLines } from '../../../formats/markdown/yaml.js';
import { YAML_WRITING } from '../../../formats/markdown/yaml-keys.js';
import { readTag, readTags, writtenTag, type FolderTag } from './tags-file.js';

/** A file of tags to be written where there is one already. */
export interface RewrittenTags {
  readonly before: string;
  /** Undefined for a space without tags. */
  readonly after: string | undefined;
}

/**
 * The file `after` with the order, the comments and the spelling that `before` has for the same tags. Undefined where
 * no file is left: one that defines no tags stays.
 */
export function keepTags({ before, after }: RewrittenTags): string | undefined {
  const { tags: were } = readTags(before);
  if (after === undefined) return were === undefined || were.length === 0 ? before : undefined;
  const wanted = readTags(after).tags ?? [];
  const is = new Map(wanted.map((tag) => [tag.slug, tag]));
  if (were === undefined) return after;
  if (were.length === is.size && were.every((tag) => isDeepStrictEqual(is.get(tag.slug), tag))) return before;
  const entries = entriesOf(before, readYaml(before) as readonly unknown[]);
  const parts = entries?.entries.map(({ item, text, gap }) => {
    const tag = readTag(item);
    const now = tag && is.get(tag.slug);
    if (now === undefined) return gap;
    is.delete(now.slug);
    return (isDeepStrictEqual(now, tag) ? text : changedEntry(text, item, now)) + gap;
  });
  const added = is.size === 0 ? '' : withLineEndsOf(before, stringify([...is.values()].map(writtenTag), YAML_WRITING));
  const text = parts === undefined ? after : `${entries?.head ?? ''}${parts.join('')}${added}`;
  return isReadAs(text, wanted) ? text : after;
}

/** An entry with its lines, and those of comments and space that come after it. */
interface Entry {
  readonly item: unknown;
  readonly text: string;
  readonly gap: string;
}

/** The entries of a list that has one after another; undefined for one that does not. */
function entriesOf(
  source: string,
  items: readonly unknown[],
): { readonly head: string; readonly entries: readonly Entry[] } | undefined {
  const lines = (source.endsWith('\n') ? source : `${source}\n`).split(/(?<=\n)/);
  const places = new YamlLines(source);
  const begins = items.map((_, index) => places.of(String(index)) - 1);
  if (
    begins.length === 0 ||
    begins.some((line, index) => !/^\s*-\s/.test(lines[line] ?? '') || line === begins[index + 1])
  )
    return undefined;
  const entries = items.map((item, index) => {
    const section = lines.slice(begins[index], begins[index + 1]);
    const last = section.findLastIndex((line, at) => at === 0 || !/^\s*(?:#|$)/.test(line)) + 1;
    return { item, text: section.slice(0, last).join(''), gap: section.slice(last).join('') };
  });
  return { head: lines.slice(0, begins[0]).join(''), entries };
}

/** An entry with other values; keys that are none of ours stay. */
function changedEntry(text: string, item: unknown, tag: FolderTag): string {
  const { tag: _tag, ...look } = writtenTag(tag);
  const { label: _label, color: _color, icon: _icon, emoji: _emoji, ...others } = isObject(item) ? item : {};
  const [was = '', is = ''] = [item, { ...others, ...look }].map((value) =>
    withLineEndsOf(text, stringify([value], YAML_WRITING)),
  );
  const merged = mergeText(was, is, text);
  return isReadAs(merged, readTags(is).tags ?? []) ? merged : is;
}

function isReadAs(text: string, tags: readonly FolderTag[]): boolean {
  const bySlug = (some: readonly FolderTag[] = []) => some.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
  return isDeepStrictEqual(bySlug(readTags(text).tags), bySlug(tags));
}
