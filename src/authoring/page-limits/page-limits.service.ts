import { Injectable } from '@nestjs/common';
import { Access, type SpaceAccess } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Grants } from '../../workspace/grants/grants.service.js';
import { ContentLines, primaryPoint } from '../content/content-lines.js';
import { ContentStore } from '../content/content-store.js';
import { PageLimit } from './page-limit.entity.js';
import { PageLimitReader, SEEN_LIMITS } from './page-limit-reader.js';
import type { LimitPage, PageLimitBody } from './page-limits.schema.js';

/** Limited pages of one space. */
const MOST_LIMITS = 500;

/** Sets the limit of the page `$2`, and whom it names, the users `$3` and teams `$4`, at `$5`; says whether any of that is new. */
const SET = `WITH limited AS (
    INSERT INTO page_limit AS l (space_id, page_id, created_at, updated_at) VALUES ($1, $2, $5, $5)
    ON CONFLICT (space_id, page_id) DO UPDATE SET updated_at = excluded.updated_at RETURNING (xmax = 0) AS is_new),
  less_members AS (DELETE FROM page_member_grant WHERE space_id = $1 AND page_id = $2 AND user_id <> ALL ($3::text[]) RETURNING 1),
  less_teams AS (DELETE FROM page_team_grant WHERE space_id = $1 AND page_id = $2 AND team_id <> ALL ($4::text[]) RETURNING 1),
  members AS (INSERT INTO page_member_grant (space_id, page_id, user_id, created_at)
    SELECT $1, $2, u.id, $5 FROM unnest($3::text[]) AS u (id) ON CONFLICT DO NOTHING RETURNING 1),
  teams AS (INSERT INTO page_team_grant (space_id, page_id, team_id, created_at)
    SELECT $1, $2, t.id, $5 FROM unnest($4::text[]) AS t (id) ON CONFLICT DO NOTHING RETURNING 1)
  SELECT (SELECT is_new FROM limited) OR EXISTS (SELECT FROM less_members) OR EXISTS (SELECT FROM less_teams)
      OR EXISTS (SELECT FROM members) OR EXISTS (SELECT FROM teams) AS changed`;

/** Sets and removes limits of pages. */
@Injectable()
export class PageLimits {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly outbox: Outbox,
    private readonly grants: Grants,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly reader: PageLimitReader,
  ) {}

  /**
   * Limits a page of the current content, or one that is limited already, to these people and teams alone. Throws
   * `notFound` for any other page, `invalid` for people and teams of elsewhere and for a limit that the caller is not
   * among, `conflict` for a space that is translated or a translation.
   */
  async limit(
    caller: Caller,
    { id: spaceId, organizationId }: SpaceAccess,
    pageId: string,
    { users = [], teams = [] }: LimitPage,
  ): Promise<PageLimitBody> {
    const [userIds, teamIds] = [[...new Set(users)], [...new Set(teams)]];
    await this.database.transaction(async () => {
      const head = await this.lines.lockPrimaryIn(organizationId, spaceId);
      const space = await this.requireAdmin(caller, spaceId);
      await this.requireUntranslated(spaceId);
      const isKnown =
        (await this.store.get(primaryPoint(head, space.hiddenPages), 'page', pageId)) ??
        (await this.database.one(`SELECT ${SEEN_LIMITS} AND l.page_id = $3`, [spaceId, space.hiddenPages, pageId]));
      if (!isKnown) throw notFound('Page');
      await this.grants.requireHolders(organizationId, { user: userIds, team: teamIds });
      const set = await this.database.one<{ changed: boolean }>(SET, [
        spaceId,
        pageId,
        userIds,
        teamIds,
        this.clock.now(),
      ]);
      const now = await this.requireAdmin(caller, spaceId);
      if (now.hiddenPages.length > space.hiddenPages.length)
        throw invalid('users', 'must name you, unless you are in one of the teams: you would not see the page');
      await this.requireFew(spaceId);
      if (set?.changed)
        await this.outbox.record({
          type: 'space_page_limited',
          organizationId,
          spaceId,
          target: spaceId,
          payload: { pageId, userIds, teamIds },
        });
    });
    return this.reader.get(caller, await this.requireAdmin(caller, spaceId), pageId);
  }

  /** Does nothing for a page without a limit, and for one that the caller does not see. */
  async remove(caller: Caller, { id: spaceId, organizationId }: SpaceAccess, pageId: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.lines.lockPrimaryIn(organizationId, spaceId);
      const { hiddenPages } = await this.requireAdmin(caller, spaceId);
      if (!(await this.database.one(`SELECT ${SEEN_LIMITS} AND l.page_id = $3`, [spaceId, hiddenPages, pageId])))
        return;
      await this.database.of(PageLimit).delete({ spaceId, pageId });
      await this.outbox.record({
        type: 'space_page_limit_removed',
        organizationId,
        spaceId,
        target: spaceId,
        payload: { pageId },
      });
    });
  }

  /** The space as the caller, who is no guest, administers it now. */
  private async requireAdmin(caller: Caller, spaceId: string): Promise<SpaceAccess> {
    const space = await this.access.requireSpace(caller, spaceId, 'space:admin');
    await this.grants.requireInsider(caller, space.organizationId);
    return space;
  }

  /** A translation repeats all pages of its source for those who see that one. */
  private async requireUntranslated(spaceId: string): Promise<void> {
    const row = await this.database.one<{ translated: boolean }>('SELECT takes_part_in_translation($1) AS translated', [
      spaceId,
    ]);
    if (row?.translated)
      throw new DomainError('conflict', 'The space is translated or a translation: delete the translation first');
  }

  private async requireFew(spaceId: string): Promise<void> {
    const row = await this.database.one<{ limits: number }>(
      'SELECT count(*)::int AS limits FROM page_limit WHERE space_id = $1',
      [spaceId],
    );
    if (row && row.limits > MOST_LIMITS)
      throw new DomainError('conflict', `A space has at most ${MOST_LIMITS} limited pages: limit a page above them`);
  }
}
