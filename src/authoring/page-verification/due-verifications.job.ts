import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { isOver, VERIFIED_PAGES } from './page-verification-reader.js';
import { ownerFacts } from './page-verifications.service.js';

/** Verifications whose ends are told of in one transaction. */
const BATCH = 50;

/** Marks verifications that are over at `$1` as told of, the earliest first; what another server marks now is left to it. */
const TELL = `WITH due AS (SELECT v.space_id, v.page_id, s.organization_id ${VERIFIED_PAGES} JOIN space s ON s.id = v.space_id AND s.deleted_at IS NULL
    WHERE v.told_at IS NULL AND ${isOver('$1')} ORDER BY v.until, v.space_id, v.page_id LIMIT ${BATCH} FOR UPDATE OF v SKIP LOCKED)
  UPDATE page_verification v SET told_at = $1 FROM due WHERE v.space_id = due.space_id AND v.page_id = due.page_id
  RETURNING due.organization_id AS "organizationId", v.space_id AS "spaceId", v.page_id AS "pageId", v.user_id AS "userId", v.team_id AS "teamId", v.until`;

interface Due extends Record<string, unknown> {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly pageId: string;
  readonly userId: string | null;
  readonly teamId: string | null;
  readonly until: Date;
}

/**
 * Records once that a verification is over: the mark and the event are one transaction, whichever server dies. Pages
 * and spaces in the trash are told of when they come back.
 */
@Injectable()
export class DueVerificationsJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('pages.tell-due-verifications', async (_, run) => {
      while ((await this.tell()) === BATCH) run.signal.throwIfAborted();
    });
  }

  private async tell(): Promise<number> {
    return this.database.transaction(async () => {
      const due = await this.database.query<Due>(TELL, [this.clock.now()]);
      for (const { organizationId, spaceId, pageId, userId, teamId, until } of due)
        await this.outbox.record({
          type: 'space_page_verification_due',
          organizationId,
          spaceId,
          target: spaceId,
          payload: { pageId, ...ownerFacts({ userId, teamId }), until: until.toISOString() },
        });
      return due.length;
    });
  }
}
