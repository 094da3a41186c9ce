import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { EventStreams, StreamServices } from '../../kernel/access/event-streams.js';
import { allows } from '../../kernel/access/permissions.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { requestAddress } from '../../kernel/common/ip-address.js';
import { ContentLines } from '../content/content-lines.js';
import { PresenceStream } from './presence-stream.js';
import { presentPresence, type PresenceQuery } from './presence.schema.js';
import { Presence, PRESENCE_CHANNEL, type Window } from './presence.service.js';

const STREAMS_OF_USER = 20;
/** Looks after which rights are read anew, and windows renewed. */
const LOOKS_TO_RENEW = 4;

/** The streams that tell who is in a space, on this server. */
@Injectable()
export class PresenceStreams extends EventStreams<PresenceStream> {
  private readonly waiting = new Set<PresenceStream>();
  private isTelling = false;
  private looksMade = 0;

  constructor(
    services: StreamServices,
    private readonly presence: Presence,
    private readonly lines: ContentLines,
    private readonly addresses: Addresses,
  ) {
    super(services, { name: 'Presence', channel: PRESENCE_CHANNEL, mostOfUser: STREAMS_OF_USER });
  }

  /**
   * Tells who is in a space and which revision it, or a change request, has: as it is now, and after each change. Throws
   * `notFound` for an unknown change request, `tooManyRequests` for too many streams of one person.
   */
  async begin(
    caller: Caller,
    space: SpaceAccess,
    { client, changeRequest }: PresenceQuery,
    response: Response,
  ): Promise<void> {
    const stream = new PresenceStream(space, caller, requestAddress(), response);
    await this.beginStream(stream, async () => {
      if (changeRequest !== undefined) stream.requestId = (await this.lines.request(space.id, changeRequest)).id;
      stream.client = client;
    });
  }

  protected attend(stream: PresenceStream): void {
    void this.tell([stream]);
  }

  protected hear(spaceId: string): void {
    void this.tell([...this.open].filter(({ space }) => space.id === spaceId));
  }

  protected async look(streams: readonly PresenceStream[]): Promise<void> {
    this.looksMade = (this.looksMade + 1) % LOOKS_TO_RENEW;
    if (this.looksMade === 0) {
      await this.readRights(streams);
      await this.presence.renew(streams.filter(({ isOpen }) => isOpen).flatMap(windowOf));
    }
    await this.tell(streams);
  }

  protected override left(stream: PresenceStream): void {
    this.waiting.delete(stream);
    // A window that has come again may be open before its former connection is known to be lost.
    if ([...this.open].some((other) => isSameWindow(other, stream))) return;
    for (const window of windowOf(stream))
      // It is over soon in any case.
      void this.presence.leave(window).catch(() => undefined);
  }

  /** Ends the streams of those who do not see the space any longer. */
  private async readRights(streams: readonly PresenceStream[]): Promise<void> {
    const seen = await this.services.access.spaces(
      streams.map(({ caller, address, space }) => ({ caller, address, id: space.id })),
    );
    for (const [index, stream] of streams.entries()) {
      const space = seen[index];
      if (space?.deletedAt === null && allows('space:bePresent', space)) stream.space = space;
      else stream.end();
    }
  }

  /** Tells streams what is new; those that are named during a reading are told by the next. */
  private async tell(streams: readonly PresenceStream[]): Promise<void> {
    for (const stream of streams) if (stream.isOpen) this.waiting.add(stream);
    if (this.isTelling) return;
    this.isTelling = true;
    try {
      while (this.waiting.size > 0) {
        const told = [...this.waiting];
        this.waiting.clear();
        await this.tellAll(told);
      }
    } catch (error) {
      // The next look tells of it.
      this.logger.warn(`people could not be told of: ${String(error)}`);
    } finally {
      this.isTelling = false;
    }
  }

  private async tellAll(streams: readonly PresenceStream[]): Promise<void> {
    const views = new Map(streams.map((stream) => [viewOf(stream), stream.space]));
    const requests = streams.flatMap(({ requestId }) => requestId ?? []);
    const [people, revisions] = await Promise.all([
      this.presence.people([...views.values()]),
      this.presence.revisions([...views.values()], [...new Set(requests)]),
    ]);
    const peopleOf = new Map([...views.keys()].map((view, index) => [view, people[index] ?? []]));
    for (const stream of streams) {
      const rows = peopleOf.get(viewOf(stream)) ?? [];
      const revision = revisions.get(stream.requestId ?? stream.space.id);
      stream.tell(presentPresence(rows, stream.space, this.addresses), revision);
    }
  }
}

/** Equal for readers to whom a space looks the same. */
const viewOf = ({ space: { id, organizationId, hiddenPages } }: PresenceStream): string =>
  [organizationId, id, ...hiddenPages].join(' ');

const isSameWindow = (one: PresenceStream, other: PresenceStream): boolean =>
  one.client === other.client && one.space.id === other.space.id && one.caller.userId === other.caller.userId;

function windowOf({ caller: { userId }, space: { organizationId, id: spaceId }, client }: PresenceStream): Window[] {
  return client === undefined ? [] : [{ organizationId, spaceId, userId, client }];
}
