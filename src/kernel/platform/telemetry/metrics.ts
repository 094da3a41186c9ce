import type { IncomingMessage } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { Database, poolOf } from '../../common/database.js';
import { JOB_COUNTS } from '../jobs/job-statements.js';

/** The metrics that Prometheus reads at `/metrics`. Modules add their own to `registry`. */
@Injectable()
export class Metrics implements OnModuleInit {
  readonly registry = new Registry();
  private readonly durations = new Histogram({
    name: 'bindery_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });
  private readonly inFlight = new Gauge({
    name: 'bindery_http_requests_in_flight',
    help: 'Requests that are being answered',
    registers: [this.registry],
  });

  private whole: (() => Promise<string>) | undefined;

  constructor(
    private readonly database: Database,
    private readonly source: DataSource,
  ) {}

  onModuleInit(): void {
    collectDefaultMetrics({ register: this.registry });
    const pool = poolOf(this.source);
    this.gauge('bindery_database_connections', 'Connections to the database', 'sum', async () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }));
    this.measureReplicas();
    this.gauge('bindery_jobs', 'Jobs that wait, run or failed for good', 'max', () =>
      this.counts(JOB_COUNTS, ['dead', 'running', 'waiting']),
    );
    this.gauge('bindery_outbox_events', 'Events that consumers have not dealt with', 'max', () =>
      this.counts(
        `SELECT CASE WHEN dead THEN 'dead' ELSE 'waiting' END AS label, count(*) FROM event_claim GROUP BY 1`,
        ['dead', 'waiting'],
      ),
    );
    this.gauge('bindery_backfill_rows', 'Rows of tables that migrations change in batches', 'max', () =>
      this.counts(
        `SELECT unnest(ARRAY['done', 'left']) AS label, unnest(ARRAY[sum(done_rows), sum(greatest(expected_rows - done_rows, 0))]) AS count
           FROM backfill WHERE finished_at IS NULL`,
        ['done', 'left'],
      ),
    );
  }

  private measureReplicas(): void {
    const { replicas } = this.database;
    if (!replicas) return;
    const lags = async (): Promise<Record<string, number>> =>
      Object.fromEntries(replicas.states.filter(({ isPrimary }) => !isPrimary).map(({ host, lag }) => [host, lag]));
    this.gauge('bindery_replica_lag_seconds', 'Time by which replicas are behind the primary', 'max', lags, 'host');
    this.gauge(
      'bindery_replica_usable',
      '1 for a replica that can be asked and is not too far behind',
      'max',
      async () => Object.fromEntries(replicas.states.map(({ host, isUsable }) => [host, Number(isUsable)])),
      'host',
    );
    this.counter(
      'bindery_read_statements_total',
      'Statements of requests that only read, by who answered: away are those of replicas while the primary was away',
      'place',
      () => replicas.counts,
    );
  }

  /** Lets `text` be made elsewhere: from the metrics of all processes of this server. */
  sumBy(whole: () => Promise<string>): void {
    this.whole = whole;
  }

  /** The metrics of this server as Prometheus reads them. */
  text(): Promise<string> {
    return this.whole === undefined ? this.registry.metrics() : this.whole();
  }

  /** The middleware that measures. */
  observe(request: Request, response: Response, next: NextFunction): void {
    const started = process.hrtime.bigint();
    this.inFlight.inc();
    response.once('close', () => {
      this.inFlight.dec();
      this.durations.observe(
        { method: request.method, route: routeOf(request), status: String(response.statusCode) },
        Number(process.hrtime.bigint() - started) / 1e9,
      );
    });
    next();
  }

  /** A counter whose values, which never decrease, are collected when they are read. */
  counter(name: string, help: string, label: string, values: () => Record<string, number>): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [key, value] of Object.entries(values())) this.inc({ [label]: key }, value);
      },
    });
  }

  /** A gauge by label, collected when it is read; of what all processes find in the database it is the maximum. */
  private gauge(
    name: string,
    help: string,
    aggregator: 'sum' | 'max',
    values: () => Promise<Record<string, number>>,
    label = 'state',
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      aggregator,
      async collect() {
        for (const [key, value] of Object.entries(await values())) this.set({ [label]: key }, value);
      },
    });
  }

  private async counts(query: string, labels: readonly string[]): Promise<Record<string, number>> {
    const rows = await this.database.query<{ label: string; count: string }>(query);
    return Object.fromEntries(
      labels.map((label) => [label, Number(rows.find((row) => row.label === label)?.count ?? 0)]),
    );
  }
}

/** The route that handled a request, as in `/v1/spaces/:spaceId`; `none` if none did. */
export function routeOf(request: IncomingMessage): string {
  const path = (request as { route?: { path?: unknown } }).route?.path;
  return typeof path === 'string' ? path : 'none';
}
