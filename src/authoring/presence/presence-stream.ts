import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { EventStream } from '../../kernel/platform/http/event-stream.js';
import type { PresenceBody, PresentRevisionBody } from './presence.schema.js';

/** One open response that tells who is in a space, and which revision it has. */
export class PresenceStream extends EventStream {
  /** The window that is open as long as the stream. */
  client: string | undefined;
  /** The change request whose revisions are told of; null for those of the space. */
  requestId: string | null = null;
  private people = '';
  private revision: string | undefined;

  constructor(
    /** The space as the reader sees it. */
    public space: SpaceAccess,
    ...given: ConstructorParameters<typeof EventStream>
  ) {
    super(...given);
  }

  /** Sends what is not as it was. */
  tell(presence: PresenceBody, revision: string | undefined): void {
    const people = JSON.stringify(presence);
    if (people !== this.people) this.send('presence', presence);
    this.people = people;
    if (revision === undefined || revision === this.revision) return;
    this.revision = revision;
    const body: PresentRevisionBody = { object: 'present-revision', revision };
    this.send('revision', body);
  }
}
