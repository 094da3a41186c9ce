import type { HintStyle } from '../../document/types.js';

/** The constructs that a tool adds to Markdown. */
export interface Dialect {
  /** `:::note` … `:::`. */
  readonly colons?: boolean;
  /** `!!! note`, `??? note` and `=== "Tab"` with indented content. */
  readonly indented?: boolean;
  /** MDX: components, imports and remarks. */
  readonly components?: boolean;
  /** MyST: directives in fences, roles and targets. */
  readonly directives?: boolean;
  /** `> [!NOTE]`. */
  readonly alerts?: boolean;
  /** `[[Page]]`. */
  readonly wikiLinks?: boolean;
  /** `{ .class #id key=value }` behind links and images, `==marked==` and `++ctrl++`. */
  readonly attributes?: boolean;
  /** `{#id}` behind headings. */
  readonly headingIds?: boolean;
  /** `<aside>` is a callout. */
  readonly asides?: boolean;
  /** `<p class="callout info">` is a callout. */
  readonly callouts?: boolean;
}

/** The dialect of each tool whose folders are read. */
export const DIALECTS = {
  docusaurus: { colons: true, components: true, headingIds: true },
  mkdocs: { indented: true, attributes: true, headingIds: true },
  mintlify: { components: true },
  vitepress: { colons: true, components: true, headingIds: true, alerts: true },
  starlight: { colons: true, components: true },
  sphinx: { colons: true, directives: true, headingIds: true },
  'github-wiki': { wikiLinks: true, alerts: true },
  docmost: { colons: true },
  outline: { colons: true },
  notion: { asides: true },
  confluence: {},
  bookstack: { callouts: true },
} satisfies Record<string, Dialect>;

export type DialectName = keyof typeof DIALECTS;

/** The styles of hints, by the names that tools give to admonitions. */
const STYLES: Readonly<Record<string, HintStyle>> = {
  note: 'info',
  info: 'info',
  abstract: 'info',
  summary: 'info',
  todo: 'info',
  question: 'info',
  help: 'info',
  example: 'info',
  quote: 'info',
  seealso: 'info',
  admonition: 'info',
  callout: 'info',
  aside: 'info',
  versionadded: 'info',
  versionchanged: 'info',
  tip: 'success',
  hint: 'success',
  success: 'success',
  check: 'success',
  important: 'warning',
  warning: 'warning',
  caution: 'warning',
  attention: 'warning',
  deprecated: 'warning',
  danger: 'danger',
  error: 'danger',
  failure: 'danger',
  bug: 'danger',
};

/** The style of an admonition by its name; undefined for a name that is none. */
export function hintStyle(name: string): HintStyle | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(STYLES, key) ? STYLES[key] : undefined;
}
