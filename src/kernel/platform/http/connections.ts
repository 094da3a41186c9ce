import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { codeOf } from '../operator-error.js';

const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Longer than proxies and load balancers keep idle connections (usually 60 seconds), which would otherwise send
 * requests over closed ones.
 */
const KEEP_ALIVE_MILLISECONDS = 65_000;

/** Headers arrive at once, unless a client holds connections open on purpose. */
const HEADERS_MILLISECONDS = 30_000;

/** When a body counts as too slow: a large file may take hours, but its bytes have to keep coming. */
interface BodyLimits {
  /** Time that every body has. */
  readonly milliseconds: number;
  /** Rate at which one that takes longer has to arrive, over all of its time. */
  readonly bytesPerSecond: number;
  readonly checkedEveryMilliseconds: number;
}
const BODY_LIMITS: BodyLimits = {
  milliseconds: 300_000,
  bytesPerSecond: 64 * 1024,
  checkedEveryMilliseconds: 10_000,
};

/** Time for a caller that is still sending to read the last response of a connection. */
const LINGER_MILLISECONDS = 2000;
/** Bytes of an unneeded body that are read nevertheless. */
const MOST_DROPPED = 64 * 1024;
const SWEEP_MILLISECONDS = 50;
/** Minimum time to wait for the first request of a new connection. */
const FIRST_REQUEST_MILLISECONDS = 1000;

/**
 * One connection: its latest response, the beginning of that request, the time since when it has been silent, and the
 * numbers of bytes received until these times.
 */
type Connection = {
  response: ServerResponse | undefined;
  begun: number;
  bytesBefore: number;
  quietSince: number;
  bytesRead: number;
};

/**
 * The connections of a listener: broken and slow requests get a response and are closed, idle connections are kept, and
 * all of them are closed gracefully.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private ending = false;

  constructor(
    readonly server: Server,
    private readonly bodies = BODY_LIMITS,
  ) {
    server.headersTimeout = HEADERS_MILLISECONDS;
    // Node's limit is one of time alone, whatever arrives: `endSlow` takes its place.
    server.requestTimeout = 0;
    server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
    const check = setInterval(() => this.endSlow(), bodies.checkedEveryMilliseconds).unref();
    server.once('close', () => clearInterval(check));
    server.on('connection', (socket: Socket) => this.enter(socket));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.begin(request, response),
    );
    server.on('clientError', (error: Error, socket: Socket) => this.refuse(error, socket));
  }

  /**
   * Marks every response from now on, including pending ones, as the last of its connection. New connections are still
   * accepted.
   */
  announceEnd(): void {
    this.ending = true;
    for (const { response } of this.open.values())
      if (response?.headersSent === false) response.shouldKeepAlive = false;
  }

  /**
   * Accepts no new connections. Each connection ends after its response, or after `quietMilliseconds` without data: a
   * request may be on its way over an idle one. All that remain after `seconds` are destroyed.
   */
  async close(seconds: number, quietMilliseconds = 0): Promise<void> {
    if (!this.server.listening) return;
    this.announceEnd();
    // The method of HTTP servers would end idle connections at once.
    const closed = new Promise((settle) => NetServer.prototype.close.call(this.server, settle));
    this.endQuiet(quietMilliseconds);
    // Runs after the events of the data received so far.
    const sweep = setInterval(() => setImmediate(() => this.endQuiet(quietMilliseconds)), SWEEP_MILLISECONDS);
    const limit = setTimeout(() => this.server.closeAllConnections(), seconds * 1000);
    await closed;
    clearInterval(sweep);
    clearTimeout(limit);
    // Ends its checks for slow requests.
    this.server.close();
  }

  private enter(socket: Socket): void {
    const now = Date.now();
    this.open.set(socket, { response: undefined, begun: now, bytesBefore: 0, quietSince: now, bytesRead: 0 });
    socket.once('close', () => this.open.delete(socket));
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => (this.isAnsweredEarly(socket) ? this.linger(socket) : destroySoon());
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    if (this.ending) {
      // The response to the last pipelined request is sent last.
      if (connection.response?.headersSent === false) connection.response.shouldKeepAlive = true;
      response.shouldKeepAlive = false;
    }
    connection.response = response;
    connection.begun = Date.now();
    connection.bytesBefore = socket.bytesRead;
    this.leaveUnread(request, response);
    response.once('close', () => {
      connection.quietSince = Date.now();
      connection.bytesRead = socket.bytesRead;
    });
  }

  private endQuiet(milliseconds: number): void {
    const now = Date.now();
    for (const [socket, { response, quietSince, bytesRead }] of this.open) {
      const patience = response === undefined ? Math.max(milliseconds, FIRST_REQUEST_MILLISECONDS) : milliseconds;
      if (response?.closed !== false && now - quietSince >= patience && socket.bytesRead === bytesRead)
        socket.destroy();
    }
  }

  /** Answers requests with 408 whose bodies take too long for what has come of them. */
  private endSlow(): void {
    const now = Date.now();
    const { milliseconds, bytesPerSecond } = this.bodies;
    for (const [socket, { response, begun, bytesBefore }] of this.open) {
      if (response === undefined || response.req.complete || now - begun < milliseconds) continue;
      if ((socket.bytesRead - bytesBefore) * 1000 < (now - begun) * bytesPerSecond)
        this.refuse(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    }
  }

  /** Tells whether the latest response was sent while its request is still arriving. */
  private isAnsweredEarly(socket: Socket): boolean {
    const response = this.open.get(socket)?.response;
    return response?.headersSent === true && !response.req.complete;
  }

  /**
   * Closes the connection after the response to a request that was not read completely, unless little is left of it:
   * Node would otherwise read and discard the rest.
   */
  private leaveUnread(request: IncomingMessage, response: ServerResponse): void {
    const length = Number(request.headers['content-length'] ?? 0);
    if (request.headers['transfer-encoding'] === undefined && length <= MOST_DROPPED) {
      if (length > 0) response.once('finish', () => request.resume());
      return;
    }
    const keepsAlive = response.shouldKeepAlive;
    response.shouldKeepAlive = false;
    request.once('end', () => (response.shouldKeepAlive = keepsAlive && !this.ending));
  }

  /**
   * Closes a connection after its last response. Unread input would cause a reset and lose the response (RFC 9112,
   * 9.6).
   */
  private linger(socket: Socket): void {
    let dropped = 0;
    // The listeners of the parser: further data belongs to no request.
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > MOST_DROPPED) socket.pause();
    });
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
  }

  /**
   * Responds to input that is not valid HTTP (broken or endless headers, conflicting lengths) in the common error shape
   * before the connection is closed; no such request reaches a handler.
   */
  private refuse(error: Error, socket: Socket): void {
    // A second response to a request whose body breaks after the first would be mistaken for that of another request.
    if (codeOf(error) === 'ECONNRESET' || !socket.writable || this.isAnsweredEarly(socket)) {
      socket.destroy();
      return;
    }
    const status = STATUS[codeOf(error) ?? ''] ?? 400;
    const body = JSON.stringify({
      error: {
        code: status,
        message:
          status === 431
            ? 'The headers are too large'
            : status === 408
              ? 'The request took too long'
              : 'The request is not valid HTTP',
      },
    });
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${randomUUID()}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
}
