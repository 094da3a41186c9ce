import { Injectable } from '@nestjs/common';
import { ChangeRequests } from '../../authoring/change-requests/change-requests.service.js';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { Secrets } from '../../kernel/common/secrets.js';
import type { JobRun } from '../../kernel/platform/jobs/job-run.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { creatorOf, newRequestOf, Stopped, storableText, type ActiveRun } from './active-run.js';
import { ImportRun } from './import-run.entity.js';
import { RUN_COLUMNS } from './import-run.statements.js';
import type { ImportRunRow, RunResult, RunSource } from './imports.schema.js';

/** The sources of runs that concern a whole space. */
const WHOLE_SPACE = ['archive', 'push', 'git', 'git-export', 'git-sync'] satisfies readonly RunSource['type'][];

/** Milliseconds between two looks at whether a run was cancelled. */
const LOOK_EVERY = 500;

/** Keeps how far runs are while they are worked on: begun, completed or failed. */
@Injectable()
export class ActiveRuns {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly outbox: Outbox,
    private readonly requests: ChangeRequests,
  ) {}

  /**
   * Tells whether a run replaces a space, or is written from one, as another one does that came earlier or is worked on. Such
   * runs of a space work one after the other.
   */
  async hasToWait(id: string): Promise<boolean> {
    const before = await this.database.one(
      `SELECT FROM import_run i JOIN import_run o ON o.space_id = i.space_id AND o.id <> i.id AND o.status IN ('pending', 'in-progress')
        WHERE i.id = $1 AND i.status = 'pending' AND i.source ->> 'type' = ANY ($2) AND o.source ->> 'type' = ANY ($2)
          AND (o.status = 'in-progress' OR (o.created_at, o.id) < (i.created_at, i.id)) LIMIT 1`,
      [id, WHOLE_SPACE],
    );
    return before !== undefined;
  }

  /** Marks a run as being worked on; undefined for one that has ended. */
  async begin(id: string, job: JobRun): Promise<ActiveRun | undefined> {
    const row = await this.database.one<
      ImportRunRow & { organizationId: string; editMode: 'live' | 'locked'; sealed: Buffer | null }
    >(
      `UPDATE import_run i SET status = 'in-progress', started_at = coalesce(i.started_at, $2) FROM space s
        WHERE i.id = $1 AND i.status IN ('pending', 'in-progress') AND s.id = i.space_id
        RETURNING ${RUN_COLUMNS}, i.secret AS sealed, s.organization_id AS "organizationId", s.edit_mode AS "editMode"`,
      [id, this.clock.now()],
    );
    if (!row) return undefined;
    const { sealed, editMode, ...facts } = row;
    const subject = newRequestOf(facts, editMode);
    const makeRequest = subject === undefined ? undefined : () => this.makeRequest(facts, subject);
    let looked = 0;
    const checkpoint = async (): Promise<void> => {
      job.signal.throwIfAborted();
      if (performance.now() - looked < LOOK_EVERY) return;
      looked = performance.now();
      const now = await this.database.apart(() =>
        this.database.one<{ status: string }>('SELECT status FROM import_run WHERE id = $1', [id]),
      );
      if (now?.status !== 'in-progress') throw new Stopped();
    };
    const commit: ActiveRun['commit'] = (work, resultOf) =>
      job.commit(async () => {
        const now = await this.database.one<{ status: string }>(
          'SELECT status FROM import_run WHERE id = $1 FOR NO KEY UPDATE',
          [id],
        );
        if (now?.status !== 'in-progress') throw new Stopped();
        const result = await work();
        await this.end(facts, 'completed', null, resultOf(result));
        return result;
      });
    return {
      ...facts,
      secret: sealed === null ? undefined : this.secrets.decrypt(sealed),
      makeRequest,
      checkpoint,
      commit,
    };
  }

  /** Makes the change request that a run writes into; the run names it from then on. */
  private async makeRequest(run: ImportRunRow & Pick<ActiveRun, 'organizationId'>, subject: string): Promise<string> {
    const { id } = await this.requests.create(creatorOf(run), run.spaceId, { subject });
    await this.into(run, id);
    return id;
  }

  /** Names the change request that a run has written to; null where that was given up. */
  async into({ id }: Pick<ActiveRun, 'id'>, changeRequestId: string | null): Promise<void> {
    await this.database.of(ImportRun).update({ id }, { changeRequestId });
  }

  /** Records why a run has failed. */
  async fail(run: ActiveRun, message: string): Promise<void> {
    await this.end(run, 'failed', message, null);
  }

  private async end(
    run: Pick<ActiveRun, 'id' | 'spaceId' | 'organizationId'>,
    status: 'completed' | 'failed',
    error: string | null,
    result: RunResult | null,
  ): Promise<void> {
    const ended = await this.database.execute(
      `UPDATE import_run SET status = $2, error = $3, result = $4, secret = NULL, completed_at = $5 WHERE id = $1 AND status = 'in-progress'`,
      [run.id, status, error === null ? null : storableText(error), result && JSON.stringify(result), this.clock.now()],
    );
    if (ended > 0)
      await this.outbox.record({
        type: `import_${status}`,
        organizationId: run.organizationId,
        spaceId: run.spaceId,
        target: run.id,
      });
  }
}
