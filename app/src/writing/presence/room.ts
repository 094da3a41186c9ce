import { api, type Schemas } from '../../api/client.js';
import { followEvents } from '../../api/event-source.js';
import type { Place } from '../place.js';

export type PresentPerson = Schemas['PresenceBody']['people'][number];
export type Whereabouts = Pick<Schemas['StatePresence'], 'page' | 'writing' | 'block'>;

/** Milliseconds between two messages of where the window is. */
const PAUSE = 1000;
/** People of whom a stream tells; more of them are left out. */
const MOST_TOLD = 100;

/** The people at a place and the revisions that it gets, while a window has it open. */
export class Room {
  private readonly client = crypto.getRandomValues(new Uint32Array(4)).join('-');
  private present: readonly PresentPerson[] = [];
  private whereabouts: Whereabouts = {};
  private said = '';
  private revision: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly watchers = new Set<() => void>();
  private readonly readers = new Set<(revision: string) => void>();

  constructor(private readonly place: Place) {}

  /** The other windows at the place, of other people too. */
  readonly people = (): readonly PresentPerson[] => this.present;

  /** Calls `watch` when the people have changed. */
  readonly watch = (watch: () => void): (() => void) => {
    this.watchers.add(watch);
    return () => void this.watchers.delete(watch);
  };

  /** Calls `read` with each revision that the place gets from now on, and with the present one after a lost connection. */
  onRevision(read: (revision: string) => void): () => void {
    this.readers.add(read);
    return () => void this.readers.delete(read);
  }

  open(): () => void {
    const { spaceId, changeRequestId } = this.place;
    const query = new URLSearchParams({
      client: this.client,
      ...(changeRequestId !== undefined && { changeRequest: changeRequestId }),
    });
    const close = followEvents(`/v1/spaces/${spaceId}/presence/stream?${query}`, {
      on: {
        presence: ({ people }: Schemas['PresenceBody']) => this.take(people),
        revision: ({ revision }: Schemas['PresentRevisionBody']) => this.moveTo(revision),
      },
      // The server forgets a window whose stream has ended.
      onOpen: () => {
        this.said = '';
        this.say();
      },
    });
    return () => {
      clearTimeout(this.timer);
      this.timer = undefined;
      close();
    };
  }

  /** Tells the others where the window is now. */
  move(change: Whereabouts): void {
    this.whereabouts = { ...this.whereabouts, ...change };
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.say();
    }, PAUSE);
  }

  private say(): void {
    const { spaceId, changeRequestId } = this.place;
    const { page, writing = false, block } = this.whereabouts;
    const body = {
      ...(page !== undefined && { page }),
      ...(changeRequestId !== undefined && { changeRequest: changeRequestId }),
      writing,
      ...(writing && block !== undefined && { block }),
    };
    const text = JSON.stringify(body);
    if (text === this.said) return;
    this.said = text;
    const path = { spaceId, client: this.client };
    // Nobody misses it: it is said again with the next move, and when the stream begins again.
    api.PUT('/v1/spaces/{spaceId}/presence/{client}', { params: { path }, body }).catch(() => (this.said = ''));
  }

  private take(people: readonly PresentPerson[]): void {
    this.present = people.filter(({ client, changeRequest }) => client !== this.client && this.isHere(changeRequest));
    for (const watch of this.watchers) watch();
    // The window was forgotten, such as by a server that noticed late that a former stream was lost.
    if (people.length < MOST_TOLD && !people.some(({ client }) => client === this.client)) {
      this.said = '';
      this.move({});
    }
  }

  private moveTo(revision: string): void {
    const isFirst = this.revision === undefined;
    this.revision = revision;
    // A reading of it before the connection was lost may have failed with that.
    if (!isFirst) for (const read of this.readers) read(revision);
  }

  private isHere(request: PresentPerson['changeRequest']): boolean {
    const { changeRequestId } = this.place;
    if (!request || changeRequestId === undefined) return !request && changeRequestId === undefined;
    return changeRequestId === request.id || changeRequestId === String(request.number);
  }
}
