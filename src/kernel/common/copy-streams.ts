import type { Connection } from 'pg';
import type { DatabaseConnection } from './connection.js';

declare module 'pg' {
  interface Connection {
    sendCopyFromChunk(chunk: Buffer): void;
    endCopyFrom(): void;
    sendCopyFail(reason: string): void;
  }
}

/** Settings that decide how values are written: the same rows give the same bytes on every server. */
export const TEXT_SETTINGS = `SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL TimeZone = 'UTC'; SET LOCAL IntervalStyle = 'postgres';
 SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL xmloption = 'content'; SET LOCAL search_path = public;
 SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = 0`;

/** Bytes of rows that wait to be read before the connection is paused. */
const MOST_WAITING = 1024 ** 2;

/** A statement that the client of PostgreSQL sends, and whose messages it passes on. */
class CopyStatement {
  protected isDone = false;
  protected fault: Error | undefined;
  private wake: (() => void) | undefined;

  constructor(private readonly text: string) {}

  submit(connection: Connection): void {
    connection.query(this.text);
  }

  /** The last that is heard of a statement which fails: the client passes the message that the server is ready to nobody. */
  handleError(error: Error): void {
    this.fault ??= error;
    this.changed();
  }

  handleReadyForQuery(): void {
    this.isDone = true;
    this.changed();
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  /** Waits until something has arrived; throws the error of the statement. */
  protected async next(isThere: () => boolean): Promise<void> {
    for (;;) {
      if (this.fault) throw this.fault;
      if (isThere()) return;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  protected changed(): void {
    this.wake?.();
    this.wake = undefined;
  }
}

class CopyOut extends CopyStatement {
  private rows: Buffer[] = [];
  private waiting = 0;
  private paused: Connection | undefined;

  handleCopyData({ chunk }: { readonly chunk: Buffer }, connection: Connection): void {
    // The client uses the memory of a message again.
    this.rows.push(Buffer.from(chunk));
    this.waiting += chunk.length;
    if (this.waiting > MOST_WAITING && this.paused === undefined) {
      connection.stream.pause();
      this.paused = connection;
    }
    this.changed();
  }

  async *read(): AsyncIterable<readonly Buffer[]> {
    for (;;) {
      await this.next(() => this.rows.length > 0 || this.isDone);
      const { rows } = this;
      if (rows.length === 0) return;
      this.rows = [];
      this.waiting = 0;
      yield rows;
      this.paused?.stream.resume();
      this.paused = undefined;
    }
  }
}

class CopyIn extends CopyStatement {
  private connection: Connection | undefined;

  handleCopyInResponse(connection: Connection): void {
    this.connection = connection;
    this.changed();
  }

  async write(source: AsyncIterable<Buffer>): Promise<void> {
    await this.next(() => this.connection !== undefined);
    const { connection } = this;
    if (!connection) return;
    try {
      for await (const bytes of source) {
        if (this.fault) break;
        connection.sendCopyFromChunk(bytes);
        if (connection.stream.writableNeedDrain) await drained(connection);
      }
    } catch (error) {
      connection.sendCopyFail('the rows cannot be read');
      await this.next(() => this.isDone).catch(() => undefined);
      throw error;
    }
    if (!this.fault) connection.endCopyFrom();
    await this.next(() => this.isDone);
  }
}

const drained = ({ stream }: Connection): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });

/**
 * The rows of a `COPY … TO STDOUT`, some at a time, in bounded memory. They have to be read to the end before the
 * connection can be used again.
 */
export function copyOut(client: DatabaseConnection, statement: string): AsyncIterable<readonly Buffer[]> {
  const copy = new CopyOut(statement);
  client.query(copy);
  return copy.read();
}

/** Sends the bytes of rows to a `COPY … FROM STDIN`. */
export async function copyIn(
  client: DatabaseConnection,
  statement: string,
  source: AsyncIterable<Buffer>,
): Promise<void> {
  const copy = new CopyIn(statement);
  client.query(copy);
  await copy.write(source);
}
