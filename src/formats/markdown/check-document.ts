import { childBlocks, codeText } from '../document/text.js';
import {
  type Block,
  type ContentRef,
  type Document,
  type Node,
  RAW_SYNTAX,
  type TableDefinition,
  type TableValue,
} from '../document/types.js';
import { ownEntry } from '../document/own-entry.js';
import { type FactCounts, splitWords } from './check-facts.js';

/** Maps a reference to the same text as the target that it was read from. */
export type ReferenceKey = (ref: ContentRef) => string;

/**
 * Counts the content of a document, in the same terms as `sourceFacts`. Returns the number of characters in verbatim
 * blocks.
 */
export function documentFacts(document: Document, facts: FactCounts, key: ReferenceKey): number {
  const walk = new DocumentWalk(facts, key);
  document.nodes.forEach((block) => walk.block(block));
  return walk.verbatim;
}

class DocumentWalk {
  verbatim = 0;

  constructor(
    private readonly facts: FactCounts,
    private readonly key: ReferenceKey,
  ) {}

  block(block: Block): void {
    switch (block.type) {
      case 'heading-1':
      case 'heading-2':
      case 'heading-3':
        this.facts.add(
          `heading ${block.data.level ?? block.type.slice(-1)}`,
          this.facts.textOf(shownText(block.nodes ?? [])),
        );
        break;
      case 'code':
        this.code(block);
        return;
      case 'math':
        this.facts.add('math', block.data.formula);
        this.words(block.data.formula, []);
        return;
      case 'list-ordered':
        this.facts.add('list', 'ordered');
        break;
      case 'list-unordered':
      case 'list-tasks':
        this.facts.add('list', 'unordered');
        break;
      case 'list-item':
        this.facts.add('item', block.data.checked === undefined ? '' : String(block.data.checked));
        break;
      case 'hint':
        this.facts.add('hint', block.data.style);
        break;
      case 'tabs-item':
        this.facts.add('tab', block.data.title ?? '');
        this.words(block.data.title ?? '', []);
        break;
      case 'stepper-step':
        this.facts.add('step', '');
        break;
      case 'embed':
        this.facts.add('embed', block.data.url);
        break;
      case 'image':
        this.image(block.data.ref, block.data.alt ?? '');
        break;
      case 'drawing':
        if (block.data.ref !== undefined) this.image(block.data.ref, '');
        return;
      case 'content-ref':
        this.facts.add('link', this.key(block.data.ref));
        return;
      case 'table':
        this.table(block);
        return;
      default:
        break;
    }
    this.line((block.nodes ?? []).filter((node) => node.object !== 'block'));
    childBlocks(block).forEach((child) => this.block(child));
  }

  private code(block: Block<'code'>): void {
    const text = codeText(block);
    if (block.data.syntax === RAW_SYNTAX) {
      this.verbatim += text.length;
      this.words(text, []);
      return;
    }
    this.facts.add('code', `${block.data.syntax ?? ''}\n${text}`);
    this.words(`${block.data.title ?? ''}\n${text}`, []);
    for (const line of block.nodes ?? []) {
      if (line.object === 'block')
        this.line(
          (line.nodes ?? []).filter((node) => node.object === 'inline').map((node) => ({ ...node, nodes: [] })),
        );
    }
  }

  private table(block: Block<'table'>): void {
    const { definition, records, view } = block.data;
    const fragments = new Map((block.fragments ?? []).map((fragment) => [fragment.fragment ?? '', fragment]));
    const cell = (name: string, text: string): void => {
      const fragment = fragments.get(name);
      this.facts.add(
        'cell',
        this.facts.textOf(fragment === undefined ? text : fragment.nodes.map(blockShown).join('')),
      );
      if (fragment === undefined) this.words(text, []);
      else fragment.nodes.forEach((child) => this.block(child));
    };
    const hasHeader =
      view.type === 'cards' || !view.hideHeader || Object.values(definition).some((column) => column.title !== '');
    if (hasHeader) for (const column of Object.values(definition)) cell(`title:${column.id}`, column.title);
    for (const row of Object.values(records)) {
      for (const column of Object.values(definition)) this.value(ownEntry(row.values, column.id), column.type, cell);
    }
  }

  /** A cell; for a typed column only its links. */
  private value(
    value: TableValue | undefined,
    type: TableDefinition['type'],
    cell: (name: string, text: string) => void,
  ): void {
    if (type === 'text') cell(typeof value === 'string' ? value : '', typeof value === 'string' ? value : '');
    else if (Array.isArray(value) && type === 'files')
      for (const file of value) this.facts.add('link', this.key({ kind: 'file', file }));
    else if (typeof value === 'object' && value !== null && !Array.isArray(value))
      this.facts.add('link', this.key('ref' in value ? value.ref : value));
  }

  private image(ref: ContentRef, alt: string): void {
    this.facts.add('image', `${this.key(ref)}\n${alt}`);
    this.words(alt, []);
  }

  private line(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.object === 'text') {
        for (const leaf of node.leaves)
          this.words(
            leaf.text,
            leaf.marks.map((mark) => mark.type),
          );
        continue;
      }
      if (node.object !== 'inline') continue;
      if (node.type === 'link' || node.type === 'mention') this.facts.add('link', this.key(node.data.ref));
      if (node.type === 'mention') this.words(node.data.text ?? '', []);
      if (node.type === 'button') {
        if (node.data.ref !== undefined) this.facts.add('link', this.key(node.data.ref));
        this.words(node.data.label, []);
      }
      if (node.type === 'inline-image') {
        this.image(node.data.ref, node.data.alt ?? '');
        this.words(node.data.caption ?? '', []);
      }
      if (node.type === 'inline-math') {
        this.facts.add('math', node.data.formula);
        this.words(node.data.formula, []);
      }
      this.line(node.nodes ?? []);
      for (const fragment of node.fragments ?? []) fragment.nodes.forEach((child) => this.block(child));
    }
  }

  private words(text: string, marks: readonly string[]): void {
    for (const word of splitWords(text)) {
      this.facts.word(word);
      for (const mark of marks) this.facts.add(`mark ${mark}`, word);
    }
  }
}

function blockShown(block: Block): string {
  return (
    shownText((block.nodes ?? []).filter((node) => node.object !== 'block')) +
    childBlocks(block).map(blockShown).join('')
  );
}

/** The text of a line as in its source: without the alternative text of images and icons. */
function shownText(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (node.object === 'text')
        return node.leaves
          .map((leaf) => leaf.text)
          .join('')
          .replaceAll('\n', ' ');
      if (node.object !== 'inline' || node.type === 'inline-image') return '';
      if (node.type === 'inline-math') return node.data.formula;
      if (node.type === 'mention') return node.data.text ?? '';
      if (node.type === 'button') return node.data.label;
      return shownText(node.nodes ?? []);
    })
    .join('');
}
