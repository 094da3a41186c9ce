import { connect, type Socket } from 'node:net';

export interface Reply {
  readonly status: number;
  /** The head of the response, header names as the server wrote them. */
  readonly head: string;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
/** Nothing that is measured takes this long: whoever is silent for longer will not answer. */
const PATIENCE_MS = 120_000;
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** The text of one HTTP/1.1 request, which can be sent any number of times. */
export function requestText(
  method: string,
  path: string,
  token: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): string {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Accept: application/json'];
  if (token !== '') lines.push(`Authorization: Bearer ${token}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (json !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`);
  return `${lines.join('\r\n')}\r\n\r\n${json ?? ''}`;
}

/**
 * One kept-alive HTTP/1.1 connection with one request at a time. It costs a fraction of what `node:http` or `fetch` cost,
 * so that a load generator on the same machine takes little from the server that it measures.
 */
export class Connection {
  private chunks: Buffer[] = [];
  private received = 0;
  /** Bytes of the whole response; 0 until the head is received, infinite for chunked bodies. */
  private expected = 0;
  private headLength = 0;
  private settle: ((reply: Reply) => void) | undefined;
  private fail: ((error: Error) => void) | undefined;
  private usable = true;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', (error) => this.end(error));
    socket.on('close', () => this.end(new Error('the server closed the connection')));
    socket.setTimeout(PATIENCE_MS, () => {
      this.end(new Error(`the server did not answer within ${PATIENCE_MS / 1000} s`));
      socket.destroy();
    });
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Connection(socket));
      });
    });
  }

  get open(): boolean {
    return this.usable;
  }

  send(request: string): Promise<Reply> {
    if (!this.usable) return Promise.reject(new Error('the connection is closed'));
    return new Promise((resolve, reject) => {
      this.settle = resolve;
      this.fail = reject;
      this.socket.write(request);
    });
  }

  close(): void {
    this.usable = false;
    this.socket.destroy();
  }

  private end(error: Error): void {
    this.usable = false;
    this.fail?.(error);
    this.settle = this.fail = undefined;
  }

  private receive(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.received += chunk.length;
    if (this.expected === 0) this.readHead();
    if (this.expected === Infinity ? this.endsWithLastChunk() : this.expected > 0 && this.received >= this.expected)
      this.finish();
  }

  private readHead(): void {
    const data = this.chunks.length === 1 ? (this.chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(this.chunks);
    this.chunks = [data];
    const end = data.indexOf(HEAD_END);
    if (end < 0) return;
    this.headLength = end + HEAD_END.length;
    const head = data.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined) this.expected = this.headLength + Number(length);
    else if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.expected = Infinity;
    else this.expected = this.headLength;
  }

  private endsWithLastChunk(): boolean {
    const last = this.chunks.at(-1);
    if (last === undefined) return false;
    const tail = last.length >= LAST_CHUNK.length ? last : Buffer.concat(this.chunks);
    return tail.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  }

  private finish(): void {
    const data = this.chunks.length === 1 ? (this.chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(this.chunks);
    const head = data.toString('latin1', 0, this.headLength - HEAD_END.length);
    const raw = data.subarray(this.headLength);
    const body = this.expected === Infinity ? joinChunks(raw) : raw;
    this.chunks = [];
    this.received = this.expected = this.headLength = 0;
    const settle = this.settle;
    this.settle = this.fail = undefined;
    settle?.({ status: Number(head.slice(9, 12)), head, body });
  }
}

function joinChunks(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length;) {
    const lineEnd = data.indexOf('\r\n', at);
    const size = Number.parseInt(data.toString('latin1', at, lineEnd), 16);
    if (lineEnd < 0 || !(size > 0)) break;
    parts.push(data.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}
