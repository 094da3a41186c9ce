import { del, entries, set } from 'idb-keyval';
import type { Place } from '../place.js';
import type { KeptText } from './draft.js';
import { randomKey } from './random-key.js';

/** Keeps the text of one page that one person writes in one tab, in this browser. */
export type LocalDraft = ReturnType<typeof openLocalDraft>;

export interface LeftText extends KeptText {
  readonly key: string;
}

/** Opens the texts that are kept of a page. Tabs hold a lock while they write, so those that crashed are known. */
export function openLocalDraft(userId: string, { spaceId, changeRequestId = 'live' }: Place, pageId: string) {
  const prefix = `draft ${userId} ${spaceId} ${changeRequestId} ${pageId} `;
  const key = `${prefix}${randomKey()}`;
  const end = new AbortController();
  // Browsers offer locks and storage to secure origins only; without them the text lives in the tab alone.
  const locks = 'locks' in navigator ? navigator.locks : undefined;
  const held = new Promise<void>((resolve) => end.signal.addEventListener('abort', () => resolve()));
  locks?.request(key, () => held).catch(() => undefined);
  let [wanted, isWriting]: [KeptText | undefined, boolean] = [undefined, false];
  const writeOut = async (): Promise<void> => {
    isWriting = true;
    let written: KeptText | undefined | null = null;
    while (written !== wanted) {
      written = wanted;
      await (written ? set(key, written) : del(key)).catch(() => undefined);
    }
    isWriting = false;
  };
  const others = async (): Promise<ReadonlySet<string>> => {
    const names = (await locks?.query())?.held?.map(({ name }) => name ?? '') ?? [];
    return new Set(names.filter((name) => name.startsWith(prefix) && name !== key));
  };
  return {
    keep: (text: KeptText | undefined): void => {
      wanted = text;
      if (!isWriting) void writeOut();
    },
    /** Texts of the page that tabs left behind which are closed now, the newest first. */
    left: async (): Promise<readonly LeftText[]> => {
      const [open, all] = await Promise.all([others(), entries<string, KeptText>().catch(() => [])]);
      return all
        .filter(([name]) => String(name).startsWith(prefix) && name !== key && !open.has(name))
        .map(([name, text]) => ({ ...text, key: name }))
        .sort((one, other) => other.at - one.at);
    },
    /** True while another tab writes the same page. */
    isElsewhere: async (): Promise<boolean> => (await others()).size > 0,
    close: (): void => end.abort(),
  };
}

/** Forgets a text that was left behind. */
export async function dropLeft({ key }: LeftText): Promise<void> {
  await del(key);
}
