import { useWindowEvent } from '@mantine/hooks';
import { queries, api, get, sessionQuery, useSession } from '../../api/client.js';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { pathAt, type Place, usePlace } from '../place.js';
import { useRoom } from '../presence/use-room.js';
import { write } from '../queries.js';
import {
  Draft,
  type DraftEvents,
  type DraftServer,
  type DraftState,
  type Head,
  type KeptText,
  randomKey,
} from './draft.js';
import type { PageText } from './page-text.js';
import { type AnyBody, formOf, type FormName, type TextForm } from './text-forms.js';
import { latestOnly } from './latest-only.js';
import { createStore, del, entries, set, type UseStore } from 'idb-keyval';

/** The text that a draft begins with. */
export interface Beginning<Body extends AnyBody = string> {
  readonly form: TextForm<Body>;
  readonly text: PageText<Body>;
  readonly head: Head;
  /** Text of the page that did not reach the server. */
  readonly left: readonly LeftText[];
  readonly isElsewhere: boolean;
  readonly local: LocalDraft;
}

/** The text of a page that this tab keeps, whichever form it has; the screen is made anew for another page or place. */
export function useLocalDraft(pageId: string): LocalDraft {
  const { user } = useSession();
  const place = usePlace();
  const [local] = useState(() => openLocalDraft(user.id, place, pageId));
  // Not before: what is rendered may never be shown.
  useEffect(() => {
    local.open();
    return () => local.close();
  }, [local]);
  return local;
}

/** Loads a page for writing in a form, once for its editor. */
export function useBeginning<Body extends AnyBody>(pageId: string, form: TextForm<Body>, local: LocalDraft) {
  const place = usePlace();
  return useQuery({
    queryKey: ['beginning', local.key, form.name],
    gcTime: 0,
    staleTime: Infinity,
    queryFn: () => begin(place, pageId, form, local),
  });
}

async function begin<Body extends AnyBody>(
  place: Place,
  pageId: string,
  form: TextForm<Body>,
  local: LocalDraft,
): Promise<Beginning<Body>> {
  const server = draftServer(place, pageId, form);
  const head = await server.head();
  const [{ title, body }, all, isElsewhere] = await Promise.all([
    server.read(head.revision),
    local.left(form.name),
    local.isElsewhere(),
  ]);
  const left = all.filter((each) => each.title !== title || !form.has(each) || !form.isSame(each.body, body));
  return { form, text: { title, body }, head, left, isElsewhere, local };
}

/** A draft with its state; `onMerged` shows what others wrote, and returns the text that is shown then. */
export function useDraft<Body extends AnyBody>(
  pageId: string,
  { form, text, head, local }: Beginning<Body>,
  onMerged: DraftEvents<Body>['onMerged'],
) {
  const place = usePlace();
  const room = useRoom();
  const [state, setState] = useState<DraftState>({ kind: 'saved' });
  // A draft lives as long as its screen, which is made anew for another page or place.
  const [draft] = useState(
    () =>
      new Draft<Body>(
        text,
        head,
        draftServer(place, pageId, form),
        { onState: setState, keep: local.keeper(form.name), onMerged },
        () => room?.people().some(({ page, writing }) => page === pageId && writing) === true,
      ),
  );
  useEffect(() => {
    draft.open();
    return () => void draft.save().finally(() => draft.close());
  }, [draft]);
  useEffect(() => room?.onRevision((revision) => void draft.follow(revision)), [room, draft]);
  const again = (): void => {
    const { kind } = draft.current;
    if (kind !== 'offline' && kind !== 'signed-out') return;
    queries
      .fetchQuery({ ...sessionQuery, staleTime: 0 })
      .then((session) => (session ? draft.save() : undefined))
      .catch(() => undefined);
  };
  useWindowEvent('online', again);
  useWindowEvent('focus', again);
  return { draft, state };
}

/** Reads and writes one page at a place over the public interface. */
function draftServer<Body extends AnyBody>(place: Place, pageId: string, form: TextForm<Body>): DraftServer<Body> {
  const { spaceId } = place;
  return {
    head: async () => {
      const { data, response } = await api.GET(pathAt(place, '/v1/spaces/{spaceId}'), { params: { path: place } });
      return { revision: data?.revision ?? '', etag: response.headers.get('ETag') ?? '*' };
    },
    write: async ({ text, base, etag, key, resolutions }) => {
      const settled = resolutions && { resolutions: [...resolutions] };
      const change = { operation: 'update_page' as const, page: pageId, base, ...form.changeOf(text), ...settled };
      return (await write(place, [change], { 'If-Match': etag, 'Idempotency-Key': key })).revision;
    },
    read: async (revisionId) => {
      const page = await get(
        '/v1/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}',
        { spaceId, revisionId, pageId },
        { format: form.format, computed: false, evaluated: 'false' },
      );
      return { ...form.textOf(page), version: `${page.documentId} ${page.title}` };
    },
  };
}

let store: UseStore | undefined;

/** The default store of the library, in which a text is also kept whose page goes away before the answer comes. */
function kept(): UseStore {
  const made = (store ??= createStore('keyval-store', 'keyval'));
  return (mode, run) =>
    made(mode, (objects) => {
      const result = run(objects);
      objects.transaction.commit();
      return result;
    });
}

/** Keeps the text of one page that one person writes in one tab, in this browser. */
export type LocalDraft = ReturnType<typeof openLocalDraft>;

export interface LeftText<Body extends AnyBody = AnyBody> extends KeptText<Body> {
  readonly key: string;
}

/** Opens the texts that are kept of a page, one for each tab and form. Tabs hold a lock while they write, so those that crashed are known. */
export function openLocalDraft(userId: string, { spaceId, changeRequestId = 'live' }: Place, pageId: string) {
  const prefix = `draft ${userId} ${spaceId} ${changeRequestId} ${pageId} `;
  const key = `${prefix}${randomKey()}`;
  // Browsers offer locks and storage to secure origins only; without them the text lives in the tab alone.
  const locks = 'locks' in navigator ? navigator.locks : undefined;
  let release: (() => void) | undefined;
  const others = async (): Promise<ReadonlySet<string>> => {
    const names = (await locks?.query())?.held?.map(({ name }) => name ?? '') ?? [];
    return new Set(names.filter((name) => name.startsWith(prefix) && name !== key));
  };
  const keyOf = (form: FormName): string => `${key} ${form}`;
  return {
    key,
    /** Keeps the texts of a form, each in place of the one before, or forgets them. */
    keeper(form: FormName): (text: KeptText<AnyBody> | undefined) => void {
      const name = keyOf(form);
      return latestOnly((text) => (text ? set(name, text, kept()) : del(name, kept())));
    },
    /**
     * Texts of the page that were left behind, the newest first: by tabs that are closed now, and by this one in
     * another form than the one that is written now.
     */
    left: async (form: FormName): Promise<readonly LeftText[]> => {
      const [open, all] = await Promise.all([others(), entries<string, KeptText<AnyBody>>().catch(() => [])]);
      return all
        .filter(([name]) => name.startsWith(prefix) && name !== keyOf(form) && !open.has(tabOf(name)))
        .map(([name, text]) => ({ ...text, key: name }))
        .sort((one, other) => other.at - one.at);
    },
    /** Keeps a text that was left behind as the one of this tab, before it is forgotten where it was. */
    takeOver: async ({ key: from, ...text }: LeftText): Promise<void> => {
      await set(keyOf(formOf(text)), text);
      await del(from);
    },
    /** True while another tab writes the same page. */
    isElsewhere: async (): Promise<boolean> => (await others()).size > 0,
    /** Tells other tabs that this one writes. */
    open: (): void => {
      const held = new Promise<void>((resolve) => (release = resolve));
      locks?.request(key, () => held).catch(() => undefined);
    },
    close: (): void => release?.(),
  };
}

/** The name of the tab that keeps a text, which the name of the form stands behind. */
function tabOf(name: string): string {
  return name.replace(/ (?:source|visual)$/, '');
}

/** Forgets a text that was left behind. */
export async function dropLeft({ key }: LeftText): Promise<void> {
  await del(key);
}
