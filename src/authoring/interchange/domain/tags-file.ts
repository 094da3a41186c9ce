import { stringify } from 'yaml';
import { ICON_NAME } from '../../../kernel/common/icon-name.js';
import { isObject } from '../../../formats/document/checks.js';
import { TEXT_COLORS } from '../../../formats/document/data-checks.js';
import type { JsonValue } from '../../../formats/document/types.js';
import { withoutUndefined } from '../../../formats/document/without-undefined.js';
import { readYaml, yamlFault, YamlLines } from '../../../formats/markdown/yaml.js';
import { YAML_WRITING } from '../../../formats/markdown/yaml-keys.js';
import type { TagLook } from '../../content/domain/content-change.js';
import { isSlug } from '../../content/domain/slug.js';
import type { PageTag } from '../../content/domain/tags.js';

/** The file of a folder that defines its tags. */
export const TAGS_FILE = '.gitbook/tags.yaml';

const MAX_LABEL = 100;
const MAX_EMOJI = 50;

/** A tag as a folder defines it. */
export interface FolderTag extends TagLook {
  readonly slug: string;
  readonly label: string;
}

export interface ReadTags {
  /** In the order of the file; undefined if the file is no list, which says nothing about tags. */
  readonly tags: readonly FolderTag[] | undefined;
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Reads `.gitbook/tags.yaml`: a list of `tag`, `label`, `color`, and `icon` or `emoji`. */
export function readTags(source: string): ReadTags {
  const problems: { line: number; message: string }[] = [];
  let value: unknown;
  try {
    value = readYaml(source) ?? [];
  } catch (error) {
    const { line, reason } = yamlFault(error);
    return { tags: undefined, problems: [{ line, message: `it is no YAML: ${reason}` }] };
  }
  if (!Array.isArray(value)) return { tags: undefined, problems: [{ line: 1, message: 'it is not a list of tags' }] };
  const lines = new YamlLines(source);
  const tags = new Map<string, FolderTag>();
  value.forEach((item: unknown, index) => {
    const line = lines.of(String(index));
    const tag = readTag(item, (message) => problems.push({ line, message }));
    if (tag === undefined) return;
    if (tags.has(tag.slug)) problems.push({ line, message: `the tag ${tag.slug} is defined twice` });
    else tags.set(tag.slug, tag);
  });
  return { tags: [...tags.values()], problems };
}

/** Undefined for an entry that names no tag. */
export function readTag(item: unknown, report: (message: string) => void = () => undefined): FolderTag | undefined {
  const { tag, label, color, icon, emoji } = isObject(item) ? item : {};
  const slug = slugOfTag(tag);
  if (slug === undefined) {
    report('an entry has no `tag` that can be a slug: letters, digits, hyphens, dots, underscores and tildes');
    return undefined;
  }
  const fits = (name: string, value: unknown, test: (text: string) => boolean): string | undefined => {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string' && test(value)) return value;
    report(`the \`${name}\` of the tag ${slug} is left out: it is none that a tag can have`);
    return undefined;
  };
  const shown = typeof label === 'number' ? String(label) : label;
  const symbol = fits('icon', icon, (text) => ICON_NAME.test(text));
  const picture = fits('emoji', emoji, (text) => text !== '' && text.length <= MAX_EMOJI);
  if (symbol !== undefined && picture !== undefined)
    report(`the \`icon\` of the tag ${slug} is left out: a tag has an emoji or an icon, not both`);
  const paint = fits('color', color, (text) => (TEXT_COLORS as readonly string[]).includes(text));
  return {
    slug,
    label: fits('label', shown, (text) => text !== '' && text.length <= MAX_LABEL) ?? slug,
    ...withoutUndefined({
      color: paint === 'default' ? undefined : paint,
      ...(picture === undefined ? { icon: symbol } : { emoji: picture }),
    }),
  };
}

/** The slug that a file writes, which may have capitals; undefined for none. */
function slugOfTag(written: unknown): string | undefined {
  const slug = typeof written === 'number' ? String(written) : written;
  if (typeof slug !== 'string') return undefined;
  const name = slug.normalize('NFC').toLowerCase();
  return isSlug(name) ? name : undefined;
}

/** Writes `.gitbook/tags.yaml`; undefined without tags. */
export function writeTags(tags: readonly FolderTag[]): string | undefined {
  if (tags.length === 0) return undefined;
  return stringify(tags.map(writtenTag), YAML_WRITING);
}

/** A tag as an entry of the file. */
export function writtenTag({ slug, label, icon, emoji, color }: FolderTag): Record<string, string> {
  return { tag: slug, label, ...withoutUndefined({ icon, emoji, color }) };
}

/** The `tags` in the front matter of a page, in two parts. */
export interface SplitPageTags {
  /** Those that the folder defines, as pages store them. */
  readonly tags: readonly PageTag[];
  /** The entries that name no such tag: words for other tools. */
  readonly others: JsonValue[];
}

/** Splits the `tags` of a front matter; an entry is a slug, or a mapping of `tag` and `primary`. */
export function splitPageTags(written: JsonValue | undefined, defined: ReadonlySet<string>): SplitPageTags | undefined {
  if (!Array.isArray(written)) return undefined;
  const found = new Map<string, boolean>();
  const others: JsonValue[] = [];
  for (const item of written) {
    const { tag, primary } = isObject(item) ? item : { tag: item };
    const slug = slugOfTag(tag);
    if (slug === undefined || !defined.has(slug)) others.push(item);
    else found.set(slug, found.get(slug) === true || primary === true);
  }
  const first = [...found].find(([, primary]) => primary)?.[0];
  const slugs = [...found.keys()].sort();
  return {
    tags: slugs.map((tag) => ({ tag: { kind: 'tag', tag }, ...(tag === first && { primary: true }) })),
    others,
  };
}

/** The `tags` of a front matter, which `splitPageTags` reads. */
export function joinPageTags(tags: readonly PageTag[], others: JsonValue | undefined): JsonValue {
  const written = tags.map(({ tag: { tag }, primary }) => (primary === true ? { tag, primary } : tag));
  return Array.isArray(others) ? [...written, ...others] : written;
}
