import { useHotkeys } from '@mantine/hooks';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { writingTexts } from '../../texts/writing.js';
import { showFault } from '../../ui/toasts.js';
import { usePlace } from '../place.js';
import { type Page, renewContent } from '../queries.js';
import type { TreeData } from '../tree/tree-data.js';
import type { Draft, DraftState, WriteConflict } from './draft.js';
import type { Landmark } from './visual/landmark.js';
import { oneLine, type PageText } from './page-text.js';
import type { PendingContent } from './pending-content.js';
import { type AnyBody, type FormName, formOf } from './text-forms.js';
import { type Beginning, type LeftText, type LocalDraft, useDraft } from './use-draft.js';

const words = writingTexts.editor;

/** The way into an editor: the place where the other one was, and text that was left behind in this form. */
export interface Entry {
  readonly landmark?: Landmark;
  readonly left?: LeftText;
}

export interface EditorProps {
  readonly page: Page;
  readonly tree: TreeData;
  readonly local: LocalDraft;
  readonly entry: Entry;
  /** The form for everything of the page besides its text. */
  readonly details: ReactNode;
  readonly onSettings: () => void;
  readonly onDone: () => void;
  /** Goes on in the editor of the other form. */
  readonly onSwitch: (entry: Entry) => void;
}

/** The part of an editor that knows its form. */
export interface BodyEditor<Body> {
  /** True where others than the editor itself show the body, such as a preview. */
  readonly isShownHere: boolean;
  /** Pasted and uploaded content that is not in the body yet. */
  readonly pending: PendingContent;
  /**
   * Shows what the server made of a body that was sent; returns the one that is shown then, nothing where what was
   * typed since changes the same, or where there is no editor any more.
   */
  merge(sent: Body, merged: Body): Body | undefined;
  /** Shows another body. */
  show(body: Body): void;
  /** The place that the person who writes is at. */
  landmark(): Landmark | undefined;
}

/** The part of an editor that is the same in all forms. */
export interface Editing {
  readonly form: FormName;
  readonly title: string;
  readonly isElsewhere: boolean;
  readonly left: readonly LeftText[];
  readonly state: DraftState;
  readonly draft: Settled;
  readonly settling: readonly WriteConflict[] | undefined;
  readonly setSettling: (conflicts: readonly WriteConflict[] | undefined) => void;
  readonly changeTitle: (title: string) => void;
  readonly save: () => void;
  readonly switchForm: () => void;
  /** Goes on with a text that was left behind; resolves with false if that cannot be, and the text stays left. */
  readonly takeLeft: (left: LeftText) => Promise<boolean>;
  readonly done: () => void;
}

type Settled = Pick<Draft, 'current' | 'settle'>;

/** Writes the text of a page in whichever form: saves it, settles conflicts, and goes on in the other form. */
export function useEditing<Body extends AnyBody>(
  { page, entry, onDone, onSwitch }: EditorProps,
  beginning: Beginning<Body>,
  editor: BodyEditor<Body>,
): Editing & Readonly<{ body: Body; changeBody: (body: Body) => void }> {
  const place = usePlace();
  const [text, setText] = useState<PageText<Body>>(beginning.text);
  const latest = useRef(text);
  const [settling, setSettling] = useState<readonly WriteConflict[]>();
  const { isShownHere, pending } = editor;
  const show = useCallback(
    (next: PageText<Body>): void => {
      const isSeen = isShownHere || next.title !== latest.current.title;
      latest.current = next;
      if (isSeen) setText(next);
    },
    [isShownHere],
  );
  const { draft, state } = useDraft<Body>(page.id, beginning, (sent, merged) => {
    const { title } = latest.current;
    const isRetitled = title !== sent.title && oneLine(title) !== merged.title;
    if (isRetitled && merged.title !== oneLine(sent.title)) return undefined;
    const shown = editor.merge(sent.body, merged.body);
    const body = shown ?? (latest.current.body === sent.body ? merged.body : undefined);
    if (body === undefined) return undefined;
    show({ title: isRetitled ? title : merged.title, body });
    return latest.current;
  });
  if (settling && state.kind === 'conflict' && state.conflicts !== settling) setSettling(state.conflicts);
  if (settling && ['saved', 'pending', 'failed'].includes(state.kind)) setSettling(undefined);
  const change = (next: PageText<Body>): void => {
    show(next);
    draft.change(next);
  };
  const isSaved = (): boolean => draft.current.kind === 'saved' && !pending.isPending;
  const saveAll = async (): Promise<void> => {
    await draft.save();
    if (!pending.isPending) return;
    await pending.settled();
    await draft.save();
  };
  const save = (): void => void saveAll();
  const switchForm = async (next: Entry = {}): Promise<boolean> => {
    await saveAll();
    // The other form is made of the text that the server has.
    if (!isSaved()) {
      showFault(new Error(words.saveFirst));
      return false;
    }
    const landmark = editor.landmark();
    onSwitch({ ...(landmark && { landmark }), ...next });
    return true;
  };
  const takeLeft = async (left: LeftText): Promise<boolean> => {
    if (formOf(left) !== beginning.form.name) return switchForm({ left });
    const { key: _key, ...kept } = left as LeftText<Body>;
    void beginning.local.takeOver(left).catch(() => undefined);
    show({ title: kept.title, body: kept.body });
    draft.resume(kept);
    editor.show(kept.body);
    return true;
  };
  const begin = useRef(() => entry.left && takeLeft(entry.left));
  useEffect(() => void begin.current(), []);
  useHotkeys([['mod+S', save]], []);
  useHotkeys([['mod+shift+E', () => void switchForm()]], [], true);
  useBlocker({
    enableBeforeUnload: () => !isSaved(),
    shouldBlockFn: async () => {
      await saveAll();
      return !isSaved() && !window.confirm(words.leave);
    },
  });
  const done = async (): Promise<void> => {
    await saveAll();
    await renewContent(place);
    onDone();
  };
  return {
    form: beginning.form.name,
    title: text.title,
    body: text.body,
    isElsewhere: beginning.isElsewhere,
    left: beginning.left.filter(({ key }) => key !== entry.left?.key),
    draft,
    state,
    settling,
    setSettling,
    changeTitle: (title) => change({ ...latest.current, title }),
    changeBody: (body) => change({ ...latest.current, body }),
    save,
    switchForm: () => void switchForm(),
    takeLeft,
    done: () => void done(),
  };
}
