import type { Node } from 'prosemirror-model';
import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import { history } from 'prosemirror-history';
import { EditorState, NodeSelection, type Plugin, TextSelection } from 'prosemirror-state';
import { tableEditing } from 'prosemirror-tables';
import { EditorView } from 'prosemirror-view';
import 'prosemirror-view/style/prosemirror.css';
import 'prosemirror-gapcursor/style/gapcursor.css';
import 'prosemirror-tables/style/tables.css';
import { writingTexts } from '../../../texts/writing.js';
import { type FollowedRange, FollowedRanges } from './followed-ranges.js';
import { fieldsOf } from './block-fields.js';
import { findPlugin } from './find-plugin.js';
import { VisualText } from './visual-text.js';
import { MOVED_TO, type Moved } from './commands.js';
import { blockViews, type Surroundings } from './block-views.js';
import { clipboard, type ClipboardHandlers } from './clipboard.js';
import { markdownRules } from './input-rules.js';
import { keyBindings, type KeyHandlers } from './key-bindings.js';
import { findLandmark, type Landmark } from './landmark.js';
import { blockKeys } from './model/block-keys.js';
import type { ContentDocument, ContentInline } from './model/content.js';
import { takeMerged } from './model/differences.js';
import { editorDocument } from './model/from-content.js';
import { Originals } from './model/originals.js';
import { tableShape } from './model/table-shape.js';
import { contentDocument } from './model/to-content.js';
import { blockAt, others, type PeopleInBlocks, showOthers } from './others.js';
import { suggestions } from './suggestions.js';

/** Marks changes that come from the server and not from the person who types. */
const REMOTE = 'remote';

export interface VisualHandlers extends ClipboardHandlers, KeyHandlers {
  /** Called after each change of the person who types. */
  readonly onChange: (body: ContentDocument) => void;
  /** Called after each change and each move of the cursor. */
  readonly onUpdate: (view: EditorView) => void;
  /** Keys are offered to it before the editor takes them; true if they are taken. */
  readonly onKey: (event: KeyboardEvent) => boolean;
  /** Called when something is done that is only seen. */
  readonly onAnnounce: (words: string) => void;
  /** Called for an inline without text of its own that is to be changed. */
  readonly onInline: (position: number) => void;
}

/** A document in an editor of ProseMirror, which has its own state. */
export class VisualDocument {
  readonly view: EditorView;
  /** The document as a text that is searched and counted. */
  readonly text: VisualText;
  private readonly originals = new Originals();
  private readonly followed = new FollowedRanges();
  private latest: { readonly doc: Node; readonly body: ContentDocument } | undefined;

  constructor(
    parent: HTMLElement,
    /** The document that the nodes came from, the latest one that the server has given. */
    private given: ContentDocument,
    surroundings: Surroundings,
    private readonly handlers: () => VisualHandlers,
  ) {
    const doc = editorDocument(given, this.originals);
    this.view = new EditorView(parent, {
      state: EditorState.create({ doc, plugins: this.plugins() }),
      nodeViews: blockViews(surroundings),
      attributes: {
        'aria-label': writingTexts.visual.label,
        role: 'textbox',
        'aria-multiline': 'true',
        spellcheck: 'true',
        class: 'visual-text',
      },
      handleKeyDown: ({ state: { selection } }, event) =>
        handlers().onKey(event) ||
        (event.key === 'Enter' &&
          selection instanceof NodeSelection &&
          selection.node.type.name === 'inline_atom' &&
          this.askInline(selection.node, selection.from)),
      handleDoubleClickOn: (_view, _at, node, position) =>
        node.type.name === 'inline_atom' && this.askInline(node, position),
      dispatchTransaction: (transaction) => {
        const state = this.view.state.apply(transaction);
        this.followed.map(transaction.mapping);
        this.view.updateState(state);
        if (transaction.docChanged && transaction.getMeta(REMOTE) !== true) handlers().onChange(this.body);
        const moved = transaction.getMeta(MOVED_TO) as Moved | undefined;
        if (moved) handlers().onAnnounce(writingTexts.visual.handle.moved(moved.place, moved.count));
        this.updated();
      },
    });
    this.text = new VisualText(this.view);
  }

  /** The document as it is now; the very one that was given, while nothing has changed. */
  get body(): ContentDocument {
    const { doc } = this.view.state;
    if (this.latest?.doc !== doc) this.latest = { doc, body: contentDocument(doc, this.given, this.originals) };
    return this.latest.body;
  }

  /**
   * Shows what the server made of a document that was sent, with what was typed since; returns nothing where both
   * changed the same.
   */
  merge(sent: ContentDocument, merged: ContentDocument): ContentDocument | undefined {
    // The browser tells of a cursor that was moved later, which would be put back to its place of before.
    this.view.dom.ownerDocument.dispatchEvent(new Event('selectionchange'));
    const { doc, tr } = this.view.state;
    // A document that is the present one differs from it in nothing, however it was read.
    const before = sent === this.body ? doc : editorDocument(sent, new Originals());
    const transaction = takeMerged(tr, before, editorDocument(merged, this.originals));
    if (!transaction) return undefined;
    this.given = merged;
    this.latest = undefined;
    this.view.dispatch(transaction.setMeta(REMOTE, true));
    return this.body;
  }

  /** Shows another document; undo does not lead back behind it. */
  show(body: ContentDocument): void {
    this.given = body;
    this.latest = undefined;
    const doc = editorDocument(body, this.originals);
    // Content that is on its way needs a place in the other document.
    this.followed.map({ map: (at) => Math.min(at, doc.content.size) });
    this.view.updateState(EditorState.create({ doc, plugins: this.view.state.plugins }));
    this.updated();
  }

  /** Shows the names of other people at the blocks that they write. */
  showOthers(people: PeopleInBlocks): void {
    this.view.dispatch(showOthers(this.view.state.tr, people));
  }

  /** The key of the block that the cursor is in. */
  get block(): string | undefined {
    return blockAt(this.view.state);
  }

  landmark(): Landmark {
    const { selection, doc } = this.view.state;
    const node = selection instanceof NodeSelection ? selection.node : selection.$head.parent;
    return { words: node.textContent, share: selection.head / Math.max(1, doc.content.size) };
  }

  /** Puts the cursor at a place, in the middle of the screen. */
  goTo(landmark: Landmark): void {
    const { doc, tr } = this.view.state;
    const places: (Landmark & { readonly position: number })[] = [];
    doc.descendants((node, position) => {
      if (node.isTextblock)
        places.push({ words: node.textContent, share: position / doc.content.size, position: position + 1 });
    });
    const place = places[findLandmark(landmark, places)];
    if (!place) return;
    this.view.dispatch(tr.setSelection(TextSelection.create(doc, place.position)));
    this.elementAt(place.position)?.scrollIntoView({ block: 'center' });
  }

  /** A range that moves with the text around it until its end is asked for. */
  follow(from: number, to: number): FollowedRange {
    return this.followed.follow(from, to);
  }

  destroy(): void {
    this.view.destroy();
  }

  private updated(): void {
    this.handlers().onUpdate(this.view);
    this.text.changed();
  }

  /** Asks for the change of an inline without text of its own; false for those that have nothing to be changed. */
  private askInline(node: Node, position: number): boolean {
    const { type } = node.attrs['inline'] as ContentInline;
    if (fieldsOf(type).length === 0) return false;
    this.handlers().onInline(position);
    return true;
  }

  private elementAt(position: number): Element | null {
    const { node } = this.view.domAtPos(position);
    return node instanceof Element ? node : node.parentElement;
  }

  private plugins(): Plugin[] {
    return [
      suggestions,
      others,
      findPlugin,
      clipboard(this.handlers),
      markdownRules,
      ...keyBindings(this.handlers),
      history(),
      tableShape,
      blockKeys,
      dropCursor({ class: 'drop-cursor', color: false }),
      gapCursor(),
      tableEditing({ allowTableNodeSelection: true }),
    ];
  }
}
