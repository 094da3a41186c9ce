import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError } from '../../kernel/common/errors.js';
import { Announcements } from '../../kernel/platform/announcements.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { userFacts } from '../../identity/users/users.schema.js';
import { ContentLines } from '../content/content-lines.js';
import type { PresentRow, StatePresence } from './presence.schema.js';

/** The channel on which servers announce the spaces whose people have moved. */
export const PRESENCE_CHANNEL = 'presence';

/** Milliseconds after which a window that was not renewed is closed. */
const LASTING = 30_000;
const WINDOWS_OF_USER = 20;
const MOST_SHOWN = 100;

const STATE = `INSERT INTO presence (organization_id, space_id, user_id, client, change_request_id, page_id, block, writing, seen_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
   WHERE (SELECT count(*) FROM presence p WHERE p.organization_id = $1 AND p.space_id = $2 AND p.user_id = $3 AND p.client <> $4 AND p.seen_at > $10) < ${WINDOWS_OF_USER}
  ON CONFLICT (organization_id, space_id, user_id, client) DO UPDATE SET change_request_id = excluded.change_request_id,
    page_id = excluded.page_id, block = excluded.block, writing = excluded.writing, seen_at = excluded.seen_at`;

const RENEW = `UPDATE presence p SET seen_at = $5
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS w (organization_id, space_id, user_id, client)
   WHERE p.organization_id = w.organization_id AND p.space_id = w.space_id AND p.user_id = w.user_id AND p.client = w.client`;

/** The people of spaces as seen by those from whom the pages `hidden` (JSON) are hidden, by the position of the view. */
const PEOPLE = `SELECT v.position::integer AS view, p.client, p."user", p.request_id AS "requestId", p.number, p.page, p.writing, p.block
  FROM unnest($1::text[], $2::text[], $3::jsonb[]) WITH ORDINALITY AS v (organization_id, space_id, hidden, position)
 CROSS JOIN LATERAL (
   SELECT p.client, ${userFacts('a')} AS "user", r.id AS request_id, r.number, p.writing, p.block,
          CASE WHEN sees_page(p.space_id, ARRAY(SELECT jsonb_array_elements_text(v.hidden)), coalesce(r.id, ''), p.page_id) THEN p.page_id END AS page
     FROM presence p JOIN account a ON a.id = p.user_id
     LEFT JOIN change_request r ON r.space_id = p.space_id AND r.id = p.change_request_id
    WHERE p.organization_id = v.organization_id AND p.space_id = v.space_id AND p.seen_at > $4
    ORDER BY p.user_id, p.client LIMIT ${MOST_SHOWN}) p
 ORDER BY v.position`;

/** The revisions of spaces, or of their change requests where those are given. */
const REVISIONS = `SELECT CASE WHEN v.request_id IS NULL THEN s.revision_id ELSE r.revision_id END AS revision
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS v (organization_id, space_id, request_id, position)
  LEFT JOIN space s ON s.id = v.space_id AND s.organization_id = v.organization_id
  LEFT JOIN change_request r ON r.space_id = s.id AND r.id = v.request_id
 ORDER BY v.position`;

/** A window of a person in a space. */
export interface Window {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly userId: string;
  readonly client: string;
}

/** A space as some callers see it. */
export type SpaceView = Pick<SpaceAccess, 'id' | 'organizationId' | 'hiddenPages'>;

/** A line of revisions: that of a space, or of a change request. */
export interface Line {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly requestId: string | null;
}

/** The people who have spaces open, on all servers. */
@Injectable()
export class Presence implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly announcements: Announcements,
    private readonly lines: ContentLines,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('presence.remove-stale', async () => {
      await this.database.execute('DELETE FROM presence WHERE seen_at <= $1', [this.end]);
    });
  }

  /**
   * Says where a window of the caller is. Throws `notFound` for an unknown change request, `tooManyRequests` for more
   * than 20 windows of one person in a space.
   */
  async state(
    { userId }: Caller,
    { id, organizationId }: SpaceAccess,
    client: string,
    { page, changeRequest, writing = false, block }: StatePresence,
  ): Promise<void> {
    const request = changeRequest === undefined ? null : await this.requestId(id, changeRequest);
    const at = [request, page ?? null, block ?? null, writing];
    const place = [organizationId, id, userId, client, ...at, this.clock.now(), this.end];
    await this.database.transaction(async () => {
      if ((await this.database.execute(STATE, place)) === 0)
        throw new DomainError(
          'tooManyRequests',
          `At most ${WINDOWS_OF_USER} windows of one person are open in a space`,
          [],
          { 'Retry-After': String(LASTING / 1000) },
        );
      await this.announcements.announce(PRESENCE_CHANNEL, [id]);
    });
  }

  async requestId(spaceId: string, idOrNumber: string): Promise<string> {
    return (await this.lines.request(spaceId, idOrNumber)).id;
  }

  /** Closes a window. */
  async leave({ organizationId, spaceId, userId, client }: Window): Promise<void> {
    await this.database.transaction(async () => {
      const left = await this.database.execute(
        'DELETE FROM presence WHERE organization_id = $1 AND space_id = $2 AND user_id = $3 AND client = $4',
        [organizationId, spaceId, userId, client],
      );
      if (left > 0) await this.announcements.announce(PRESENCE_CHANNEL, [spaceId]);
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

  /** The present revision of each line, null for one that is gone, in one round trip. */
  async revisions(lines: readonly Line[]): Promise<readonly (string | null)[]> {
    const rows = await this.database.query<{ revision: string | null }>(REVISIONS, [
      lines.map(({ organizationId }) => organizationId),
      lines.map(({ spaceId }) => spaceId),
      lines.map(({ requestId }) => requestId),
    ]);
    return rows.map(({ revision }) => revision);
  }

  /** The time at which those were open last who are not any more. */
  private get end(): Date {
    return new Date(this.clock.now().getTime() - LASTING);
  }
}
