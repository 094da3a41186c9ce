import { ComputedTexts } from '../content/computed-texts.service.js';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { databaseTime } from '../../kernel/common/database-time.js';
import { newId } from '../../kernel/common/ids.js';
import type { JobRun } from '../../kernel/platform/jobs/job-run.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Lanes } from '../../kernel/platform/jobs/lanes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { OpenApiChanges, refusalOf, type ComparedVersion } from './changes.service.js';
import { OpenApiSpec } from './openapi-spec.entity.js';
import { MAX_VERSIONS, REFRESH_HOURS } from './registry-limits.js';
import { SpecificationSources, type DueSpec, type ReadOutcome } from './specification-sources.js';

/** Seconds; what is due for longer may have lost its job. */
const OVERDUE = 600;
const DUE = `SELECT id, slug, source_url AS "url", encode(source_hash, 'hex') AS hash, source_number AS "sourceNumber", etag, last_modified AS "lastModified", attempts, tolerant, fail_on AS "failOn"
  FROM openapi_spec WHERE organization_id = $1 AND due_at <= now() ORDER BY due_at, id LIMIT 1 FOR NO KEY UPDATE`;

/** Fetches and reads what is due, organization by organization. */
@Injectable()
export class SpecificationProcessor implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly lanes: Lanes,
    private readonly outbox: Outbox,
    private readonly texts: ComputedTexts,
    private readonly sources: SpecificationSources,
    private readonly changes: OpenApiChanges,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('openapi.process', ({ organization }, run) => this.process(organization, run));
    this.jobs.handle('openapi.refresh', () => this.refresh());
  }

  /**
   * Processes the specification of an organization that has waited longest; if there are more, another job continues,
   * after those of other organizations.
   */
  private async process(organizationId: string, run: JobRun): Promise<void> {
    const due = await this.take(organizationId, run.id);
    if (!due) return;
    const outcome = await this.sources.read(due, run.signal);
    const compared =
      outcome.kind === 'read' ? await this.changes.since(organizationId, due.id, outcome.hash, run.signal) : undefined;
    run.signal.throwIfAborted();
    const judged = (due.failOn && compared && refusalOf(compared, due.failOn)) ?? outcome;
    await run.commit(() => this.finish(organizationId, run.id, due, judged, compared));
  }

  private take(organizationId: string, runId: string): Promise<DueSpec | undefined> {
    return this.database.transaction(async () => {
      // The organization may have been removed since the job was enqueued.
      const organization = await this.database.one('SELECT FROM organization WHERE id = $1 FOR KEY SHARE', [
        organizationId,
      ]);
      if (!organization || !(await this.lanes.enter('openapi.process', organizationId, runId))) return undefined;
      const due = await this.database.one<DueSpec & Record<string, unknown>>(DUE, [organizationId]);
      if (due)
        await this.database.execute(
          `UPDATE openapi_spec SET state = 'progress', attempts = attempts + 1 WHERE organization_id = $1 AND id = $2`,
          [organizationId, due.id],
        );
      else await this.lanes.leave('openapi.process', organizationId, false);
      return due;
    });
  }

  private async finish(
    organizationId: string,
    runId: string,
    due: DueSpec,
    outcome: ReadOutcome,
    compared: ComparedVersion | undefined,
  ): Promise<void> {
    if (!(await this.lanes.holds('openapi.process', organizationId, runId))) return;
    const spec = await this.database.one<{ sourceNumber: number }>(
      'SELECT source_number AS "sourceNumber" FROM openapi_spec WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [organizationId, due.id],
    );
    // A source that was set meanwhile is due by itself.
    if (spec?.sourceNumber === due.sourceNumber) await this.record(organizationId, due, outcome, compared);
    const more = await this.database.one(
      'SELECT FROM openapi_spec WHERE organization_id = $1 AND due_at <= now() LIMIT 1',
      [organizationId],
    );
    await this.lanes.leave('openapi.process', organizationId, more !== undefined);
  }

  private async record(
    organizationId: string,
    due: DueSpec,
    outcome: ReadOutcome,
    compared: ComparedVersion | undefined,
  ): Promise<void> {
    const now = this.clock.now();
    const { code, errors, errorCount } =
      outcome.kind === 'failed' ? outcome : { code: null, errors: [], errorCount: 0 };
    const { warnings, warningCount } = outcome.kind === 'read' ? outcome : { warnings: [], warningCount: 0 };
    await this.database.execute(
      `UPDATE openapi_spec SET state = 'complete', due_at = CASE WHEN $2 THEN ${databaseTime(`${REFRESH_HOURS * 3600}`)} END, attempts = 0,
         processed_at = $3, error_code = $4, errors = $5, error_count = $6,
         warnings = CASE WHEN $8 THEN $9 ELSE warnings END, warning_count = CASE WHEN $8 THEN $10 ELSE warning_count END
        WHERE organization_id = $7 AND id = $1`,
      [
        due.id,
        due.url !== null,
        now,
        code,
        JSON.stringify(errors),
        errorCount,
        organizationId,
        // The faults that were accepted of the latest version stay with it.
        outcome.kind === 'read',
        JSON.stringify(warnings),
        warningCount,
      ],
    );
    if (outcome.kind === 'read') await this.keep(organizationId, due, outcome, now, compared);
    if (code !== null)
      await this.outbox.record({
        type: 'openapi_processing_failed',
        organizationId,
        target: due.id,
        payload: { slug: due.slug, code },
      });
  }

  /** Creates a version of the result, unless its content equals the last one. */
  private async keep(
    organizationId: string,
    { id, slug }: DueSpec,
    { hash, size, validators }: Extract<ReadOutcome, { kind: 'read' }>,
    now: Date,
    compared: ComparedVersion | undefined,
  ): Promise<void> {
    await this.database.execute(
      'UPDATE openapi_spec SET etag = $3, last_modified = $4 WHERE organization_id = $1 AND id = $2',
      [organizationId, id, validators.etag, validators.lastModified],
    );
    const last = await this.database.one<{ id: string; hash: string }>(
      `SELECT v.id, encode(v.hash, 'hex') AS hash FROM openapi_spec s
         JOIN openapi_version v ON v.organization_id = s.organization_id AND v.id = s.last_version_id
        WHERE s.organization_id = $1 AND s.id = $2`,
      [organizationId, id],
    );
    if (last?.hash === hash) return;
    const versionId = newId(now.getTime());
    await this.database.execute(
      `INSERT INTO openapi_version (id, organization_id, spec_id, hash, size, created_at) VALUES ($1, $2, $3, decode($4, 'hex'), $5, $6)`,
      [versionId, organizationId, id, hash, size, now],
    );
    // Versions that were compared are the neighbours still, unless another server was quicker.
    const found = compared?.before === last?.id ? compared?.found : undefined;
    if (found) await this.changes.keep(organizationId, versionId, found);
    await this.database.of(OpenApiSpec).update({ organizationId, id }, { lastVersionId: versionId, updatedAt: now });
    await this.texts.specificationChanged(organizationId, slug);
    await this.database.execute(
      `DELETE FROM openapi_version WHERE organization_id = $1 AND id IN (
         SELECT id FROM openapi_version WHERE organization_id = $1 AND spec_id = $2 ORDER BY created_at DESC, id DESC OFFSET ${MAX_VERSIONS})`,
      [organizationId, id],
    );
    await this.outbox.record({
      type: 'openapi_version_created',
      organizationId,
      target: id,
      payload: { slug, versionId, ...found?.counts },
    });
  }

  /** Schedules specifications that are due by time, and those whose job was lost, such as by a crash. */
  private async refresh(): Promise<void> {
    const rows = await this.database.query<{ id: string; overdue: boolean }>(
      `SELECT organization_id AS id, min(due_at) < ${databaseTime(`-${OVERDUE}`)} AS overdue FROM openapi_spec WHERE due_at <= now() GROUP BY 1 ORDER BY 1`,
    );
    for (const { id, overdue } of rows)
      await this.database.transaction(() =>
        overdue ? this.lanes.rouse('openapi.process', id) : this.lanes.wake('openapi.process', id),
      );
  }
}
