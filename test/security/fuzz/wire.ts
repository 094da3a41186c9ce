import { Agent, request as send, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** A request as it goes over the wire. */
export interface Wire {
  readonly method: string;
  /** With its query, encoded as it is sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Sent in pieces, without telling its length. */
  readonly isChunked: boolean;
}

/** What came back; status 0 where nothing did. */
export interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly milliseconds: number;
  /** Why there is no answer. */
  readonly fault?: string;
}

/** How the fault begins where a request cannot be said in HTTP at all. */
export const NOT_SENT = 'not sent:';
const PATIENCE_MS = 20_000;
const MOST_BYTES = 20_000_000;

/** Percent-encodes anything for a path or a query, also what is no text, up to lengths that a server reads. */
export const encoded = (text: string): string =>
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
    .slice(0, 9000)
    .replace(/%[0-9A-F]?$/, '');

/** Speaks to one listener. */
export class Line {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });

  constructor(readonly origin: string) {}

  /** Sends a request and reads the answer to its end; never throws. */
  ask(wire: Wire): Promise<Heard> {
    const begin = performance.now();
    return new Promise((resolve) => {
      const end = (heard: Omit<Heard, 'milliseconds'>): void =>
        resolve({ ...heard, milliseconds: performance.now() - begin });
      const fail = (error: Error): void => end({ status: 0, headers: {}, text: '', fault: error.message });
      try {
        const { hostname, port } = new URL(this.origin);
        const length =
          wire.body === undefined
            ? {}
            : wire.isChunked
              ? { 'Transfer-Encoding': 'chunked' }
              : { 'Content-Length': String(wire.body.length) };
        const sent = send(
          {
            hostname,
            port,
            method: wire.method,
            path: wire.path,
            headers: { ...length, ...wire.headers },
            agent: this.agent,
            timeout: PATIENCE_MS,
            setHost: wire.headers['Host'] === undefined,
          },
          (response) => {
            const chunks: Buffer[] = [];
            let size = 0;
            response.on('data', (chunk: Buffer) => {
              size += chunk.length;
              if (size <= MOST_BYTES) chunks.push(chunk);
            });
            response.on('error', fail);
            response.on('end', () =>
              end({
                status: response.statusCode ?? 0,
                headers: response.headers,
                text: textOf(Buffer.concat(chunks), response.headers['content-encoding']),
              }),
            );
          },
        );
        sent.on('timeout', () => sent.destroy(new Error(`no answer within ${PATIENCE_MS / 1000} s`)));
        sent.on('error', fail);
        if (wire.body === undefined || !wire.isChunked) sent.end(wire.body);
        else {
          const half = wire.body.length >> 1;
          sent.write(wire.body.subarray(0, half));
          sent.end(wire.body.subarray(half));
        }
      } catch (error) {
        fail(new Error(`${NOT_SENT} ${String(error)}`));
      }
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function textOf(bytes: Buffer, encoding: string | undefined): string {
  if (bytes.length === 0) return '';
  if (encoding === 'gzip') return gunzipSync(bytes).toString();
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'deflate' ? inflateSync(bytes) : bytes).toString();
}

const LONGEST_SHOWN = 4000;
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a command of curl; tokens are not shown. */
export function curlOf({ method, path, headers, body, isChunked }: Wire, origin: string): string {
  const shown = Object.entries(headers).map(
    ([name, value]) =>
      `-H ${quoted(name === 'Authorization' && value.length > 40 ? 'Authorization: Bearer $TOKEN' : `${name}: ${value}`)}`,
  );
  const text = body?.toString() ?? '';
  const data =
    body === undefined
      ? []
      : text.length > LONGEST_SHOWN
        ? [`--data-binary @- # ${body.length} bytes: ${text.slice(0, LONGEST_SHOWN)}`]
        : [`--data-binary ${quoted(text)}`];
  return [
    `curl -sS --path-as-is -g -X ${method}`,
    quoted(origin + path),
    ...shown,
    ...(isChunked ? [`-H 'Transfer-Encoding: chunked'`] : []),
    ...data,
  ].join(' ');
}
