import type { Definition, FootnoteDefinition, Nodes } from 'mdast';
import { document, rawBlock } from '../domain/document/build.js';
import { lineText } from '../domain/document/text.js';
import type { Block, Document, DocumentData, Node } from '../domain/document/types.js';
import { report, type Problem, type Reading, type ResolveTarget } from './context.js';
import { readFrontmatter, type Frontmatter } from './frontmatter.js';
import { readMdast } from './mdast.js';
import { BlockReader } from './parse-blocks.js';

export interface ParseOptions {
  /** Finds what links, images and tags refer to; without it every target stays an address. */
  resolve?: ResolveTarget;
  /** Whether the source is a page, whose first heading of the first level is its title. Default true. */
  page?: boolean;
}

export interface ParsedMarkdown {
  frontmatter: Frontmatter;
  /** From the frontmatter, else from a heading of the first level at the very beginning. */
  title?: string;
  document: Document;
  problems: Problem[];
}

/**
 * Reads GitBook's dialect of Markdown into a document. Nothing is lost: what is not understood is a
 * `code` block of the syntax `gitbook-raw` that holds it word for word, and is reported.
 */
export function parseMarkdown(source: string, options: ParseOptions = {}): ParsedMarkdown {
  const isPage = options.page ?? true;
  const head = isPage ? readFrontmatter(source) : { frontmatter: {}, body: source, lines: 0 };
  const tree = readMdast(head.body);
  const reading = readingOf(head.body, tree.children, options.resolve ?? (() => undefined), head.lines);
  if ('problem' in head && head.problem !== undefined) reading.problems.push({ line: 1, message: head.problem });
  const reader = new BlockReader(reading);
  const nodes = [...reader.ofMarkdown(tree.children), ...unusedDefinitions(reader)];
  const { title: given, extra, ...known } = head.frontmatter as Frontmatter;
  const frontmatter: Frontmatter = { ...known, ...(extra === undefined ? {} : { extra }) };
  const data: Omit<DocumentData, 'schemaVersion'> = extra === undefined ? {} : { frontmatter: extra };
  const heading = isPage ? takeTitle(nodes, given) : undefined;
  const title = given ?? heading?.title;
  if (heading !== undefined && heading.rich) data.heading = { title: heading.title, nodes: heading.nodes, ...(heading.id === undefined ? {} : { id: heading.id }) };
  return { frontmatter, ...(title === undefined ? {} : { title }), document: document(nodes, data), problems: reading.problems };
}

function readingOf(source: string, nodes: readonly Nodes[], resolve: ResolveTarget, line: number): Reading {
  const definitions = new Map<string, Definition>();
  const footnotes = new Map<string, FootnoteDefinition>();
  const collect = (node: Nodes): void => {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
    if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier)) footnotes.set(node.identifier, node);
    if ('children' in node) node.children.forEach(collect);
  };
  nodes.forEach(collect);
  const reading: Reading = {
    source,
    resolve: (target, kind) => resolve(target, kind, reading.at + line),
    problems: [],
    definitions,
    footnotes,
    used: new Set(),
    openFootnotes: new Set(),
    line,
    depth: 0,
    at: 1,
  };
  return reading;
}

/** Definitions that nothing refers to are kept as they are written. */
function unusedDefinitions(reader: BlockReader): Block[] {
  const { reading } = reader;
  const all = [...reading.definitions.values(), ...reading.footnotes.values()];
  return all
    .filter((definition) => !reading.used.has(definition))
    .map((definition) => {
      report(reading, definition.position?.start.line ?? 1, `[${definition.label ?? definition.identifier}] is defined but not used, and is kept as it is written`);
      return rawBlock(reader.sourceOf(definition));
    });
}

interface Title {
  title: string;
  nodes: Node[];
  id: string | undefined;
  rich: boolean;
}

/** Takes the title off the beginning. A heading that says more than plain text is `rich`. */
function takeTitle(nodes: Block[], given: string | undefined): Title | undefined {
  const [first] = nodes;
  if (first?.type !== 'heading-1' || first.data.align !== undefined) return undefined;
  const line = first.nodes ?? [];
  const title = lineText(line).trim();
  if (title === '' || (given !== undefined && given !== title)) return undefined;
  nodes.shift();
  const [only] = line;
  const isPlain = line.length === 1 && only?.object === 'text' && only.leaves.length === 1 && only.leaves[0]?.marks.length === 0 && only.leaves[0].text === title;
  return { title, nodes: line, id: first.data.id, rich: !isPlain || first.data.id !== undefined };
}
