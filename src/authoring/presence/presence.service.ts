import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid } from '../../kernel/common/errors.js';
import { Announcements } from '../../kernel/platform/announcements.js';
import { userFacts } from '../../identity/users/users.schema.js';
import { ContentLines, primaryPoint, requestPoint } from '../content/content-lines.js';
import { ContentStore } from '../content/content-store.js';
import type { ItemKey } from '../content/domain/content-item.js';
import type { RequestHead } from '../content/request-lines.js';
import { PresentWindow } from './presence.entity.js';
import { CLIENT, CLIENT_FAULT, type PresentRow, type StatePresence } from './presence.schema.js';

/** The channel on which servers announce the spaces whose people have moved. */
export const PRESENCE_CHANNEL = 'presence';

/** Milliseconds after which a window that was not renewed is closed. */
const LASTING = 30_000;
const WINDOWS_OF_USER = 20;
const MOST_SHOWN = 100;
const GENERATED_LENGTH = 40;

/** Stores where a window is, and removes those of the space that are closed. */
const STATE = `WITH closed AS (
    DELETE FROM presence p WHERE p.organization_id = $1 AND p.space_id = $2 AND (p.user_id, p.client) IN (
      SELECT q.user_id, q.client FROM presence q
       WHERE q.organization_id = $1 AND q.space_id = $2 AND q.seen_at <= $11 AND (q.user_id, q.client) <> ($3, $4) FOR UPDATE SKIP LOCKED))
  INSERT INTO presence (organization_id, space_id, user_id, client, change_request_id, change_request_number, page_id, block, writing, seen_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
   WHERE (SELECT count(*) FROM presence p WHERE p.organization_id = $1 AND p.space_id = $2 AND p.user_id = $3 AND p.client <> $4 AND p.seen_at > $11) < ${WINDOWS_OF_USER}
  ON CONFLICT (organization_id, space_id, user_id, client) DO UPDATE SET change_request_id = excluded.change_request_id,
    change_request_number = excluded.change_request_number, page_id = excluded.page_id, block = excluded.block,
    writing = excluded.writing, seen_at = excluded.seen_at`;

const RENEW = `UPDATE presence p SET seen_at = $5
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS w (organization_id, space_id, user_id, client)
   WHERE p.organization_id = w.organization_id AND p.space_id = w.space_id AND p.user_id = w.user_id AND p.client = w.client`;

/** The people of spaces as seen by those from whom the pages `hidden` (JSON) are hidden, by the position of the view. */
const PEOPLE = `SELECT v.position::integer AS view, p.client, p."user", p.request AS "requestId", p.number, p.page, p.writing, p.block
  FROM unnest($1::text[], $2::text[], $3::jsonb[]) WITH ORDINALITY AS v (organization_id, space_id, hidden, position)
 CROSS JOIN LATERAL (
   SELECT p.client, ${userFacts('a')} AS "user", p.change_request_id AS request, p.change_request_number AS number, p.writing, p.block,
          CASE WHEN sees_page(p.space_id, ARRAY(SELECT jsonb_array_elements_text(v.hidden)), coalesce(p.change_request_id, ''), p.page_id) THEN p.page_id END AS page
     FROM presence p JOIN account a ON a.id = p.user_id
    WHERE p.organization_id = v.organization_id AND p.space_id = v.space_id AND p.seen_at > $4
    ORDER BY p.user_id, p.client LIMIT ${MOST_SHOWN}) p
 ORDER BY v.position`;

const REVISIONS = `SELECT s.id, s.revision_id AS revision FROM space s WHERE s.organization_id = ANY ($1) AND s.id = ANY ($2)`;

/** A window of a person in a space. */
export interface Window {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly userId: string;
  readonly client: string;
}

/** A space as some callers see it. */
export type SpaceView = Pick<SpaceAccess, 'id' | 'organizationId' | 'hiddenPages'>;

/** The people who have spaces open, on all servers. */
@Injectable()
export class Presence {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly announcements: Announcements,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
  ) {}

  /**
   * Says where a window of the caller is. Throws `notFound` for an unknown change request, `invalid` for a name of
   * the window that is none and for a page that the caller does not see there, `tooManyRequests` for more than 20 windows of one person in a space.
   */
  async state(
    { userId }: Caller,
    space: SpaceAccess,
    client: string,
    { page, changeRequest, writing = false, block }: StatePresence,
  ): Promise<void> {
    if (!CLIENT.test(client)) throw invalid('client', CLIENT_FAULT);
    const { id, organizationId } = space;
    const request = changeRequest === undefined ? undefined : await this.lines.request(id, changeRequest);
    if (page !== undefined) await this.requirePage(space, request, page);
    const at = [request?.id ?? null, request?.number ?? null, page ?? null, block ?? null, writing];
    const values = [organizationId, id, userId, client, ...at, this.clock.now(), this.end];
    await this.database.transaction(async () => {
      if ((await this.database.execute(STATE, values)) === 0)
        throw new DomainError(
          'tooManyRequests',
          `At most ${WINDOWS_OF_USER} windows of one person are open in a space`,
          [],
          { 'Retry-After': String(LASTING / 1000) },
        );
      await this.announcements.announce(PRESENCE_CHANNEL, [id]);
    });
  }

  private async requirePage(space: SpaceAccess, request: RequestHead | undefined, page: string): Promise<void> {
    const { id: spaceId, sequence, hiddenPages } = space;
    const point = request
      ? requestPoint(request, hiddenPages)
      : primaryPoint({ spaceId, sequence: Number(sequence) }, hiddenPages);
    // A page that is generated has the id of the one that generates it at its beginning.
    const key: ItemKey = `page:${page.length === GENERATED_LENGTH ? page.slice(0, GENERATED_LENGTH / 2) : page}`;
    if (!(await this.store.byKeys(point, [key])).has(key)) throw invalid('page', 'is no page of the content');
  }

  /** Closes a window. */
  async leave(window: Window): Promise<void> {
    await this.database.transaction(async () => {
      const { affected } = await this.database.of(PresentWindow).delete({ ...window });
      if (affected !== 0) await this.announcements.announce(PRESENCE_CHANNEL, [window.spaceId]);
    });
  }

  /** Keeps windows open for another while. */
  async renew(windows: readonly Window[]): Promise<void> {
    if (windows.length === 0) return;
    await this.database.execute(RENEW, [
      windows.map(({ organizationId }) => organizationId),
      windows.map(({ spaceId }) => spaceId),
      windows.map(({ userId }) => userId),
      windows.map(({ client }) => client),
      this.clock.now(),
    ]);
  }

  /** The people of each view, in one round trip. */
  async people(views: readonly SpaceView[]): Promise<readonly (readonly PresentRow[])[]> {
    const rows = await this.database.query<PresentRow & { view: number }>(PEOPLE, [
      views.map(({ organizationId }) => organizationId),
      views.map(({ id }) => id),
      views.map(({ hiddenPages }) => JSON.stringify(hiddenPages)),
      this.end,
    ]);
    const found = views.map((): PresentRow[] => []);
    for (const { view, ...row } of rows) found[view - 1]?.push(row);
    return found;
  }

  /** The present revisions of spaces and change requests, by their ids. */
  async revisions(
    spaces: readonly Pick<SpaceAccess, 'id' | 'organizationId'>[],
    requests: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const [rows, revisions] = await Promise.all([
      this.database.query<{ id: string; revision: string }>(REVISIONS, [
        spaces.map(({ organizationId }) => organizationId),
        spaces.map(({ id }) => id),
      ]),
      this.lines.requestRevisions(requests),
    ]);
    return new Map([...rows.map(({ id, revision }) => [id, revision] as const), ...revisions]);
  }

  /** The time at which those were open last who are not any more. */
  private get end(): Date {
    return new Date(this.clock.now().getTime() - LASTING);
  }
}
