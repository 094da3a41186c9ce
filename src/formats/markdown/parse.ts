import type { Definition, FootnoteDefinition, Nodes, Root } from 'mdast';
import { document } from '../document/build.js';
import { MAX_CELLS } from '../document/node-kinds.js';
import { lineText } from '../document/text.js';
import type { Block, Document, DocumentData, Node } from '../document/types.js';
import { isStorable } from '../document/link-target.js';
import { PAGE_PARSE_LIMITS, MAX_MARKDOWN, type ParseLimits } from './parse-limits.js';
import { report, type MarkdownProblem, type ParseContext, type ResolveTarget } from './parse-context.js';
import { readFrontmatter, type Frontmatter, type FrontmatterResult } from './frontmatter.js';
import { DIALECTS, type DialectName } from './dialects/dialect.js';
import { ownFrontmatter } from './dialects/foreign-frontmatter.js';
import { rewriteBody, type RewrittenBody } from './dialects/rewrite.js';
import { isExport, keptTree, writeExportedPage, type ExportName } from './exports/exported-page.js';
import { readBounded } from './mdast.js';
import { BlockReader, type SourcePart } from './parse-blocks.js';
import { cleanPastedHtml } from './pasted-html.js';
import { MAX_YAML } from './yaml.js';

export interface ParseOptions {
  /** Resolves links, images and tags; without it every target stays an address. */
  resolve?: ResolveTarget;
  /** True (the default) if the source is a page, whose first heading of the first level is its title. */
  page?: boolean;
  /** The tool that the source was written for, if that is another one. */
  dialect?: DialectName | undefined;
}

export interface ParsedMarkdown {
  frontmatter: Frontmatter;
  /** From the frontmatter, else from a heading of the first level at the very beginning. */
  title?: string;
  document: Document;
  problems: MarkdownProblem[];
}

/**
 * Characters that no document can contain: NUL, halves of surrogate pairs, and the characters that mark references and
 * spaces here.
 */
const UNKEEPABLE = /[\0\p{Surrogate}\u{F0000}\u{F0001}\u{F0020}]/gu;

/**
 * Parses GitBook's dialect of Markdown to a document. Nothing is lost: unsupported parts become a `code` block of the
 * syntax `gitbook-raw` with their verbatim source, and are reported.
 */
export function parseMarkdown(text: string, { resolve, page, dialect }: ParseOptions = {}): ParsedMarkdown {
  return interpretMarkdown(readMarkdown(text, page, PAGE_PARSE_LIMITS, dialect), resolve);
}

/** Parsed Markdown, which is most of the work; its targets are not resolved yet. */
export interface MarkdownSource {
  readonly isPage: boolean;
  readonly head: FrontmatterResult;
  readonly tree: Root;
  /** The reason why the source was not parsed, but is kept verbatim. */
  readonly fault?: string;
  /** The body as another tool reads it, of which `head.body` is the form in our own dialect. */
  readonly foreign?: Pick<RewrittenBody, 'origins' | 'problems'>;
}

/** The first half of `parseMarkdown`, which depends on the text alone. */
export function readMarkdown(
  text: string,
  isPage = true,
  bounds = PAGE_PARSE_LIMITS,
  dialect?: DialectName,
): MarkdownSource {
  const source = text.replace(UNKEEPABLE, '\uFFFD');
  if (isExport(dialect)) return readExport(source, bounds, dialect);
  const given: FrontmatterResult = isPage ? readFrontmatter(source) : { frontmatter: {}, body: source, lines: 0 };
  const { foreign, ...written } = inOwnDialect(given, dialect);
  const head = { ...written, body: written.body.length > MAX_MARKDOWN ? written.body : cleanPastedHtml(written.body) };
  const isTooLong = source.length - given.body.length > MAX_YAML;
  return {
    isPage,
    head,
    ...(foreign && { foreign }),
    ...readBounded(head.body, bounds),
    ...(isTooLong && { fault: `has frontmatter of more than ${MAX_YAML} characters` }),
  };
}

/** Parses the page of an export, which is no Markdown. */
function readExport(source: string, bounds: ParseLimits, tool: ExportName): MarkdownSource {
  const read = writeExportedPage(source, tool);
  if ('fault' in read)
    return {
      isPage: true,
      head: { frontmatter: {}, body: source, lines: 0 },
      tree: keptTree(source),
      fault: read.fault,
    };
  const { frontmatter, body, ...foreign } = read;
  return { isPage: true, head: { frontmatter, body, lines: 0 }, foreign, ...readBounded(body, bounds) };
}

/** Text for another tool, rewritten in our own dialect. A body that is too long to be read stays as it is. */
function inOwnDialect(
  read: FrontmatterResult,
  dialect: DialectName | undefined,
): FrontmatterResult & Pick<MarkdownSource, 'foreign'> {
  if (dialect === undefined || read.body.length > MAX_MARKDOWN) return read;
  const { body, ...foreign } = rewriteBody(read.body, DIALECTS[dialect]);
  return { ...read, frontmatter: ownFrontmatter(read.frontmatter), body, foreign };
}

/** The second half of `parseMarkdown`; a source may be interpreted several times. */
export function interpretMarkdown(source: MarkdownSource, resolve?: ResolveTarget): ParsedMarkdown {
  return interpretWithLines(source, resolve).parsed;
}

/** The same, with the line of the source that each block of the document begins with, from 1. */
export function interpretWithLines(
  { isPage, head, tree, fault, foreign }: MarkdownSource,
  resolve: ResolveTarget = () => undefined,
): { readonly parsed: ParsedMarkdown; readonly lines: readonly number[] } {
  /** The place in the source of a line that follows the frontmatter; columns are those of what was rewritten. */
  const originOf = (line: number): number =>
    line <= head.lines ? line : head.lines + (foreign?.origins[line - head.lines - 1] ?? line - head.lines);
  const found: ResolveTarget = foreign ? (target, kind, line) => resolve(target, kind, originOf(line)) : resolve;
  const reading = readingOf(head.body, tree.children, found, head.lines);
  if (fault !== undefined)
    report(reading, { line: 1 - head.lines }, 'unreadable-text', `the page is kept verbatim: it ${fault}`);
  if (head.problem !== undefined)
    report(reading, { line: head.problem.line - head.lines }, 'front-matter', head.problem.message);
  const reader = new BlockReader(reading);
  const { blocks: nodes, lines } = reader.withLines(tree.children);
  const { title: given, extra, ...known } = head.frontmatter;
  const frontmatter: Frontmatter = { ...known, ...(extra === undefined ? {} : { extra }) };
  const data: Omit<DocumentData, 'schemaVersion'> = extra === undefined ? {} : { frontmatter: extra };
  const heading = isPage ? takeTitle(nodes, given) : undefined;
  const title = given ?? heading?.title;
  if (heading !== undefined && heading.rich)
    data.heading = {
      title: heading.title,
      nodes: heading.nodes,
      ...(heading.id === undefined ? {} : { id: heading.id }),
    };
  return {
    parsed: {
      frontmatter,
      ...(title === undefined ? {} : { title }),
      document: document(nodes, data),
      problems: foreign ? foreignProblems(foreign, reading.problems, originOf, head.lines) : reading.problems,
    },
    // The first heading may have become the title.
    lines: lines.slice(lines.length - nodes.length),
  };
}

/** The problems of a source of another tool, at the places where it is written. */
function foreignProblems(
  { problems }: Pick<RewrittenBody, 'problems'>,
  read: readonly MarkdownProblem[],
  originOf: (line: number) => number,
  before: number,
): MarkdownProblem[] {
  return [
    ...problems.map(({ line, message }) => ({ line: line + before, rule: 'unsupported-markup' as const, message })),
    ...read.map(({ line, rule, message }) => ({ line: originOf(line), rule, message })),
  ].sort((a, b) => a.line - b.line);
}

/** The parts of the body of a source, whose lines begin with 1. */
export function partsOf({ head, tree }: MarkdownSource, resolve: ResolveTarget): SourcePart[] {
  return new BlockReader(readingOf(head.body, tree.children, resolve, 0)).parts(tree.children);
}

function readingOf(source: string, nodes: readonly Nodes[], resolve: ResolveTarget, line: number): ParseContext {
  const definitions = new Map<string, Definition>();
  const footnotes = new Map<string, FootnoteDefinition>();
  const referenced = new Set<string>();
  const inFootnotes = new Map<string, Set<string>>();
  const collect = (node: Nodes, from: Set<string>): void => {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
    if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier)) footnotes.set(node.identifier, node);
    if (node.type === 'linkReference' || node.type === 'imageReference' || node.type === 'footnoteReference')
      from.add(node.identifier);
    if (node.type === 'html')
      for (const match of node.value.matchAll(/#user-content-fn-([^"'\s>]+)/g))
        from.add((match[1] ?? '').toLowerCase());
    if (!('children' in node)) return;
    const inside = node.type === 'footnoteDefinition' ? setOf(inFootnotes, node.identifier) : from;
    node.children.forEach((child) => collect(child, inside));
  };
  nodes.forEach((node) => collect(node, referenced));
  // Identifiers that only a footnote refers to count if that footnote is used.
  for (const identifier of referenced) for (const further of inFootnotes.get(identifier) ?? []) referenced.add(further);
  const reading: ParseContext = {
    source,
    resolve: (target, kind) => {
      const found = resolve(target, kind, reading.at.line + line, reading.at.column);
      if (found !== undefined || isStorable(target, kind === 'image')) return found;
      report(
        reading,
        reading.at,
        'unsafe-link',
        `${target.slice(0, 100)} is not an allowed address of a link: only its text is kept`,
      );
      return null;
    },
    problems: [],
    definitions,
    footnotes,
    referenced,
    openFootnotes: new Set(),
    footnoteCharacters: 2 * MAX_MARKDOWN,
    cells: MAX_CELLS,
    line,
    depth: 0,
    at: { line: 1 },
  };
  return reading;
}

function setOf(sets: Map<string, Set<string>>, name: string): Set<string> {
  const set = sets.get(name) ?? new Set();
  sets.set(name, set);
  return set;
}

interface Title {
  title: string;
  nodes: Node[];
  id: string | undefined;
  rich: boolean;
}

/** Removes the title from the beginning. A heading with more than plain text is `rich`. */
function takeTitle(nodes: Block[], given: string | undefined): Title | undefined {
  const [first] = nodes;
  if (first?.type !== 'heading-1' || first.data.align !== undefined) return undefined;
  const line = first.nodes ?? [];
  const title = lineText(line).trim();
  if (title === '' || (given !== undefined && given !== title)) return undefined;
  nodes.shift();
  const [only] = line;
  const isPlain =
    line.length === 1 &&
    only?.object === 'text' &&
    only.leaves.length === 1 &&
    only.leaves[0]?.marks.length === 0 &&
    only.leaves[0].text === title;
  return { title, nodes: line, id: first.data.id, rich: !isPlain || first.data.id !== undefined };
}
