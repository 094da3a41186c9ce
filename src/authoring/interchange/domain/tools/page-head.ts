import { readFrontmatter } from '../../../../formats/markdown/frontmatter.js';
import { parseMarkdown } from '../../../../formats/markdown/parse.js';
import type { DialectName } from '../../../../formats/markdown/dialects/dialect.js';
import { TARGET_LINE } from '../../../../formats/markdown/dialects/directives.js';
import { exportedHead, isExport } from '../../../../formats/markdown/exports/exported-page.js';
import { navigationLabel, navigationOrder } from '../../../../formats/markdown/dialects/foreign-frontmatter.js';

/** A list of pages that a page has below it. */
export interface TableOfPages {
  readonly caption: string | undefined;
  /** Paths without an extension, or addresses, each with its title. */
  readonly entries: readonly { readonly title: string | undefined; readonly target: string }[];
}

/** The facts of a page that the navigation of its tool depends on. */
export interface ToolPageHead {
  /** '' for none. */
  readonly title: string;
  readonly label: string | undefined;
  readonly order: number | undefined;
  readonly id: string | undefined;
  readonly slug: string | undefined;
  readonly tables: readonly TableOfPages[];
  /** Names by which other pages refer to it. */
  readonly labels: readonly string[];
  /** The names of files by their paths. */
  readonly files?: readonly (readonly [string, string])[];
}

/** The head of a page that says nothing. */
export const NO_HEAD: ToolPageHead = {
  title: '',
  label: undefined,
  order: undefined,
  id: undefined,
  slug: undefined,
  tables: [],
  labels: [],
};

/** Reads the beginning of a page of a tool, and the lists of pages in it. */
export function readPageHead({ text, tool }: { readonly text: string; readonly tool: DialectName }): ToolPageHead {
  if (isExport(tool)) return { ...NO_HEAD, ...exportedHead(text, tool) };
  const { frontmatter, body } = readFrontmatter(text);
  const { extra = {}, slug, title } = frontmatter;
  const heading = title === undefined ? headingOf(body, tool) : title;
  const lines = tool === 'sphinx' ? body.split(/\r?\n/) : [];
  return {
    title: heading,
    label: navigationLabel(frontmatter),
    order: navigationOrder(frontmatter),
    id: typeof extra.id === 'string' ? extra.id : undefined,
    slug,
    tables: tablesIn(lines),
    labels: lines.flatMap((line) => TARGET_LINE.exec(line.trim())?.[1]?.toLowerCase() ?? []),
  };
}

/** Characters of a heading that are read. */
const MAX_HEADING = 2000;

/** The first heading, which only imports and remarks may precede. */
function headingOf(body: string, tool: DialectName): string {
  const parts = body.split(/\n[ \t]*\r?\n/, 20).map((part) => part.trim());
  const beginning = parts.find(
    (part) => part !== '' && !/^(?:import\s|export\s|\{\/\*|<!--|\([^()\n]{1,200}\)=$)/.test(part),
  );
  const lines = (beginning ?? '').replace(/^\([^()\n]+\)=\n/, '').split('\n', 3);
  return parseMarkdown(lines.join('\n').slice(0, MAX_HEADING), { dialect: tool }).title ?? '';
}

/** The `toctree` directives of a page. */
function tablesIn(lines: readonly string[]): TableOfPages[] {
  const tables: TableOfPages[] = [];
  let mark: string | undefined;
  let caption: string | undefined;
  let entries: { title: string | undefined; target: string }[] = [];
  for (const line of lines) {
    const text = line.trim();
    if (mark === undefined) {
      mark = /^(`{3,}|:{3,})\{toctree\}/.exec(text)?.[1];
      continue;
    }
    if (text === mark) {
      tables.push({ caption, entries });
      [mark, caption, entries] = [undefined, undefined, []];
    } else if (text.startsWith(':')) caption = /^:caption:\s*(.*)$/.exec(text)?.[1] ?? caption;
    else if (text !== '' && text !== 'self') {
      const [, title, target] = /^([^<]+)<([^<>]+)>$/.exec(text) ?? [];
      entries.push({ title: title?.trim(), target: target ?? text });
    }
  }
  return tables;
}
