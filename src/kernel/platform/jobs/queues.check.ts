import { Injectable } from '@nestjs/common';
import { Database } from '../../common/database.js';
import type { CheckFinding, ExaminationOptions, HealthCheck } from '../health-checks/health-checks.points.js';
import { OutboxRelay } from '../outbox-relay.js';
import { BackgroundWork } from './background-work.js';
import { Jobs } from './jobs.js';
import { Lanes, type LaneJob } from './lanes.js';

/** Minutes after which work that is due is overdue: servers look for it every second or two. */
const LATE_MINUTES = 10;
/** A scheduled job is missed when so many of its intervals have passed. */
const MISSED_INTERVALS = 3;
const EXAMPLES = 5;
const LANES = 1000;

const JOBS = `SELECT count(*) FILTER (WHERE name = 'dead-letters' AND state = 'created')::int AS dead,
    count(*) FILTER (WHERE name <> 'dead-letters' AND state < 'active' AND start_after < now() - $1 * interval '1 minute')::int AS overdue,
    count(*) FILTER (WHERE state = 'active' AND started_on + expire_in < now() - interval '1 minute')::int AS stuck
  FROM jobs.job WHERE state <= 'active' AND name NOT LIKE '\\_\\_%'`;

const CLAIMS = `SELECT c.consumer, count(*) FILTER (WHERE c.dead)::int AS dead,
    count(*) FILTER (WHERE NOT c.dead AND c.due_at < now() - $1 * interval '1 minute')::int AS overdue
  FROM event_claim c GROUP BY c.consumer ORDER BY c.consumer`;

/** Scheduled jobs whose time has long passed, though servers have worked here before. */
const MISSED = `SELECT t.name FROM schedule_tick t JOIN unnest($1::text[], $2::integer[]) AS s (name, seconds) ON s.name = t.name
  WHERE t.ticked_at > 'epoch' AND t.ticked_at < now() - greatest(s.seconds * $3, 600) * interval '1 second' ORDER BY t.name`;

/** Lanes that wait for a job that is not there, and so would wait for ever. */
const IDLE_LANES = `SELECT l.organization_id AS organization, l.job FROM job_lane l
  WHERE l.woken AND NOT EXISTS (
    SELECT FROM jobs.job j WHERE j.name = l.job AND j.state <= 'active' AND j.data -> 'payload' ->> 'organization' = l.organization_id)
  ORDER BY 1, 2 LIMIT ${LANES}`;

/** Looks for background work that is overdue, has failed, or was lost. */
@Injectable()
export class QueuesCheck implements HealthCheck {
  readonly group = 'queues';
  readonly name = 'background-work';

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly lanes: Lanes,
    private readonly relay: OutboxRelay,
    private readonly work: BackgroundWork,
  ) {}

  async run({ mend }: ExaminationOptions): Promise<CheckFinding[]> {
    const held = await this.work.heldBy();
    const findings = [
      ...(held === undefined ? [] : [warning(`Background work waits: ${held}`)]),
      ...(await this.jobFindings(mend)),
      ...(await this.scheduleFindings()),
      ...(await this.laneFindings(mend)),
      ...(await this.eventFindings()),
    ];
    return findings.length > 0
      ? findings
      : [{ level: 'ok', message: 'No job or event is overdue, has failed for good, or was lost' }];
  }

  private async jobFindings(mend: boolean): Promise<CheckFinding[]> {
    const {
      dead = 0,
      overdue = 0,
      stuck = 0,
    } = (await this.database.one<{ dead: number; overdue: number; stuck: number }>(JOBS, [LATE_MINUTES])) ?? {};
    const message = `Jobs of servers that died: ${stuck}`;
    return [
      ...(dead > 0
        ? [
            warning(
              `Jobs that failed for good: ${dead}`,
              '"bindery jobs failed" lists them, and "bindery jobs retry" runs one again',
            ),
          ]
        : []),
      ...(overdue > 0
        ? [
            warning(
              `Jobs that are overdue by more than ${LATE_MINUTES} minutes: ${overdue}`,
              'Check that a server runs; one that does is behind',
            ),
          ]
        : []),
      ...(stuck === 0
        ? []
        : mend
          ? [
              {
                level: 'mended' as const,
                message: `${message}, of which ${await this.jobs.reclaim()} wait to be run again`,
              },
            ]
          : [
              warning(
                message,
                'A running server takes them over within seconds; "bindery doctor --mend" gives them back',
              ),
            ]),
    ];
  }

  private async scheduleFindings(): Promise<CheckFinding[]> {
    const scheduled = Object.entries(this.jobs.table).flatMap(([name, { everySeconds }]) =>
      everySeconds === undefined ? [] : [{ name, everySeconds }],
    );
    const missed = await this.database.query<{ name: string }>(MISSED, [
      scheduled.map(({ name }) => name),
      scheduled.map(({ everySeconds }) => everySeconds),
      MISSED_INTERVALS,
    ]);
    if (missed.length === 0) return [];
    const examples = missed.slice(0, EXAMPLES).map(({ name }) => name);
    return [
      {
        ...warning(
          `Scheduled jobs that were missed: ${missed.length}`,
          'Check that a server runs: it does them as soon as it does',
        ),
        examples,
      },
    ];
  }

  private async laneFindings(mend: boolean): Promise<CheckFinding[]> {
    const idle = await this.database.query<{ organization: string; job: LaneJob }>(IDLE_LANES);
    if (idle.length === 0) return [];
    const message = `Organizations that wait for a job that is lost: ${idle.length}`;
    if (!mend)
      return [
        {
          level: 'fault',
          message,
          examples: idle.slice(0, EXAMPLES).map(({ organization, job }) => `${organization} ${job}`),
          advice: 'Run "bindery doctor --mend", which enqueues these jobs',
        },
      ];
    for (const { organization, job } of idle)
      await this.database.transaction(() => this.lanes.rouse(job, organization));
    return [{ level: 'mended', message: `${message}, whose jobs were enqueued` }];
  }

  private async eventFindings(): Promise<CheckFinding[]> {
    const claims = await this.database.query<{ consumer: string; dead: number; overdue: number }>(CLAIMS, [
      LATE_MINUTES,
    ]);
    const known = new Set(this.relay.consumers);
    return claims.flatMap(({ consumer, dead, overdue }) => [
      ...(dead > 0
        ? [
            warning(
              `Events that ${consumer} could not deal with: ${dead}`,
              'The log of the servers has the reason; nothing else waits for them',
            ),
          ]
        : []),
      ...(overdue > 0
        ? [
            known.has(consumer)
              ? warning(
                  `Events that wait for ${consumer} for more than ${LATE_MINUTES} minutes: ${overdue}`,
                  'Check that a server runs',
                )
              : warning(
                  `Events that wait for ${consumer}, which no module of this configuration has: ${overdue}`,
                  'Add that module again, or delete its row of the table event_consumer, and with it what waits',
                ),
          ]
        : []),
    ]);
  }
}

const warning = (message: string, advice?: string): CheckFinding => ({
  level: 'warning',
  message,
  ...(advice !== undefined && { advice }),
});
