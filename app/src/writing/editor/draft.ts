import { ApiError } from '../../api/api-error.js';
import type { Schemas } from '../../api/client.js';
import type { PageText } from './page-text.js';

/** The state of a place: the revision that it stands on, and the ETag of what has that revision. */
export type Head = Readonly<{ revision: string; etag: string }>;

/** A write of a text. */
export interface WriteRequest<Body = string> {
  readonly text: PageText<Body>;
  /** The revision on which the text was made. */
  readonly base: string;
  /** The version that is expected. */
  readonly etag: string;
  /** A write that was done once with this key is not done again, and gets the same answer. */
  readonly key: string;
  readonly resolutions?: readonly Resolution[];
}

export type Resolution = Schemas['WriteResolution'];

/** Reads and writes the page of a draft. */
export interface DraftServer<Body = string> {
  head(): Promise<Head>;
  /** Writes a text and returns its revision; throws with the status 412 if the head has changed. */
  write(request: WriteRequest<Body>): Promise<string>;
  /** The page at a revision: its text, and what tells whether two texts are the same. */
  read(revision: string): Promise<PageText<Body> & { readonly version: string }>;
}

export type DraftState =
  | { readonly kind: 'saved' | 'pending' | 'saving' | 'offline' | 'signed-out' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'conflict'; readonly conflicts: readonly WriteConflict[] };

/** Events of a draft besides being saved. */
export interface DraftEvents<Body = string> {
  onState(state: DraftState): void;
  /** Keeps a text until it is saved; called with every change, and without a text when all is saved. */
  keep(kept: KeptText<Body> | undefined): void;
  /**
   * `sent` became `merged`, since others have written. Returns it with what was typed since `sent`; shows nothing and
   * returns nothing where both changed the same, which only the server can ask about.
   */
  onMerged(sent: PageText<Body>, merged: PageText<Body>): PageText<Body> | undefined;
}

export interface KeptText<Body = string> extends PageText<Body> {
  /** The revision on which it was written. */
  readonly base: string;
  readonly at: number;
  /** A write before it that may have reached the server though no answer came. */
  readonly unanswered?: SentWrite<Body>;
}

interface SentWrite<Body> extends WriteRequest<Body> {
  /** True if others have changed the page since the base. */
  readonly isMerge: boolean;
}

/** Milliseconds after the last key, and after the first one, before a text is saved. */
const ALONE = { pause: 2500, longest: 10_000 };
/** Others who write the page too see soon what is typed; those who read it are shown new revisions at a slower pace. */
const SHARED = { pause: 800, longest: 2000 };
const RETRY = 15_000;
const ATTEMPTS = 6;
/** The ETag of a version that nothing ever has. */
const NEVER = '"0."';

/**
 * A text that is saved every few seconds, in whichever form its editor has: a body that has changed is another value.
 * Each write names the revision on which the text was written and the version that is expected: where others have
 * written in between, the server merges by block, and the text here follows.
 */
export class Draft<Body = string> {
  private state: DraftState = { kind: 'saved' };
  private timer: ReturnType<typeof setTimeout> | undefined;
  private later: ReturnType<typeof setTimeout> | undefined;
  private firstChange: number | undefined;
  private running: Promise<void> | undefined;
  private isClosed = false;
  private unanswered: SentWrite<Body> | undefined;

  constructor(
    private text: PageText<Body>,
    private known: Head,
    private readonly server: DraftServer<Body>,
    private readonly events: DraftEvents<Body>,
    /** Tells whether the page is written in another window, too. */
    private readonly isShared = (): boolean => false,
  ) {}

  get current(): DraftState {
    return this.state;
  }

  get base(): string {
    return this.known.revision;
  }

  /** Takes a new text: it is kept here at once and saved soon. */
  change(text: PageText<Body>): void {
    this.text = text;
    this.keep();
    if (this.state.kind === 'conflict') return;
    this.firstChange ??= Date.now();
    if (this.state.kind === 'saved' || this.state.kind === 'failed') this.show({ kind: 'pending' });
    const { pause, longest } = this.pace;
    this.schedule(Math.max(0, Math.min(pause, this.firstChange + longest - Date.now())));
  }

  /** Saves now what is not saved; waits for a save that is on its way. */
  async save(): Promise<void> {
    while (this.running) await this.running;
    if (this.state.kind === 'saved' || this.state.kind === 'conflict' || this.isClosed) return;
    await this.alone(this.attempt());
  }

  /** Takes over what others have written up to a revision. A text that is not saved is merged with it when it is. */
  async follow(revision: string): Promise<void> {
    while (this.running) await this.running;
    if (this.state.kind !== 'saved' || this.isClosed || revision === this.known.revision) return;
    await this.alone(this.renew().catch(() => this.followLater(revision)));
  }

  /** Settles all conflicts of the text, unless that has been sent already. */
  async settle(resolutions: readonly Resolution[]): Promise<void> {
    while (this.running) await this.running;
    await this.alone(this.attempt(this.unanswered ? undefined : resolutions));
  }

  /** Goes on with a text that was kept, on the revision on which it was written. */
  resume({ base, title, body, unanswered }: KeptText<Body>): void {
    this.known = { revision: base, etag: NEVER };
    this.unanswered = unanswered;
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
    clearTimeout(this.later);
  }

  private get pace(): typeof ALONE {
    return this.isShared() ? SHARED : ALONE;
  }

  private schedule(wait: number): void {
    clearTimeout(this.timer);
    if (!this.isClosed) this.timer = setTimeout(() => void this.save(), wait);
  }

  /** Tries again to take over what others have written: there may be neither another revision nor another save. */
  private followLater(revision: string): void {
    clearTimeout(this.later);
    if (!this.isClosed) this.later = setTimeout(() => void this.follow(revision), RETRY);
  }

  /** Lets others wait for what writes: there is one such at a time. */
  private async alone(work: Promise<void>): Promise<void> {
    this.running = work.finally(() => (this.running = undefined));
    await this.running;
  }

  private async attempt(resolutions?: readonly Resolution[]): Promise<void> {
    clearTimeout(this.timer);
    this.firstChange = undefined;
    this.show({ kind: 'saving' });
    try {
      if (this.unanswered && (await this.finish(this.unanswered))) return this.done();
      if (await this.writeOn(this.text, resolutions)) this.done();
      else this.goOn();
    } catch (error) {
      this.failed(error);
    }
  }

  private async renew(): Promise<void> {
    const sent = this.text;
    const { revision } = this.known;
    const head = await this.server.head();
    if (head.revision === revision) return;
    const [mine, theirs] = await Promise.all([this.server.read(revision), this.server.read(head.revision)]);
    if (mine.version === theirs.version) this.known = head;
    else if (!this.take(sent, theirs, head, revision)) this.keep();
  }

  /** Sends again what had no answer; returns whether all of the text is saved then. */
  private async finish(request: SentWrite<Body>): Promise<boolean> {
    try {
      return await this.settled(request, await this.server.write(request));
    } catch (error) {
      if (isUnanswered(error)) throw error;
      // It was never done, and what it held is part of the present text.
      this.unanswered = undefined;
      return false;
    }
  }

  /**
   * Shows what the server made of a text that was sent on `base`; returns whether nothing was typed since. Nothing is
   * known of `head` before it is shown: what is written next would overwrite it.
   */
  private take(sent: PageText<Body>, merged: PageText<Body>, head: Head, base: string): boolean {
    const shown = merged === sent ? this.text : this.events.onMerged(sent, merged);
    // Not before: the last key that was typed may come in when the text is asked for.
    const isAll = this.text.title === sent.title && this.text.body === sent.body;
    this.unanswered = undefined;
    // Written on the base again, it is merged by the server, which tells of the places that both changed.
    this.known = shown ? head : { revision: base, etag: NEVER };
    if (shown) this.text = shown;
    return isAll && shown !== undefined;
  }

  /** Saves soon what was written during a save, or could not be saved yet. */
  private goOn(pause = this.pace.pause): void {
    this.show({ kind: 'pending' });
    this.keep();
    this.schedule(pause);
  }

  private keep(): void {
    const { text, known, unanswered } = this;
    this.events.keep({ ...text, base: known.revision, at: Date.now(), ...(unanswered && { unanswered }) });
  }

  /** Writes a text; returns whether all of the present text is saved then. */
  private async writeOn(text: PageText<Body>, resolutions?: readonly Resolution[]): Promise<boolean> {
    let { revision: base, etag } = this.known;
    let isMerge = false;
    for (let attempt = 0; ; attempt += 1)
      try {
        const request = { text, base, etag, key: randomKey(), isMerge, ...(resolutions && { resolutions }) };
        this.unanswered = request;
        this.keep();
        return await this.settled(request, await this.server.write(request));
      } catch (error) {
        if (!isOvertaken(error) || attempt === ATTEMPTS) throw error;
        const head = await this.server.head();
        const [mine, theirs] = await Promise.all([this.server.read(base), this.server.read(head.revision)]);
        isMerge = mine.version !== theirs.version;
        if (!isMerge) base = head.revision;
        etag = head.etag;
      }
  }

  /** Texts of others are read before the next text is taken for one that was written upon them. */
  private async settled({ text: sent, base, isMerge }: SentWrite<Body>, revision: string): Promise<boolean> {
    const merged = isMerge ? await this.server.read(revision) : sent;
    const head = await this.server.head().catch(() => undefined);
    // Somebody may have written again: the version that is expected next is then one that never is.
    return this.take(sent, merged, { revision, etag: head?.revision === revision ? head.etag : NEVER }, base);
  }

  private done(): void {
    this.events.keep(undefined);
    this.show({ kind: 'saved' });
  }

  private failed(error: unknown): void {
    if (!isUnanswered(error)) this.unanswered = undefined;
    const conflicts = conflictsOf(error);
    if (conflicts.length > 0) return this.show({ kind: 'conflict', conflicts });
    // Others were faster each time; a random pause parts those who try again.
    if (isOvertaken(error)) return this.goOn(ALONE.pause * (1 + Math.random()));
    if (!isUnanswered(error)) return this.show({ kind: 'failed', error });
    if (error.status === 401) return this.show({ kind: 'signed-out' });
    this.show({ kind: 'offline' });
    this.schedule(RETRY);
  }

  private show(state: DraftState): void {
    this.state = state;
    this.events.onState(state);
  }
}

/** True for the answer to a write that others were faster than. */
const isOvertaken = (error: unknown): boolean => error instanceof ApiError && error.status === 412;

/** True for answers that do not tell whether the write was done, or will be when it is sent again. */
function isUnanswered(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { status, isTemporary } = error;
  return status === 0 || status >= 500 || status === 401 || status === 429 || isTemporary;
}

/** A place of a text where two people changed the same. */
export interface WriteConflict {
  readonly id: string;
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

/** A key that nobody else has; also where browsers offer no `crypto.randomUUID`, which needs a secure origin. */
export function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
