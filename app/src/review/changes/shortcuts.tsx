import { Popover, Stack } from '@mantine/core';
import { useLocalStorage, useWindowEvent } from '@mantine/hooks';
import { useRef, useCallback, useState } from 'react';
import { reviewTexts } from '../../texts/review.js';
import { FlagField } from '../../ui/forms.js';
import { Button } from '../../ui/buttons.js';
import { KeyTable } from '../../ui/tables.js';
import { cardId } from './page-card.js';
import type { CommentedPlace } from './place-form.js';

const words = reviewTexts.shortcuts;
const CHORD_MS = 1500;
const FIELDS = 'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog] *, [role=menu] *';

/** Runs actions by single keys, unless somebody types, or has turned the keys off. */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  const [isOn] = useShortcutsOn();
  const chordUntil = useRef(0);
  const onKeyDown = (event: KeyboardEvent): void => {
    // After g, a key belongs to the frame of the workspace.
    if (event.key === 'g') chordUntil.current = event.timeStamp + CHORD_MS;
    if (!isOn || event.timeStamp < chordUntil.current) return;
    // Brackets are typed with AltGr on many keyboards.
    const isCommand = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph');
    const target = event.composedPath()[0];
    const action = actions[event.key];
    if (isCommand || !action || (target instanceof Element && target.matches(FIELDS))) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  useWindowEvent('keydown', onKeyDown, { capture: true });
}

function useShortcutsOn() {
  return useLocalStorage({ key: 'bindery-review-shortcuts', defaultValue: true, getInitialValueInEffect: false });
}

/** The keys of the review, and the way to turn them off. */
export function ShortcutHint() {
  const [isOn, setIsOn] = useShortcutsOn();
  return (
    <Popover position="bottom-end" withArrow>
      <Popover.Target>
        <Button label={words.title} variant="subtle" size="compact-sm" />
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <KeyTable keys={words.keys} />
          <FlagField label={words.on} checked={isOn} onFlag={setIsOn} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Goes through the differences of all pages, by keys. */
export function useGoingThrough(pages: readonly { readonly id: string }[]) {
  const [current, setCurrent] = useState<string>();
  /** The page that was gone to while its differences were not there yet, and which of them is wanted. */
  const wanted = useRef<{ readonly pageId: string; readonly by: 1 | -1 }>(undefined);
  const openPage = useCallback((pageId: string) => {
    wanted.current = undefined;
    setCurrent(pageId);
    const card = document.getElementById(cardId(pageId));
    card?.scrollIntoView({ block: 'start' });
    card?.focus({ preventScroll: true });
  }, []);
  /** To the next page, or back. */
  const stepPage = (by: 1 | -1): string | undefined => {
    const at = pages.findIndex(({ id }) => id === current);
    const next = pages[at < 0 ? 0 : at + by]?.id;
    if (next !== undefined) openPage(next);
    return next;
  };
  /** To the next difference, in the next page after the last one, or back. */
  const stepChange = (by: 1 | -1): void => {
    const here = current ?? pages[0]?.id;
    if (here === undefined) return;
    if (current === undefined) setCurrent(here);
    if (stepWithin(here, by)) return;
    const next = stepPage(by);
    if (next !== undefined && !stepWithin(next, by)) wanted.current = { pageId: next, by };
  };
  /** Tells that the differences of a page can be gone through. */
  const onShown = useCallback((pageId: string) => {
    if (wanted.current?.pageId !== pageId) return;
    const { by } = wanted.current;
    wanted.current = undefined;
    // The slots and the height of the blocks are there with the next frame.
    requestAnimationFrame(() => stepWithin(pageId, by));
  }, []);
  return { current, setCurrent, place: () => placeIn(current), openPage, stepPage, stepChange, onShown };
}

function contentOf(pageId = ''): ShadowRoot | null | undefined {
  return document.getElementById(cardId(pageId))?.querySelector('[data-theme]')?.shadowRoot;
}

/** Steps to a difference within a page; false where there is none that way. */
function stepWithin(pageId: string, by: 1 | -1): boolean {
  const content = contentOf(pageId);
  const blocks = [
    ...(content?.querySelectorAll<HTMLElement>('.diff-block[data-change]:not([data-change=unchanged])') ?? []),
  ];
  const at = blocks.findIndex((block) => block.contains(content?.activeElement ?? null));
  const next = blocks[at < 0 ? (by === 1 ? 0 : blocks.length - 1) : at + by];
  next?.scrollIntoView({ block: 'center' });
  next?.focus({ preventScroll: true });
  return next !== undefined;
}

/** The block of a page that one stands on. */
function placeIn(pageId: string | undefined): Pick<CommentedPlace, 'block' | 'side'> | undefined {
  const element = contentOf(pageId)?.activeElement?.closest<HTMLElement>('.diff-block');
  const { block, side } = element?.dataset ?? {};
  return block === undefined ? undefined : { block, side: side === 'before' ? 'before' : 'after' };
}
