import type { Node } from 'prosemirror-model';
import { NodeSelection } from 'prosemirror-state';
import type { EditorView, NodeView, NodeViewConstructor, ViewMutationRecord } from 'prosemirror-view';
import { writingTexts } from '../../../texts/writing.js';
import { showRendered } from '../../../ui/rendered-content.js';
import { type BlockField, fieldsOf, fieldText, withField } from './block-fields.js';
import type { ContentBlock, ContentInline, Data } from './model/content.js';
import { atomText, blockType, isSafeAddress } from './model/schema.js';

const words = writingTexts.visual;

/** The facts about the space that blocks show. */
export interface Surroundings {
  /** The HTML of a block as it will be published; empty if it cannot be made. */
  readonly render: (block: ContentBlock) => Promise<string>;
  /** The address of a file of the space. */
  readonly fileAddress: (id: string) => string | undefined;
  /** The title of what a reference leads to. */
  readonly titleOf: (ref: Data) => string | undefined;
  /** Calls each time when files or titles may be others, until what it returns is called. */
  readonly watch: (redraw: () => void) => () => void;
}

type Element = keyof HTMLElementTagNameMap;

function element<Tag extends Element>(tag: Tag, className = '', ...children: readonly globalThis.Node[]) {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** A block whose fields stand above its content. */
abstract class FramedView implements NodeView {
  readonly dom: HTMLElement;
  private readonly inputs = new Map<BlockField, HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>();

  constructor(
    protected node: Node,
    protected readonly view: EditorView,
    private readonly position: () => number | undefined,
    protected readonly blockType: string,
    tag: Element = 'div',
  ) {
    this.dom = element(tag, `block-view block-${blockType}`);
    const fields = fieldsOf(blockType);
    if (fields.length === 0) return;
    const bar = element('div', 'block-fields', ...fields.map((field) => this.input(field)));
    bar.contentEditable = 'false';
    this.dom.append(bar);
  }

  protected abstract dataOf(node: Node): Data;
  protected abstract dataAttribute(data: Data): { readonly name: string; readonly value: unknown };

  protected show(node: Node): void {
    this.node = node;
    const data = this.dataOf(node);
    for (const [field, input] of this.inputs) {
      const value = fieldText(data, field);
      // The one that is being written keeps its own text.
      if (input.value !== value && document.activeElement !== input) input.value = value;
    }
  }

  stopEvent(event: Event): boolean {
    return event.target instanceof HTMLElement && event.target.closest('.block-fields') !== null;
  }

  private input(field: BlockField): HTMLElement {
    const input = inputFor(field);
    input.className = 'block-field';
    input.setAttribute('aria-label', `${words.blocks[this.blockType] ?? this.blockType}: ${field.label}`);
    const change = (): void => {
      const at = this.position();
      if (at === undefined) return;
      const { name, value } = this.dataAttribute(withField(this.dataOf(this.node), field, input.value));
      this.view.dispatch(this.view.state.tr.setNodeAttribute(at, name, value));
    };
    input.addEventListener(field.kind === 'choice' || field.kind === 'date' ? 'change' : 'input', change);
    input.addEventListener('keydown', (event) => {
      const { key } = event as KeyboardEvent;
      if (key !== 'Escape' && (key !== 'Enter' || field.kind !== 'text')) return;
      // Else the line with the cursor would be divided.
      event.preventDefault();
      this.view.focus();
    });
    this.inputs.set(field, input);
    return element('label', 'block-label', document.createTextNode(field.label), input);
  }
}

function inputFor({ kind, choices = [] }: BlockField): HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  if (kind === 'lines') return Object.assign(element('textarea'), { rows: 2, spellcheck: false });
  if (kind !== 'choice') return Object.assign(element('input'), { type: kind, spellcheck: false });
  const select = element('select');
  for (const [value, label] of choices) select.append(Object.assign(element('option'), { value, textContent: label }));
  return select;
}

/** The words by which a block is told from others of its type, such as the title of a tab. */
function ownWords({ type, firstChild }: Node, { style, title }: Data): string {
  if (type.name === 'expandable') return firstChild?.textContent ?? '';
  if (type.name === 'hint' && typeof style === 'string') return hintStyles[style] ?? '';
  return typeof title === 'string' ? title : '';
}

const hintStyles: Readonly<Partial<Record<string, string>>> = words.hintStyles;

function setLabel(element: HTMLElement, label: string): void {
  if (element.getAttribute('aria-label') !== label) element.setAttribute('aria-label', label);
}

/** A block with content that is edited in place. */
class ContentView extends FramedView {
  readonly contentDOM: HTMLElement;
  private unwatch: (() => void) | undefined;

  constructor(node: Node, view: EditorView, position: () => number | undefined, surroundings: Surroundings) {
    super(node, view, position, blockType(node.type.name), node.type.name === 'list_item' ? 'li' : 'div');
    if (node.type.name === 'image') this.drawPicture(surroundings);
    this.contentDOM = element('div', 'block-content');
    this.dom.append(this.contentDOM);
    this.name(node);
    this.show(node);
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false;
    // Another picture is drawn anew.
    if (node.type.name === 'image' && this.dataOf(node)['ref'] !== this.dataOf(this.node)['ref']) return false;
    this.show(node);
    this.name(node);
    return true;
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    return mutation.type !== 'selection' && !this.contentDOM.contains(mutation.target);
  }

  destroy(): void {
    this.unwatch?.();
  }

  protected dataOf({ attrs }: Node): Data {
    return attrs['data'] as Data;
  }

  /** Draws the picture, and again when the address of its file is known or another one. */
  private drawPicture(surroundings: Surroundings): void {
    let picture = pictureOf(this.dataOf(this.node), surroundings);
    this.dom.append(picture);
    this.unwatch = surroundings.watch(() => {
      const next = pictureOf(this.dataOf(this.node), surroundings);
      if (next.isEqualNode(picture)) return;
      picture.replaceWith(next);
      picture = next;
    });
  }

  protected dataAttribute(data: Data) {
    return { name: 'data', value: data };
  }

  /** Names the block for those who do not see its frame. */
  private name(node: Node): void {
    const { style } = this.dataOf(node);
    if (typeof style === 'string') this.dom.dataset['look'] = style;
    const label = words.blocks[this.blockType];
    if (label === undefined || this.dom.tagName === 'LI') return;
    this.dom.setAttribute('role', 'group');
    setLabel(this.dom, words.named(label, ownWords(node, this.dataOf(node))));
  }
}

/** An item of a list, with a box to be ticked in lists of tasks. */
class ItemView implements NodeView {
  readonly dom = element('li', 'list-item');
  readonly contentDOM = element('div', 'block-content');
  private readonly box = Object.assign(element('input', 'task-box'), { type: 'checkbox' });

  constructor(
    private node: Node,
    view: EditorView,
    position: () => number | undefined,
  ) {
    this.box.contentEditable = 'false';
    this.box.addEventListener('change', () => {
      const at = position();
      const data = { ...(this.node.attrs['data'] as Data), checked: this.box.checked };
      if (at !== undefined) view.dispatch(view.state.tr.setNodeAttribute(at, 'data', data));
    });
    this.dom.append(this.box, this.contentDOM);
    this.box.hidden = view.state.doc.resolve(position() ?? 0).parent.type.name !== 'list_tasks';
    this.update(node);
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false;
    this.node = node;
    this.box.checked = (node.attrs['data'] as Data)['checked'] === true;
    if (!this.box.hidden) setLabel(this.box, words.named(words.done, node.firstChild?.textContent ?? ''));
    return true;
  }

  stopEvent(event: Event): boolean {
    return event.target === this.box;
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    return mutation.type !== 'selection' && !this.contentDOM.contains(mutation.target);
  }
}

/** A block without text of its own, as it will be published. */
class AtomView extends FramedView {
  private readonly rendered = element('div', 'block-rendered');
  private shown = '';

  constructor(
    node: Node,
    view: EditorView,
    position: () => number | undefined,
    private readonly surroundings: Surroundings,
  ) {
    super(node, view, position, blockOf(node).type);
    const { type } = blockOf(node);
    this.dom.setAttribute('role', 'group');
    this.dom.setAttribute('aria-label', words.blocks[type] ?? words.otherBlock(type));
    this.rendered.contentEditable = 'false';
    // A press chooses the block; links in it lead nowhere while it is written.
    this.rendered.addEventListener('click', (event) => {
      event.preventDefault();
      const at = position();
      if (at !== undefined) view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, at)));
    });
    this.dom.append(type === 'divider' ? element('hr') : this.rendered);
    this.show(node);
    this.draw(node);
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type || blockOf(node).type !== this.blockType) return false;
    this.show(node);
    this.draw(node);
    return true;
  }

  ignoreMutation(): boolean {
    return true;
  }

  protected dataOf(node: Node): Data {
    return blockOf(node).data ?? {};
  }

  protected dataAttribute(data: Data) {
    return { name: 'block', value: { ...blockOf(this.node), data } };
  }

  private draw(node: Node): void {
    const block = blockOf(node);
    const json = JSON.stringify(block);
    if (this.shown === json || block.type === 'divider') return;
    this.shown = json;
    void this.surroundings.render(block).then((html) => {
      if (this.shown !== json) return;
      if (html === '') this.rendered.textContent = words.otherBlock(words.blocks[block.type] ?? block.type);
      else showRendered(this.rendered, html);
    });
  }
}

function blockOf({ attrs }: Node): ContentBlock {
  return attrs['block'] as ContentBlock;
}

/** A picture of a file of the space, or from an address. */
function pictureOf({ ref, alt }: Data, { fileAddress }: Surroundings): HTMLElement {
  const { file, url } = (ref ?? {}) as { readonly file?: string; readonly url?: string };
  const address = file === undefined ? url : fileAddress(file);
  const frame = element('div', 'picture');
  frame.contentEditable = 'false';
  if (address === undefined || !isSafeAddress(address)) frame.textContent = url ?? words.noPicture;
  else frame.append(Object.assign(element('img'), { src: address, alt: typeof alt === 'string' ? alt : '' }));
  return frame;
}

/** The roles of inlines without text of their own, whose words alone would not tell that they are more than words. */
const INLINE_ROLES: Readonly<Partial<Record<string, string>>> = {
  mention: 'link',
  button: 'link',
  expression: 'code',
  'inline-math': 'math',
  'inline-image': 'img',
  icon: 'img',
  emoji: 'img',
};

/** An inline without text of its own. */
class InlineAtomView implements NodeView {
  readonly dom: HTMLElement;
  readonly destroy: () => void;

  constructor(node: Node, surroundings: Surroundings) {
    const inline = node.attrs['inline'] as ContentInline;
    this.dom = element('span', `inline-atom inline-${inline.type}`);
    this.draw(inline, surroundings);
    this.destroy = surroundings.watch(() => this.draw(inline, surroundings));
  }

  ignoreMutation(): boolean {
    return true;
  }

  private draw(inline: ContentInline, { titleOf, fileAddress }: Surroundings): void {
    const { type, data = {} } = inline;
    const ref = (data['ref'] ?? {}) as Data;
    const address = typeof ref['file'] === 'string' ? fileAddress(ref['file']) : undefined;
    const role = INLINE_ROLES[type];
    if (role !== undefined) this.dom.setAttribute('role', role);
    // Pictures are nothing but their names to those who hear them.
    if (role === 'img') setLabel(this.dom, atomText(inline));
    if (type === 'inline-image' && address !== undefined)
      this.dom.replaceChildren(Object.assign(element('img'), { src: address, alt: atomText(inline) }));
    else this.dom.textContent = (type === 'mention' ? titleOf(ref) : undefined) ?? atomText(inline);
  }
}

const FRAMED = ['hint', 'if', 'tabs', 'tabs_item', 'stepper', 'stepper_step', 'columns', 'column', 'updates', 'update'];
const FRAMED_TOO = ['prompt', 'code_block', 'images', 'image', 'expandable'];

/** The views of all blocks that are more than an element. */
export function blockViews(surroundings: Surroundings): Record<string, NodeViewConstructor> {
  const framed: NodeViewConstructor = (node, view, position) => new ContentView(node, view, position, surroundings);
  return {
    ...Object.fromEntries([...FRAMED, ...FRAMED_TOO].map((name) => [name, framed])),
    list_item: (node, view, position) => new ItemView(node, view, position),
    block_atom: (node, view, position) => new AtomView(node, view, position, surroundings),
    inline_atom: (node) => new InlineAtomView(node, surroundings),
  };
}
