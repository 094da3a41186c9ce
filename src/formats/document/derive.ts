import { ownEntry } from './own-entry.js';
import { anchorsOf } from './anchors.js';
import { isObject } from './checks.js';
import { childBlocks, codeText, lineText } from './text.js';
import { type Block, type ContentRef, type Document, type Fragment, type Node, RAW_SYNTAX } from './types.js';

/** A heading of level 1 to 3 with the text up to the next one; the text before the first has level 0. */
export interface Section {
  idx: number;
  /** Anchor on the page; empty for the text before the first heading. */
  id: string;
  level: number;
  title: string;
  body: string;
}

/** One reference of a document to an object outside the node. */
export interface Reference {
  ref: ContentRef;
  /** Key of the block that contains it, if the document has keys. */
  node: string | undefined;
  /** The section that contains it. */
  section: number;
  /** Its use. */
  usage: 'link' | 'mention' | 'button' | 'image' | 'block' | 'table';
  /** The target is shown in place of the reference, so that content is missing without it. */
  needed?: true;
}

export interface Derived {
  sections: Section[];
  references: Reference[];
  /**
   * The fragments that a link to the page may have: headings, expandables and tabs, and the id of the heading that
   * gives the page its title.
   */
  anchors: string[];
  /** Plain text of the whole document, each block on a line of its own. */
  text: string;
  words: number;
}

const SHOWN_IN_PLACE: ReadonlySet<string> = new Set([
  'reusable-content',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
]);

/** Derives everything that depends on the document alone. */
export function deriveDocument(document: Document): Derived {
  const anchors = anchorsOf(document);
  const walk = new Walk(anchors);
  for (const block of document.nodes) walk.block(block, undefined);
  const heading = document.data.heading;
  if (heading !== undefined) walk.line(heading.nodes, undefined);
  const sections = walk.finish();
  const text = sections
    .map((section) => [section.title, section.body].filter((part) => part !== '').join('\n'))
    .filter((part) => part !== '')
    .join('\n');
  const ownAnchor = heading?.id === undefined ? [] : [heading.id];
  return {
    sections,
    references: walk.references,
    anchors: [...new Set([...ownAnchor, ...anchors.values()])],
    text,
    words: countWords(text),
  };
}

/** All references of a document. */
export function referencesIn(document: Document): ContentRef[] {
  return deriveDocument(document).references.map(({ ref }) => ref);
}

const WORD = /[\p{L}\p{N}\p{M}'’_-]+/gu;
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Counts words as readers do; scripts without spaces count by their characters. */
export function countWords(text: string): number {
  const words = text.match(WORD) ?? [];
  if (text.search(WITHOUT_SPACES) < 0) return words.length;
  return words.reduce((sum, word) => sum + (word.match(WITHOUT_SPACES)?.length ?? 1), 0);
}

class Walk {
  readonly references: Reference[] = [];
  private readonly sections: { section: Section; parts: string[] }[] = [
    { section: { idx: 0, id: '', level: 0, title: '', body: '' }, parts: [] },
  ];

  constructor(private readonly anchors: ReadonlyMap<Block, string>) {}

  private get current(): { section: Section; parts: string[] } {
    return (
      this.sections[this.sections.length - 1] ?? {
        section: { idx: 0, id: '', level: 0, title: '', body: '' },
        parts: [],
      }
    );
  }

  block(block: Block, holder: string | undefined): void {
    const key = block.key ?? holder;
    if (isSectionHeading(block)) this.section(block);
    this.dataReferences(block, key);
    if (block.type === 'code') {
      if (block.data.syntax !== RAW_SYNTAX) this.say([block.data.title, codeText(block)]);
      for (const line of block.nodes ?? []) if (line.object === 'block') this.line(line.nodes ?? [], key, false);
      return;
    }
    if (block.type === 'table') {
      this.table(block, key);
      return;
    }
    this.say(ownWords(block));
    this.line(
      (block.nodes ?? []).filter((node) => node.object !== 'block'),
      key,
      !isSectionHeading(block),
    );
    for (const child of childBlocks(block)) this.block(child, key);
  }

  /** Collects the text of a line with its references; `aloud` if the text is not part of the section already. */
  line(nodes: readonly Node[], key: string | undefined, aloud = true): void {
    if (aloud) this.say([lineText(nodes)]);
    for (const node of nodes) {
      if (node.object !== 'inline') continue;
      const { data } = node;
      const usage =
        node.type === 'mention'
          ? 'mention'
          : node.type === 'button'
            ? 'button'
            : node.type === 'inline-image'
              ? 'image'
              : 'link';
      if ('ref' in data && data.ref !== undefined) this.refer(data.ref, key, usage);
      if ('refDark' in data && data.refDark !== undefined) this.refer(data.refDark, key, 'image');
      this.line(node.nodes ?? [], key, false);
      for (const fragment of node.fragments ?? []) this.fragment(fragment, key);
    }
  }

  finish(): Section[] {
    const sections = this.sections.map(({ section, parts }) => ({ ...section, body: parts.join('\n') }));
    const shown = sections.filter((section) => section.level > 0 || section.body !== '');
    const places = new Map(shown.map((section, idx) => [section.idx, idx]));
    for (const reference of this.references) reference.section = places.get(reference.section) ?? 0;
    return shown.map((section, idx) => ({ ...section, idx }));
  }

  private fragment(fragment: Fragment, key: string | undefined): void {
    for (const block of fragment.nodes) this.block(block, key);
  }

  private section(block: Extract<Block, { type: 'heading-1' | 'heading-2' | 'heading-3' }>): void {
    const section: Section = {
      idx: this.sections.length,
      id: this.anchors.get(block) ?? '',
      level: Number(block.type.slice(-1)),
      title: lineText(block.nodes ?? []).trim(),
      body: '',
    };
    this.sections.push({ section, parts: [] });
  }

  private say(words: readonly (string | undefined)[]): void {
    for (const part of words) if (part !== undefined && part.trim() !== '') this.current.parts.push(part);
  }

  private refer(ref: ContentRef, node: string | undefined, usage: Reference['usage'], needed = false): void {
    this.references.push({ ref, node, section: this.current.section.idx, usage, ...(needed && { needed }) });
  }

  private dataReferences(block: Block, key: string | undefined): void {
    const { data } = block;
    const usage = block.type === 'image' || block.type === 'drawing' ? 'image' : 'block';
    if ('ref' in data && data.ref !== undefined) this.refer(data.ref, key, usage, SHOWN_IN_PLACE.has(block.type));
    if ('refDark' in data && data.refDark !== undefined) this.refer(data.refDark, key, usage);
    if (block.type === 'embed') this.refer({ kind: 'url', url: block.data.url }, key, 'block');
  }

  private table(block: Block<'table'>, key: string | undefined): void {
    const { definition, records } = block.data;
    const fragments = new Map((block.fragments ?? []).map((fragment) => [fragment.fragment ?? '', fragment]));
    for (const column of Object.values(definition)) {
      const title = fragments.get(`title:${column.id}`);
      if (title === undefined) this.say([column.title]);
      else this.fragment(title, key);
    }
    const rows = Object.values(records).sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : 1));
    for (const row of rows) {
      for (const column of Object.values(definition)) {
        const value = ownEntry(row.values, column.id);
        const cell = typeof value === 'string' ? fragments.get(value) : undefined;
        if (cell !== undefined) this.fragment(cell, key);
        else if (typeof value === 'string' || typeof value === 'number') this.say([String(value)]);
        else if (Array.isArray(value)) this.listValue(column.type, value, key);
        else if (isObject(value)) this.refer('ref' in value ? value.ref : value, key, 'table');
      }
    }
  }

  private listValue(type: string, values: readonly string[], key: string | undefined): void {
    if (type === 'files') for (const file of values) this.refer({ kind: 'file', file }, key, 'table');
    else if (type === 'users') for (const user of values) this.refer({ kind: 'user', user }, key, 'table');
    else this.say([values.join(' ')]);
  }
}

/** Headings of level 4 and deeper belong to the text of their section. */
function isSectionHeading(block: Block): block is Extract<Block, { type: 'heading-1' | 'heading-2' | 'heading-3' }> {
  return (
    block.type === 'heading-1' ||
    block.type === 'heading-2' ||
    (block.type === 'heading-3' && block.data.level === undefined)
  );
}

/** Visible words of a block that are stored in its data. */
function ownWords(block: Block): string[] {
  switch (block.type) {
    case 'math':
      return [block.data.formula];
    case 'tabs-item':
      return [block.data.title ?? ''];
    case 'image':
      return [block.data.alt ?? ''];
    case 'swagger':
    case 'openapi-operation':
      return [`${block.data.method.toUpperCase()} ${block.data.path}`];
    case 'openapi-schemas':
      return [block.data.schemas.join(' ')];
    case 'openapi-webhook':
      return [block.data.name];
    case 'prompt':
      return [block.data.description];
    default:
      return [];
  }
}
