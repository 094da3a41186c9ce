import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sessionQuery, useSession } from '../../api/session.js';
import type { Place } from '../place.js';
import { Draft, type DraftState, type Head } from './draft.js';
import { draftServer } from './draft-server.js';
import { openLocalDraft, type LeftText, type LocalDraft } from './local-drafts.js';
import type { PageText } from './page-text.js';

/** What a draft begins with. */
export interface Beginning {
  readonly text: PageText;
  readonly head: Head;
  /** Text of the page that did not reach the server. */
  readonly left: readonly LeftText[];
  readonly isElsewhere: boolean;
  readonly local: LocalDraft;
}

/** Loads a page for writing; fails as a query does. */
export function useBeginning(
  place: Place,
  pageId: string,
): { readonly beginning?: Beginning; readonly error?: unknown } {
  const { user } = useSession();
  const [found, setFound] = useState<{ readonly beginning?: Beginning; readonly error?: unknown }>({});
  const { organizationId, spaceId, changeRequestId } = place;
  useEffect(() => {
    const at: Place = { organizationId, spaceId, ...(changeRequestId !== undefined && { changeRequestId }) };
    const local = openLocalDraft(user.id, at, pageId);
    let isGone = false;
    begin(at, pageId, local).then(
      (beginning) => !isGone && setFound({ beginning }),
      (error: unknown) => !isGone && setFound({ error }),
    );
    return () => {
      isGone = true;
      local.close();
    };
  }, [user.id, organizationId, spaceId, changeRequestId, pageId]);
  return found;
}

async function begin(place: Place, pageId: string, local: LocalDraft): Promise<Beginning> {
  const server = draftServer(place, pageId);
  const head = await server.head();
  const [{ title, body }, all, isElsewhere] = await Promise.all([
    server.read(head.revision),
    local.left(),
    local.isElsewhere(),
  ]);
  const left = all.filter((each) => each.title !== title || each.body.trim() !== body.trim());
  return { text: { title, body }, head, left, isElsewhere, local };
}

interface WrittenDraft {
  readonly draft: Draft;
  readonly state: DraftState;
}

/** A draft with its state; `onMerged` shows what others wrote, and returns the text that is shown then. */
export function useDraft(
  place: Place,
  pageId: string,
  { text, head, local }: Beginning,
  onMerged: (sent: PageText, merged: PageText) => PageText,
): WrittenDraft {
  const queries = useQueryClient();
  const [state, setState] = useState<DraftState>({ kind: 'saved' });
  // A draft lives as long as its screen, which is made anew for another page or place.
  const [draft] = useState(
    () => new Draft(text, head, draftServer(place, pageId), { onState: setState, keep: local.keep, onMerged }),
  );
  useEffect(() => {
    draft.open();
    const again = (): void => {
      const { kind } = draft.current;
      if (kind !== 'offline' && kind !== 'signed-out') return;
      queries
        .fetchQuery({ ...sessionQuery, staleTime: 0 })
        .then((session) => (session ? draft.save() : undefined))
        .catch(() => undefined);
    };
    window.addEventListener('online', again);
    window.addEventListener('focus', again);
    return () => {
      window.removeEventListener('online', again);
      window.removeEventListener('focus', again);
      void draft.save().finally(() => draft.close());
    };
  }, [draft, queries]);
  return { draft, state };
}
