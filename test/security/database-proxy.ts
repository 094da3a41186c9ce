import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** How a connection ends: as of a process that dies, of a network that resets it, or of a database that takes leave. */
export const ENDS = ['destroy', 'reset', 'end'] as const;
export type End = (typeof ENDS)[number];

/** What stands between a server and its PostgreSQL, and can fail as networks and databases do. */
export class DatabaseProxy {
  private readonly open = new Set<Socket>();
  private server: Server | undefined;
  private silent = false;
  private cut: { after: number; readonly end: End } | undefined;
  /** Pieces of bytes that went through, in either direction. */
  passed = 0;
  private port = 0;

  constructor(private readonly target: URL) {}

  /** Address of the same database through this. */
  get url(): string {
    const address = new URL(this.target);
    address.host = `127.0.0.1:${this.port}`;
    return address.toString();
  }

  /** Connects from now on; settles when it listens. */
  async join(): Promise<void> {
    this.server = createServer((near) => this.bridge(near)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Takes no connections any more and breaks those that are open, as a database does that is killed. */
  async break(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    const closed = server && once(server, 'close');
    server?.close();
    for (const socket of this.open) socket.destroy();
    await closed;
  }

  /** Swallows whatever comes, as a network does that lost its way, or lets it pass again. */
  swallow(silent: boolean): void {
    this.silent = silent;
  }

  /** Ends the connection over which the piece after so many comes, which is lost; once. Null takes it back. */
  cutAfter(pieces: number | null, end: End = 'destroy'): void {
    this.cut = pieces === null ? undefined : { after: pieces, end };
  }

  /** Whether the cut that was asked for is still to come. */
  get isToCut(): boolean {
    return this.cut !== undefined;
  }

  private pass(near: Socket, far: Socket, to: Socket, bytes: Buffer): void {
    if (this.silent) return;
    this.passed++;
    const { cut } = this;
    if (cut === undefined || cut.after-- > 0) return void to.write(bytes);
    this.cut = undefined;
    far.destroy();
    if (cut.end === 'reset') near.resetAndDestroy();
    else if (cut.end === 'end') near.end();
    else near.destroy();
  }

  private bridge(near: Socket): void {
    const far = connect(Number(this.target.port || 5432), this.target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.open.add(from);
      from.on('data', (bytes: Buffer) => this.pass(near, far, to, bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        this.open.delete(from);
        // What was sent before it ended still arrives.
        to.end();
      });
    }
  }
}
