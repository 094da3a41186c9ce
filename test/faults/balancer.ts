import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const CHECK_MS = 200;
/** So many checks have to fail one after the other; a server that says that it is not ready is believed at once. */
const FALL = 3;
const PATIENCE_MS = 60_000;
const HOST = '127.0.0.1';

/** One server behind a balancer: the port that it serves on, and the address that tells whether it is ready. */
export type Backend = { readonly port: number; readonly readiness: string };

/**
 * A balancer of connections as most clouds have one: each goes to the next server whose readiness was there when it was last looked at,
 * every 200 ms. It knows nothing of HTTP and tries nothing again: what a server refuses or resets, its client sees.
 */
export class Balancer {
  /** Why clients lost connections, one line each. */
  readonly faults: string[] = [];
  private readonly ready = new Set<Backend>();
  private readonly sockets = new Set<Socket>();
  private readonly backends: Backend[] = [];
  private readonly checks: Promise<void>[] = [];
  private turn = 0;
  private isClosed = false;

  private constructor(
    private readonly server: Server,
    backends: readonly Backend[],
  ) {
    for (const backend of backends) this.begin(backend);
    server.on('connection', (client) => this.forward(client));
  }

  static async start(backends: readonly Backend[]): Promise<Balancer> {
    const server = createServer().listen(0, HOST);
    await once(server, 'listening');
    return new Balancer(server, backends);
  }

  get url(): string {
    return `http://${HOST}:${(this.server.address() as AddressInfo).port}`;
  }

  /** Takes a further server, and waits until connections are sent to it. */
  async add(backend: Backend): Promise<void> {
    this.begin(backend);
    await this.whenReady(backend);
  }

  /** Waits until connections are sent to a server. */
  async whenReady(backend: Backend): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; !this.ready.has(backend); await pause(50))
      if (Date.now() > end) throw new Error(`the server at port ${backend.port} does not become ready`);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.checks);
    for (const socket of this.sockets) socket.destroy();
    await new Promise((settle) => this.server.close(settle));
  }

  private begin(backend: Backend): void {
    this.backends.push(backend);
    this.checks.push(this.check(backend));
  }

  private async check(backend: Backend): Promise<void> {
    for (let failures = 0; !this.isClosed; await pause(CHECK_MS)) {
      const answer = await fetch(backend.readiness, {
        headers: { Connection: 'close' },
        signal: AbortSignal.timeout(5000),
      }).catch(() => undefined);
      await answer?.body?.cancel();
      failures = answer?.ok === true ? 0 : failures + 1;
      if (failures === 0) this.ready.add(backend);
      else if (answer !== undefined || failures >= FALL) this.ready.delete(backend);
    }
  }

  private forward(client: Socket): void {
    const ready = this.backends.filter((backend) => this.ready.has(backend));
    const backend = ready[this.turn++ % ready.length];
    if (backend === undefined) {
      this.faults.push('no server was ready');
      client.resetAndDestroy();
      return;
    }
    const server = connect({ port: backend.port, host: HOST, noDelay: true });
    server.on('error', (error) => this.faults.push(`port ${backend.port}: ${error.message}`));
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => to.resetAndDestroy());
      from.once('close', () => this.sockets.delete(from));
      from.pipe(to);
    }
  }
}
