import { AsyncResource } from 'node:async_hooks';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Database, poolOf } from '../common/database.js';

/** Milliseconds before a lost connection is opened again. */
const RECONNECT_MILLISECONDS = 2000;

type Listener = (payload: string) => void;

/**
 * Announcements between servers that share a database, by NOTIFY. They may get lost: while a connection is opened
 * again, and behind a connection pooler that hands connections on. So listeners look for themselves from time to time
 * as well.
 */
@Injectable()
export class Announcements implements OnModuleDestroy {
  private readonly logger = new Logger('Announcements');
  private readonly channels = new Map<string, Set<Listener>>();
  /** Listeners run in the context of the boot, never in that of the request that began to listen. */
  private readonly scope = new AsyncResource('Announcements');
  private client: Promise<Client | undefined> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(
    private readonly database: Database,
    private readonly source: DataSource,
  ) {}

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

  private open(channel: string): void {
    if (this.client)
      void this.client.then((client) => client?.query(`LISTEN ${channel}`)).catch((error: unknown) => this.lose(error));
    else this.connect();
  }

  private connect(): void {
    if (this.isOver || this.channels.size === 0) return;
    const client = this.begin().catch((error: unknown) => {
      this.lose(error);
      return undefined;
    });
    this.client = client;
  }

  private async begin(): Promise<Client> {
    const { options } = poolOf(this.source);
    // The password is a hidden property, which a spread does not copy.
    const client = new Client({ ...options, password: options.password });
    client.on('error', (error) => this.lose(error));
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of this.channels.get(channel) ?? []) listener(payload);
    });
    await client.connect();
    for (const channel of this.channels.keys()) await client.query(`LISTEN ${channel}`);
    return client;
  }

  private lose(error: unknown): void {
    if (this.isOver || !this.client) return;
    this.logger.warn(`announcements of other servers are not heard for a moment: ${String(error)}`);
    void this.close();
    this.timer = setTimeout(() => this.connect(), RECONNECT_MILLISECONDS).unref();
  }

  private async close(): Promise<void> {
    clearTimeout(this.timer);
    const { client } = this;
    this.client = undefined;
    await (await client)?.end().catch(() => undefined);
  }
}
