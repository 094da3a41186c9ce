import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { DatabaseConnection, Route } from '../common/connection.js';
import { Database, poolOf, databaseRouteOf } from '../common/database.js';
import { CONFIG, type Config } from './config/config.js';

/** Milliseconds before a lost connection is opened again. */
const RECONNECT_MILLISECONDS = 2000;
/** Milliseconds after which an unused connection is tried: a database that hangs is noticed, and a silent one stays open. */
const BEAT_MILLISECONDS = 5000;
/** Milliseconds for which an answer to a trial is waited for. */
const TRIAL_MILLISECONDS = 2000;
/** The code of messages by which the function `announce` of the database tells the transaction that announces. */
const OWN_ANNOUNCEMENT = 'BN001';
/** The number of the transaction behind what that function announces. */
const NUMBER = / #\d+$/;
const NUMBERS_KEPT = 1000;

const TRIAL_CHANNEL = 'announcement_trial';
/** The name of the connection in PostgreSQL's statistics. */
const APPLICATION_NAME = 'bindery announcements';

type Listener = (payload: string) => void;

/** The time within which no announcement was missed, in milliseconds as `performance.now()` counts them. */
export interface HeardTime {
  readonly since: number;
  readonly until: number;
}

/**
 * Announcements between servers that share a database, by NOTIFY. They may get lost: while a connection is opened
 * again, and behind a connection pooler that hands connections on. So listeners look for themselves from time to time,
 * or ask for how long all was `heard`. What a transaction of this server announces by the function `announce` of the
 * database is told before the transaction returns.
 */
@Injectable()
export class Announcements implements OnModuleDestroy {
  private readonly logger = new Logger('Announcements');
  private readonly channels = new Map<string, Set<Listener>>();
  /** Listeners run in the context of the boot, never in that of the request that began to listen. */
  private readonly scope = new AsyncResource('Announcements');
  private client: Promise<DatabaseConnection | undefined> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;
  /** True if the connection was found to hear what others announce. */
  private isProven = false;
  private trial: Promise<void> | undefined;
  private heardTime: HeardTime | undefined;
  /** The announcements of the open transactions of this server, by their connections. */
  private readonly own = new WeakMap<PoolClient, Set<string>>();
  /** The last announcements of numbered transactions: those of this server are heard twice. */
  private readonly told = new LRUCache<string, true>({ max: NUMBERS_KEPT });

  constructor(
    private readonly database: Database,
    private readonly source: DataSource,
    @Inject(CONFIG) private readonly config: Pick<Config, 'databaseDirectUrl'>,
  ) {
    const pool = poolOf(source);
    pool.on('acquire', (client) => this.attend(client));
    // A transaction is over when its connection is given back, whatever became of it.
    pool.on('release', (_, client) => this.tellOwn(client));
  }

  /**
   * The time within which no announcement was missed, up to the last time that the connection answered; the last such
   * time while there is no connection, and undefined before the first. Replicas that answered without the primary may
   * have lacked what was announced before, so the time begins after them.
   */
  get heard(): HeardTime | undefined {
    const lastAway = this.database.replicas?.lastAway ?? 0;
    const { heardTime } = this;
    return heardTime && lastAway > heardTime.since ? { ...heardTime, since: lastAway } : heardTime;
  }

  /** Announces texts on a channel once the ambient transaction is committed. */
  async announce(channel: string, payloads: readonly string[]): Promise<void> {
    await this.database.query('SELECT pg_notify($1, n.payload) FROM unnest($2::text[]) AS n (payload)', [
      channel,
      payloads,
    ]);
  }

  /**
   * Calls `listener` with what any server announces on a channel, whose name is that of an identifier; returns a
   * function that ends this. The connection for it is open only while somebody listens.
   */
  listen(channel: string, listener: Listener): () => void {
    if (!/^[a-z_]{1,60}$/.test(channel)) throw new RangeError(`${channel} is no name of a channel`);
    const listeners = this.channels.get(channel);
    if (listeners) listeners.add(listener);
    else {
      this.channels.set(channel, new Set([listener]));
      this.scope.runInAsyncScope(() => this.open(channel));
    }
    return () => {
      const left = this.channels.get(channel);
      left?.delete(listener);
      if (left?.size !== 0) return;
      this.channels.delete(channel);
      if (this.channels.size === 0) void this.close();
    };
  }

  async onModuleDestroy(): Promise<void> {
    this.isOver = true;
    await this.close();
  }

  /** Moves the end of `heard` to now, once the connection answers; calls at one time share one trial. */
  async confirm(): Promise<void> {
    this.trial ??= this.scope.runInAsyncScope(() => this.try()).finally(() => (this.trial = undefined));
    await this.trial;
  }

  private async try(): Promise<void> {
    const { client: current } = this;
    const client = await current;
    if (!current || !client || current !== this.client) return;
    const asked = performance.now();
    let limit: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new Error('the database does not answer');
      limit = setTimeout(() => reject(error), TRIAL_MILLISECONDS).unref();
    });
    try {
      // Announcements of earlier commits come before the answer.
      await Promise.race([client.query('SELECT'), late]);
      if (this.isProven && this.heardTime && current === this.client)
        this.heardTime = { since: this.heardTime.since, until: asked };
    } catch (error) {
      this.lose(error, current);
    } finally {
      clearTimeout(limit);
    }
  }

  private attend(client: PoolClient): void {
    if (this.own.has(client)) return;
    const told = new Set<string>();
    this.own.set(client, told);
    client.on('notice', ({ code, message }) => {
      if (code === OWN_ANNOUNCEMENT && message !== undefined) told.add(message);
    });
  }

  private tellOwn(client: PoolClient): void {
    const told = this.own.get(client);
    if (told === undefined || told.size === 0) return;
    for (const text of told) {
      const end = text.indexOf(' ');
      this.tell(text.slice(0, end), text.slice(end + 1));
    }
    told.clear();
  }

  private tell(channel: string, payload: string): void {
    const plain = payload.replace(NUMBER, '');
    if (plain !== payload) {
      const text = `${channel} ${payload}`;
      if (this.told.has(text)) return;
      this.told.set(text, true);
    }
    for (const listener of this.channels.get(channel) ?? []) listener(plain);
  }

  private open(channel: string): void {
    const { client: current } = this;
    if (!current) return this.connect();
    // Nothing was heard of this channel before.
    this.heardTime = undefined;
    void current
      .then(async (client) => {
        await client?.query(`LISTEN ${channel}`);
        if (current === this.client) this.begun();
      })
      .catch((error: unknown) => this.lose(error, current));
  }

  private connect(): void {
    if (this.isOver || this.channels.size === 0) return;
    const client: Promise<DatabaseConnection | undefined> = this.begin((error) => this.lose(error, client)).catch(
      (error: unknown) => {
        this.lose(error, client);
        return undefined;
      },
    );
    this.client = client;
  }

  /** Opens the connection; undefined where a pooler is in between, whose sessions cannot listen. */
  private async begin(lost: (error: unknown) => void): Promise<DatabaseConnection | undefined> {
    const { options } = poolOf(this.source);
    const { databaseDirectUrl: direct } = this.config;
    const route = direct === undefined ? databaseRouteOf(this.source) : new Route(direct);
    const client = new DatabaseConnection({
      ...options,
      // The password is a hidden property, which a spread does not copy.
      password: options.password,
      ...route.config,
      application_name: APPLICATION_NAME,
    });
    client.on('error', lost);
    client.on('notification', ({ channel, payload = '' }) => this.tell(channel, payload));
    await client.connect();
    if (client.isPooled) {
      this.logger.warn(
        `announcements of other servers do not pass the connection pooler of ${direct === undefined ? 'DATABASE_URL: set DATABASE_DIRECT_URL' : 'DATABASE_DIRECT_URL'}`,
      );
      client.removeListener('error', lost);
      await client.end();
      return undefined;
    }
    await client.query(`LISTEN ${TRIAL_CHANNEL}`);
    for (const channel of this.channels.keys()) await client.query(`LISTEN ${channel}`);
    this.isProven = await this.hearsOthers(client);
    this.begun();
    return client;
  }

  private begun(): void {
    const now = performance.now();
    if (this.isProven) this.heardTime = { since: now, until: now };
    clearInterval(this.timer);
    this.timer = setInterval(() => void this.confirm(), BEAT_MILLISECONDS).unref();
  }

  /** Tells whether a connection hears what another one announces: not through a pooler that hands connections on. */
  private async hearsOthers(client: DatabaseConnection): Promise<boolean> {
    const token = randomUUID();
    let limit: NodeJS.Timeout | undefined;
    const heard = new Promise<boolean>((resolve) => {
      client.on('notification', ({ channel, payload }) => {
        if (channel === TRIAL_CHANNEL && payload === token) resolve(true);
      });
      limit = setTimeout(() => resolve(false), TRIAL_MILLISECONDS).unref();
    });
    await this.database.apart(() => this.announce(TRIAL_CHANNEL, [token]));
    const hears = await heard;
    clearTimeout(limit);
    if (!hears)
      this.logger.warn('announcements of other servers do not reach this one: a connection pooler loses them');
    return hears;
  }

  private lose(error: unknown, client: Promise<DatabaseConnection | undefined>): void {
    if (this.isOver || this.client !== client) return;
    this.logger.warn(`announcements of other servers are not heard for a moment: ${String(error)}`);
    void this.close();
    this.timer = setTimeout(() => this.connect(), RECONNECT_MILLISECONDS).unref();
  }

  private async close(): Promise<void> {
    clearInterval(this.timer);
    const { client } = this;
    this.client = undefined;
    this.isProven = false;
    await (await client)?.end().catch(() => undefined);
  }
}
