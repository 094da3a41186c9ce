import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { codeOf } from '../operator-error.js';

const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers what is not even HTTP (broken or endless headers, both lengths given) in the one error shape
 * before the connection is closed; no such request reaches a handler.
 */
function answerBrokenRequests(server: Server): void {
  const latest = new WeakMap<Socket, ServerResponse>();
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => latest.set(socket, response));
  server.on('clientError', (error: Error, socket: Socket) => {
    // A second answer to a request whose body breaks after the first would be taken for that of another request.
    const isAnswered = latest.get(socket)?.req.complete === false && latest.get(socket)?.headersSent === true;
    if (codeOf(error) === 'ECONNRESET' || !socket.writable || isAnswered) {
      socket.destroy();
      return;
    }
    const status = STATUS[codeOf(error) ?? ''] ?? 400;
    const body = JSON.stringify({ error: { code: status, message: status === 431 ? 'The headers are too large' : status === 408 ? 'The request took too long' : 'The request is not valid HTTP' } });
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${randomUUID()}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}

/** Bytes of a body that nobody wants which are read nevertheless. */
const MOST_DROPPED = 64 * 1024;
/** How long a caller who still sends has for reading the answer. */
const LINGER_MILLISECONDS = 2000;

/**
 * Closes the connection behind an answer whose request nobody has read to the end, unless little is left of it. Node itself would
 * read and drop everything that is still to come.
 */
function leaveUnread(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request;
  const length = Number(headers['content-length'] ?? 0);
  if (headers['transfer-encoding'] === undefined && length <= MOST_DROPPED) {
    if (length > 0) response.once('finish', () => request.resume());
    return;
  }
  const keepsAlive = response.shouldKeepAlive;
  const destroySoon = socket.destroySoon.bind(socket);
  response.shouldKeepAlive = false;
  // Node calls it once the last answer of a connection is out.
  socket.destroySoon = () => linger(socket);
  request.once('end', () => {
    response.shouldKeepAlive = keepsAlive;
    socket.destroySoon = destroySoon;
  });
}

/** A connection that is closed while bytes arrive is reset, and takes the answer along: so it is only ended at first. */
function linger(socket: Socket): void {
  let dropped = 0;
  // The parser's: whatever comes is no request any more.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > MOST_DROPPED) socket.pause();
  });
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
}

/** Longer than proxies and load balancers keep idle connections (60 seconds as a rule), which would else send requests into closed ones. */
const KEEP_ALIVE_MILLISECONDS = 65_000;

/** Headers come at once, unless somebody means to hold connections open; whole requests, uploads too, have Node's five minutes. */
const HEADERS_MILLISECONDS = 30_000;

/** How a listener treats connections: broken and slow requests are answered and closed, refused bodies are left unread, idle connections kept. */
export function prepareServer(server: Server): void {
  answerBrokenRequests(server);
  server.prependListener('request', leaveUnread);
  server.headersTimeout = HEADERS_MILLISECONDS;
  server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
}
