import { useCallback, useRef, useState } from 'react';
import { cardId } from './page-card.js';
import type { CommentedPlace } from './place-form.js';

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
