import { withoutUndefined } from '../document/without-undefined.js';
import { stringify } from 'yaml';
import { computedSourceFault, plainSource, type ComputedSource } from '../document/computed-source.js';
import type { JsonValue } from '../document/types.js';
import { COVER_HEIGHT, COVER_MASKS, COVER_SIZES, type CoverMask, type CoverSize } from '../document/data-checks.js';
import { ICON_NAME } from '../../kernel/common/icon-name.js';
import { readYaml, yamlFault } from './yaml.js';

export interface PageLayout {
  width?: 'default' | 'wide';
  cover?: boolean;
  coverSize?: CoverSize;
  coverMask?: CoverMask;
  title?: boolean;
  description?: boolean;
  tableOfContents?: boolean;
  outline?: boolean;
  pagination?: boolean;
  metadata?: boolean;
  tags?: boolean;
  actions?: boolean;
  anchors?: boolean;
}

/** The content of the YAML at the head of a page. `cover` and `coverDark` are targets as written. */
export interface Frontmatter {
  title?: string;
  description?: string;
  icon?: string;
  emoji?: string;
  slug?: string;
  linkTitle?: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  condition?: string;
  cover?: string;
  coverDark?: string;
  coverY?: number;
  coverHeight?: number;
  layout?: PageLayout;
  variables?: Record<string, string | number | boolean>;
  metaLinks?: { canonical?: string; alternates?: string[] };
  /** The source of the body of a computed page. */
  computed?: ComputedSource;
  /** Unknown keys, and known keys with values of the wrong kind. */
  extra?: Record<string, JsonValue>;
}

export interface FrontmatterResult {
  frontmatter: Frontmatter;
  /** The Markdown after the frontmatter, and the number of lines before it. */
  body: string;
  lines: number;
  /** The fault of the YAML; `line` is that of the source, from 1. */
  problem?: { readonly line: number; readonly message: string };
}

/**
 * Splits a page into frontmatter and body. Frontmatter that is not a YAML mapping is kept verbatim under `extra['']`.
 */
export function readFrontmatter(source: string): FrontmatterResult {
  const block = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(source);
  if (block === null) return { frontmatter: {}, body: source.replace(/^\uFEFF/, ''), lines: 0 };
  const yaml = block[1] ?? '';
  const rest = { body: source.slice(block[0].length), lines: block[0].split('\n').length - 1 };
  try {
    const value = readYaml(yaml);
    if (value === null || value === undefined) return { frontmatter: {}, ...rest };
    if (typeof value !== 'object' || Array.isArray(value)) throw new Error('it is not a mapping');
    return { frontmatter: toFrontmatter(value as Record<string, unknown>), ...rest };
  } catch (error) {
    const { line, reason } = yamlFault(error);
    return {
      frontmatter: { extra: { '': yaml } },
      ...rest,
      problem: { line: line + 1, message: `frontmatter is kept verbatim: ${reason}` },
    };
  }
}

type Reader = (value: unknown) => Partial<Frontmatter> | undefined;

function string(
  name: 'title' | 'description' | 'emoji' | 'slug' | 'linkTitle' | 'cover' | 'coverDark' | 'condition',
): Reader {
  return (value) => (typeof value === 'string' ? { [name]: value } : undefined);
}

function number(
  name: 'coverY' | 'coverHeight',
  range: { min: number; max: number } = { min: -Infinity, max: Infinity },
): Reader {
  return (value) =>
    typeof value === 'number' && Number.isFinite(value) && value >= range.min && value <= range.max
      ? { [name]: value }
      : undefined;
}

function flag(name: 'hidden' | 'noIndex' | 'noRobotsIndex'): Reader {
  return (value) => (typeof value === 'boolean' ? { [name]: value } : undefined);
}

const READERS: Readonly<Record<string, Reader | undefined>> = {
  title: string('title'),
  description: string('description'),
  icon: (value) => (typeof value === 'string' && ICON_NAME.test(value) ? { icon: value } : undefined),
  emoji: string('emoji'),
  slug: string('slug'),
  linkTitle: string('linkTitle'),
  cover: string('cover'),
  coverDark: string('coverDark'),
  if: string('condition'),
  coverY: number('coverY'),
  coverHeight: number('coverHeight', COVER_HEIGHT),
  hidden: flag('hidden'),
  noIndex: flag('noIndex'),
  noRobotsIndex: flag('noRobotsIndex'),
  layout: (value) => {
    const layout = layoutOf(value);
    return layout === undefined ? undefined : { layout };
  },
  vars: variables,
  variables,
  metaLinks: (value) => {
    const links = metaLinks(value);
    return links === undefined ? undefined : { metaLinks: links };
  },
  computed: (value) =>
    computedSourceFault(value, 'document') ? undefined : { computed: plainSource(value as ComputedSource) },
};

function toFrontmatter(values: Record<string, unknown>): Frontmatter {
  const frontmatter: Frontmatter = {};
  const extra: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(values)) {
    const known = Object.hasOwn(READERS, key) ? READERS[key]?.(value) : undefined;
    if (known === undefined) extra[key] = toJson(value);
    else Object.assign(frontmatter, known);
  }
  if (Object.keys(extra).length > 0) frontmatter.extra = extra;
  return frontmatter;
}

function toJson(value: unknown): JsonValue {
  return (JSON.parse(JSON.stringify(value ?? null)) as JsonValue | undefined) ?? null;
}

function variables(value: unknown): Partial<Frontmatter> | undefined {
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value);
  const fits = entries.every(([, item]) => ['string', 'number', 'boolean'].includes(typeof item));
  return fits ? { variables: Object.fromEntries(entries) as Record<string, string | number | boolean> } : undefined;
}

function metaLinks(value: unknown): Frontmatter['metaLinks'] | undefined {
  if (!isRecord(value)) return undefined;
  const { canonical, alternates, ...rest } = value;
  const list =
    Array.isArray(alternates) && alternates.every((item) => typeof item === 'string') ? alternates : undefined;
  if (
    Object.keys(rest).length > 0 ||
    (canonical !== undefined && typeof canonical !== 'string') ||
    (alternates !== undefined && list === undefined)
  )
    return undefined;
  return { ...(canonical === undefined ? {} : { canonical }), ...(list === undefined ? {} : { alternates: list }) };
}

const LAYOUT_PARTS = [
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'tags',
  'actions',
  'anchors',
] as const;

/** `layout: {width, cover: {visible, size, mask}, title: {visible} …}`; parts may also be plain booleans. */
function layoutOf(value: unknown): PageLayout | undefined {
  if (!isRecord(value)) return undefined;
  const layout: PageLayout = {};
  for (const [key, part] of Object.entries(value)) {
    const visible =
      typeof part === 'boolean' ? part : isRecord(part) && typeof part.visible === 'boolean' ? part.visible : undefined;
    if (key === 'width') {
      if (part !== 'default' && part !== 'wide') return undefined;
      layout.width = part;
    } else if (key === 'cover') {
      const { size, mask } = isRecord(part) ? part : {};
      const [coverSize, coverMask] = [
        COVER_SIZES.find((known) => known === size),
        COVER_MASKS.find((known) => known === mask),
      ];
      if (visible !== undefined) layout.cover = visible;
      if (coverSize !== undefined) layout.coverSize = coverSize;
      if (coverMask !== undefined) layout.coverMask = coverMask;
      if (visible === undefined && size === undefined && mask === undefined) return undefined;
    } else {
      const name = LAYOUT_PARTS.find((known) => known === key);
      if (name === undefined || visible === undefined) return undefined;
      layout[name] = visible;
    }
  }
  return layout;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Writes the YAML head of a page, with its fences; empty if there are no values. */
export function writeFrontmatter(frontmatter: Frontmatter): string {
  const { extra = {}, layout, condition, variables: vars, metaLinks: links, ...simple } = frontmatter;
  const { '': verbatim, ...others } = extra;
  if (typeof verbatim === 'string' && Object.keys({ ...others, ...withoutUndefined(simple) }).length === 0)
    return `---\n${verbatim}\n---\n\n`;
  const values = withoutUndefined({
    ...simple,
    ...(layout === undefined ? {} : { layout: writeLayout(layout) }),
    ...(condition === undefined ? {} : { if: condition }),
    ...(vars === undefined ? {} : { vars }),
    ...(links === undefined ? {} : { metaLinks: links }),
    ...others,
  });
  if (Object.keys(values).length === 0) return '';
  return `---\n${stringify(values, { lineWidth: 0 })}---\n\n`;
}

function writeLayout(layout: PageLayout): Record<string, unknown> {
  const { width, cover, coverSize, coverMask, ...parts } = layout;
  const shown = Object.entries(parts).filter(([, visible]) => visible !== undefined);
  const coverPart = withoutUndefined({ visible: cover, size: coverSize, mask: coverMask });
  return withoutUndefined({
    width,
    ...(Object.keys(coverPart).length === 0 ? {} : { cover: coverPart }),
    ...Object.fromEntries(shown.map(([name, visible]) => [name, { visible }])),
  });
}
