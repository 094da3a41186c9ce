import { Box, useComputedColorScheme } from '@mantine/core';
import type { Node } from 'prosemirror-model';
import { NodeSelection, TextSelection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Block } from '../../../texts/blocks.js';
import { usePlace } from '../../place.js';
import { usePeopleAt, useRoom } from '../../presence/use-room.js';
import type { References } from '../completions.js';
import { BlockHandle } from './block-handle.js';
import type { Surroundings } from './block-views.js';
import { findingIn } from './find-plugin.js';
import type { ContentDocument } from './model/content.js';
import { renderedBlocks } from './rendered-blocks.js';
import { SelectionToolbar } from './selection-toolbar.js';
import { SuggestionMenu } from './suggestion-menu.js';
import { type Suggestion, suggestionOf } from './suggestions.js';
import { TableTools } from './table-tools.js';
import { VisualDocument, type VisualHandlers } from './visual-document.js';
import './visual.css';

interface VisualEditorProps extends Omit<VisualHandlers, 'onUpdate' | 'onKey'> {
  readonly page: string;
  /** The document that it begins with; the editor has its own state. */
  readonly initial: ContentDocument;
  readonly references: References;
  /** Called with the document when it can be edited, and without one when it cannot any more. */
  readonly onDocument: (document: VisualDocument | undefined) => void;
  readonly onBlock: (block: Block, from: number, to: number) => void;
}

type Point = Readonly<{ left: number; top: number }>;

/** The bar above the text, which depends on the place of the cursor. */
interface Floating {
  readonly suggestion?: Suggestion & Point & Readonly<{ isAbove: boolean }>;
  readonly selection?: Point & Readonly<{ marks: string }>;
  readonly table?: Point;
  readonly handle?: Readonly<{ position: number; top: number }>;
}

/** The choice of the block with the handle in place of the cursor: the pointer at a height of the screen, or an open menu. */
type Handled = Readonly<{ y: number; block?: undefined } | { block: Node }>;

/** The text of a page as it looks, with its menus and handles. */
export function VisualEditor({ page, initial, references, onDocument, onBlock, ...handlers }: VisualEditorProps) {
  const place = usePlace();
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const keys = useRef<((event: KeyboardEvent) => boolean) | null>(null);
  const [shown, setShown] = useState<VisualDocument>();
  const view = shown?.view;
  const [floating, setFloating] = useState<Floating>({});
  const theme = useComputedColorScheme('light');
  const room = useRoom();
  const people = usePeopleAt(page);
  const latest = useRef({ handlers, references, room });
  latest.current = { handlers, references, room };
  const first = useRef({ initial, onDocument, place, page });
  const redraws = useRef(new Set<() => void>());
  const handled = useRef<Handled | undefined>(undefined);

  useEffect(() => {
    const parent = host.current;
    if (!parent) return undefined;
    const given = first.current;
    const surroundings: Surroundings = {
      render: renderedBlocks(given.place, given.page),
      fileAddress: (id) => latest.current.references.files.find((file) => file.id === id)?.downloadURL,
      titleOf: ({ page: target }) =>
        typeof target === 'string' ? latest.current.references.tree.items.get(target)?.title : undefined,
      watch: (redraw) => {
        const { current } = redraws;
        current.add(redraw);
        return () => void current.delete(redraw);
      },
    };
    let drawing = 0;
    const draw = (): void => {
      const { view: drawn } = document;
      const { handle, ...others } = floatingOf(drawn, frame.current);
      const chosen = handled.current && chosenHandle(drawn, frame.current, handled.current);
      const isGone = handled.current?.block !== undefined && !chosen;
      if (isGone) handled.current = undefined;
      const shownHandle = isGone ? undefined : (chosen ?? handle);
      const now = { ...others, ...(shownHandle && { handle: shownHandle }) };
      setFloating((before) => sameOr(before, now));
    };
    const document: VisualDocument = new VisualDocument(parent, given.initial, surroundings, () => ({
      ...latest.current.handlers,
      onUpdate: () => {
        latest.current.room?.move({ block: document.block });
        cancelAnimationFrame(drawing);
        drawing = requestAnimationFrame(draw);
      },
      // The menu may be drawn still when what it was for is over.
      onKey: (event) => suggestionOf(document.view.state) !== undefined && (keys.current?.(event) ?? false),
    }));
    setShown(document);
    given.onDocument(document);
    document.view.focus();
    return () => {
      // In development effects run twice: the second editor begins with the document of the first.
      first.current = { ...given, initial: document.body };
      cancelAnimationFrame(drawing);
      document.destroy();
      given.onDocument(undefined);
    };
  }, []);
  useEffect(() => {
    const writers = people.flatMap(({ block, user }) =>
      block === undefined ? [] : [[block, user.displayName] as const],
    );
    shown?.showOthers(new Map(writers));
  }, [shown, people]);
  const { files, tree } = references;
  useEffect(() => {
    for (const redraw of redraws.current) redraw();
  }, [files, tree]);
  useEffect(() => {
    for (const each of host.current?.querySelectorAll<HTMLElement>('.block-rendered') ?? [])
      each.dataset['theme'] = theme;
  }, [theme]);

  const point = ({ clientY, currentTarget, target }: PointerEvent): void => {
    // Menus lie over other blocks, and the one whose menu is open keeps its handle.
    if (!view || handled.current?.block || !currentTarget.contains(target as Element)) return;
    handled.current = { y: clientY };
    const handle = handleAt(view, frame.current, clientY);
    if (handle) setFloating((before) => sameOr(before, { ...before, handle }));
  };
  /** Lets the cursor choose the block with the handle again. */
  const release = (): void => {
    if (!handled.current?.block) handled.current = undefined;
  };
  const onMenu = (isOpen: boolean, position: number): void => {
    const block = isOpen ? view?.state.doc.nodeAt(position) : undefined;
    handled.current = block ? { block } : undefined;
  };
  return (
    <Box ref={frame} className="visual-frame" onPointerMove={point} onPointerLeave={release} onKeyDownCapture={release}>
      <Box ref={host} />
      {view && floating.handle && <BlockHandle view={view} onMenu={onMenu} {...floating.handle} />}
      {view && floating.selection && (
        <SelectionToolbar view={view} place={floating.selection} onLink={handlers.onLink} />
      )}
      {view && floating.table && !floating.selection && <TableTools view={view} place={floating.table} />}
      {view && floating.suggestion && (
        <SuggestionMenu
          view={view}
          suggestion={floating.suggestion}
          place={floating.suggestion}
          references={references}
          onBlock={onBlock}
          keys={keys}
        />
      )}
    </Box>
  );
}

/** The state before, unless something differs. */
function sameOr(before: Floating, now: Floating): Floating {
  return JSON.stringify(before) === JSON.stringify(now) ? before : now;
}

const MENU_WIDTH = 280;
const MENU_HEIGHT = 300;
const TOOLS_HEIGHT = 42;

function floatingOf(view: EditorView, frame: HTMLElement | null): Floating {
  const { selection } = view.state;
  const suggestion = suggestionOf(view.state);
  const isText = selection instanceof TextSelection && !selection.empty && !selection.$from.parent.type.spec.code;
  // A place that was found is selected, too: its bar would stand above the text that is looked through.
  const isMarked = isText && findingIn(view.state) === undefined;
  const [start, end] = [view.coordsAtPos(selection.from), view.coordsAtPos(selection.to)];
  const { left = 0, top = 0, width = 0 } = frame?.getBoundingClientRect() ?? {};
  // Above what scrolls there is no place for tools.
  const upperEnd = (frame?.parentElement?.getBoundingClientRect().top ?? 0) + 4;
  const above = (y: number): number => y - TOOLS_HEIGHT;
  const toolsTop = above(start.top) < upperEnd ? end.bottom + 6 : above(start.top);
  const within = (x: number): number => Math.max(0, Math.min(x - left, width - MENU_WIDTH));
  const menuPlace = ({ top: upper, bottom }: { readonly top: number; readonly bottom: number }) => {
    const isAbove = bottom + MENU_HEIGHT > window.innerHeight;
    return { top: (isAbove ? upper - 4 : bottom + 4) - top, isAbove };
  };
  const marks = selection.$from.marks().map(({ type }) => type.name);
  const handle = handleFor(view, frame, selection instanceof NodeSelection ? selection.from : selection.$head.pos);
  const table = tableTop(view);
  return {
    ...(suggestion && { suggestion: { ...suggestion, ...menuPlace(end), left: within(end.left) } }),
    ...(isMarked && { selection: { left: within(start.left), top: toolsTop - top, marks: marks.join() } }),
    ...(table && { table: { left: within(table.left), top: Math.max(above(table.top), upperEnd) - top } }),
    ...(handle && { handle }),
  };
}

/** The upper end of the table around the cursor. */
function tableTop(view: EditorView): DOMRect | undefined {
  const { $head } = view.state.selection;
  for (let depth = $head.depth; depth > 0; depth -= 1) {
    if ($head.node(depth).type.name !== 'table') continue;
    const element = view.nodeDOM($head.before(depth));
    return element instanceof Element ? element.getBoundingClientRect() : undefined;
  }
  return undefined;
}

/** The handle of the block of the page that has a position. */
function handleFor(view: EditorView, frame: HTMLElement | null, position: number): Floating['handle'] {
  const $position = view.state.doc.resolve(position);
  const start = $position.depth === 0 ? position : $position.before(1);
  const element = view.nodeDOM(start);
  if (!frame || !(element instanceof Element)) return undefined;
  const top = element.getBoundingClientRect().top - frame.getBoundingClientRect().top;
  return { position: start, top: Math.round(top) };
}

/** The handle of a block that was chosen before the text changed: that of another person, too, moves blocks. */
function chosenHandle(view: EditorView, frame: HTMLElement | null, handled: Handled): Floating['handle'] {
  if (!handled.block) return handleAt(view, frame, handled.y);
  const { block } = handled;
  const key: unknown = block.attrs['key'];
  let place: number | undefined;
  view.state.doc.forEach((each, offset) => {
    if (each === block || (typeof key === 'string' && each.attrs['key'] === key)) place ??= offset;
  });
  return place === undefined ? undefined : handleFor(view, frame, place);
}

/** The handle of the block that is at a height of the screen. */
function handleAt(view: EditorView, frame: HTMLElement | null, y: number): Floating['handle'] {
  const element = [...view.dom.children].find((child) => {
    const { top, bottom } = child.getBoundingClientRect();
    return top <= y && y <= bottom;
  });
  if (!element) return undefined;
  return handleFor(view, frame, view.state.doc.resolve(view.posAtDOM(element, 0)).before(1));
}
