import { ApiError } from '../../api/api-error.js';
import type { PageText } from './page-text.js';

/** The state of a place: the revision that it stands on, and the ETag of what has that revision. */
export interface Head {
  readonly revision: string;
  readonly etag: string;
}

/** Reads and writes the page of a draft. */
export interface DraftServer {
  head(): Promise<Head>;
  /** Writes a text that was made on the revision `base`; throws with the status 412 if the head has changed. */
  write(text: PageText, base: string, etag: string): Promise<string>;
  /** The page at a revision: its text, and what tells whether two texts are the same. */
  read(revision: string): Promise<PageText & { readonly version: string }>;
}

export type DraftState =
  | { readonly kind: 'saved' | 'pending' | 'saving' | 'offline' | 'signed-out' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'conflict'; readonly conflicts: readonly WriteConflict[] };

/** Events of a draft besides being saved. */
export interface DraftEvents {
  onState(state: DraftState): void;
  /** Keeps a text until it is saved; called with every change, and without a text when all is saved. */
  keep(kept: KeptText | undefined): void;
  /** `sent` became `merged`, since others have written or conflicts are settled. Returns it with what was typed since `sent`. */
  onMerged(sent: PageText, merged: PageText): PageText;
}

export interface KeptText extends PageText {
  /** The revision on which it was written. */
  readonly base: string;
  readonly at: number;
}

const PAUSE = 2500;
const LONGEST = 10_000;
const RETRY = 15_000;
const ATTEMPTS = 6;
/** The ETag of a version that nothing ever has. */
const NEVER = '"0."';

/**
 * A text that is saved every few seconds. Each write names the revision on which the text was written and the version
 * that is expected: where others have written in between, the server merges by block, and the text here follows.
 */
export class Draft {
  private state: DraftState = { kind: 'saved' };
  private timer: ReturnType<typeof setTimeout> | undefined;
  private firstChange: number | undefined;
  private running: Promise<void> | undefined;
  private isClosed = false;
  /** Texts that were sent, and that may have reached the server though no answer came. */
  private lost: PageText[] = [];

  constructor(
    private text: PageText,
    private known: Head,
    private readonly server: DraftServer,
    private readonly events: DraftEvents,
  ) {}

  get current(): DraftState {
    return this.state;
  }

  get base(): string {
    return this.known.revision;
  }

  /** Takes a new text: it is kept here at once and saved soon. */
  change(text: PageText): void {
    this.text = text;
    this.events.keep({ ...text, base: this.known.revision, at: Date.now() });
    if (this.state.kind === 'conflict') return;
    this.firstChange ??= Date.now();
    if (this.state.kind === 'saved' || this.state.kind === 'failed') this.show({ kind: 'pending' });
    this.schedule(Math.max(0, Math.min(PAUSE, this.firstChange + LONGEST - Date.now())));
  }

  /** Saves now what is not saved; waits for a save that is on its way. */
  async save(): Promise<void> {
    while (this.running) await this.running;
    if (this.state.kind === 'saved' || this.state.kind === 'conflict' || this.isClosed) return;
    await this.alone(this.attempt());
  }

  /**
   * Settles the conflicts of the text `mine`: `agreed` is it with the other side in each place, which the server can
   * merge; `choose` puts what was chosen into the merged text. What is typed meanwhile stays.
   */
  async settle(mine: PageText, agreed: PageText, choose: (merged: PageText) => PageText): Promise<void> {
    while (this.running) await this.running;
    await this.alone(this.settled(mine, agreed, choose));
  }

  /** Goes on with a text that was kept, on the revision on which it was written. */
  resume({ base, title, body }: KeptText): void {
    this.known = { revision: base, etag: NEVER };
    this.change({ title, body });
  }

  /** Lets the draft save; it does so from the beginning. */
  open(): void {
    this.isClosed = false;
  }

  /** Ends the draft; what is not saved stays kept. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private schedule(wait: number): void {
    clearTimeout(this.timer);
    if (!this.isClosed) this.timer = setTimeout(() => void this.save(), wait);
  }

  /** Lets others wait for what writes: there is one such at a time. */
  private async alone(work: Promise<void>): Promise<void> {
    const running = work.finally(() => (this.running = undefined));
    this.running = running.catch(() => undefined);
    await running;
  }

  private async attempt(): Promise<void> {
    this.begin();
    const sent = this.text;
    try {
      const merged = await this.writeOn(sent, this.lost);
      const isUnchanged = this.text === sent;
      if (merged !== sent) {
        const shown = this.events.onMerged(sent, merged);
        if (!isUnchanged) this.text = shown;
      }
      if (isUnchanged) this.done();
      else this.goOn();
    } catch (error) {
      if (isLost(error)) this.lost.push(sent);
      this.failed(error);
    }
  }

  private async settled(mine: PageText, agreed: PageText, choose: (merged: PageText) => PageText): Promise<void> {
    this.begin();
    try {
      // The own text does not go on from the agreed one, which is thus never taken for an own one.
      const merged = await this.writeOn(agreed, []);
      this.text = this.events.onMerged(mine, choose(merged));
      if (this.text.title === merged.title && this.text.body === merged.body) this.done();
      else this.goOn();
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  private begin(): void {
    clearTimeout(this.timer);
    this.firstChange = undefined;
    this.show({ kind: 'saving' });
  }

  /** Saves soon what was written during a save. */
  private goOn(): void {
    this.show({ kind: 'pending' });
    this.events.keep({ ...this.text, base: this.known.revision, at: Date.now() });
    this.schedule(PAUSE);
  }

  /** Writes a text; returns the text that the server has then, `sent` itself where nobody else wrote. */
  private async writeOn(sent: PageText, own: readonly PageText[]): Promise<PageText> {
    let { revision: base, etag } = this.known;
    let isMerge = false;
    for (let attempt = 0; ; attempt += 1)
      try {
        const revision = await this.server.write(sent, base, etag);
        return await this.follow(revision, sent, isMerge);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412 || attempt === ATTEMPTS) throw error;
        const head = await this.server.head();
        const [mine, theirs] = await Promise.all([this.server.read(base), this.server.read(head.revision)]);
        // A write whose answer was lost is an own one.
        const isOwn = own.some(({ title, body }) => title === theirs.title && body.trim() === theirs.body.trim());
        isMerge = mine.version !== theirs.version && !isOwn;
        if (!isMerge) base = head.revision;
        etag = head.etag;
      }
  }

  /** Texts of others are read before the next text is taken for one that was written upon them. */
  private async follow(revision: string, sent: PageText, isMerge: boolean): Promise<PageText> {
    const merged = isMerge ? await this.server.read(revision) : sent;
    const head = await this.server.head().catch(() => undefined);
    // Somebody may have written again: the version that is expected next is then one that never is.
    this.known = { revision, etag: head?.revision === revision ? head.etag : NEVER };
    this.lost = [];
    return merged;
  }

  private done(): void {
    this.events.keep(undefined);
    this.show({ kind: 'saved' });
  }

  private failed(error: unknown): void {
    const conflicts = conflictsOf(error);
    if (conflicts.length > 0) return this.show({ kind: 'conflict', conflicts });
    const status = error instanceof ApiError ? error.status : undefined;
    if (status === 401) return this.show({ kind: 'signed-out' });
    if (isLost(error) || status === 429) {
      this.show({ kind: 'offline' });
      return this.schedule(RETRY);
    }
    this.show({ kind: 'failed', error });
  }

  private show(state: DraftState): void {
    this.state = state;
    this.events.onState(state);
  }
}

/** True for answers after which the server may have done the write all the same. */
function isLost(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** A place of a text where two people changed the same. */
export interface WriteConflict {
  readonly page: string;
  readonly block?: string;
  readonly attribute?: string;
  readonly by?: { readonly id: string; readonly displayName: string };
  readonly base: string;
  readonly current: string;
  readonly given: string;
}

/** The conflicts that an error tells of, none for other errors. */
export function conflictsOf(error: unknown): readonly WriteConflict[] {
  if (!(error instanceof ApiError) || error.status !== 409) return [];
  const found = error.body['conflicts'];
  return Array.isArray(found) ? (found as readonly WriteConflict[]) : [];
}
