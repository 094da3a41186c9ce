import { Connection, type Reply, requestText } from './connection.js';

const IDLE_MS = 2000;

/** A response other than the expected one. */
export class UnexpectedAnswer extends Error {
  constructor(status: number | 'no JSON', method: string, path: string, body: string) {
    super(`${method} ${path} answered ${status}: ${body.slice(0, 500)}`);
  }
}

/** Calls the API on one kept-alive connection, one request after another. */
export class Api {
  private connection: Connection | undefined;
  private usedAt = 0;

  constructor(
    readonly port: number,
    readonly token: string,
  ) {}

  async get<Body>(path: string): Promise<Body> {
    return this.call<Body>('GET', path);
  }

  async post<Body>(path: string, body?: unknown): Promise<Body> {
    return this.call<Body>('POST', path, body);
  }

  /** The id of the first organization that the token's user is a member of. */
  async organizationId(): Promise<string> {
    const { items } = await this.get<{ items: readonly { id: string }[] }>('/v1/orgs');
    return items[0]?.id ?? '';
  }

  /** Sends a request and returns its JSON; throws `UnexpectedAnswer` for any status other than 2xx and for other text. */
  async call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const text = (await this.bytes(method, path, body)).toString();
    try {
      return (text === '' ? undefined : JSON.parse(text)) as Body;
    } catch {
      throw new UnexpectedAnswer('no JSON', method, path, text);
    }
  }

  /** Sends a request without parsing the response, so that the time is that of the server alone. */
  async bytes(method: string, path: string, body?: unknown): Promise<Buffer> {
    const reply = await this.reply(method, path, body);
    if (reply.status < 200 || reply.status > 299)
      throw new UnexpectedAnswer(reply.status, method, path, reply.body.toString());
    return reply.body;
  }

  /** Sends a request and returns the response, whatever its status. */
  async reply(method: string, path: string, body?: unknown): Promise<Reply> {
    const connection = await this.connected();
    const reply = await connection.send(requestText(method, path, this.token, body));
    this.usedAt = performance.now();
    return reply;
  }

  close(): void {
    this.connection?.close();
    this.connection = undefined;
  }

  /** A connection that the server is not about to close because it was idle. */
  private async connected(): Promise<Connection> {
    if (this.connection?.open === true && performance.now() - this.usedAt < IDLE_MS) return this.connection;
    this.connection?.close();
    this.usedAt = performance.now();
    return (this.connection = await Connection.open(this.port));
  }
}
