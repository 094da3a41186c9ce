import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What stands between a server and its PostgreSQL, and can fail as networks and databases do. */
export class DatabaseProxy {
  private readonly open = new Set<Socket>();
  private server: Server | undefined;
  private silent = false;
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

  private bridge(near: Socket): void {
    const far = connect(Number(this.target.port || 5432), this.target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.open.add(from);
      from.on('data', (bytes) => void (this.silent || to.write(bytes)));
      from.on('error', () => undefined);
      from.on('close', () => {
        this.open.delete(from);
        to.destroy();
      });
    }
  }
}
