import { get } from 'node:http';
import { recordExchange } from './contract/hooks.js';

/** An answer as specs look at it; `body` is undefined where there is none. */
export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, instead of JSON. */
  readonly raw?: string | Buffer;
}

/** Operations whose answers do not end. */
const ENDLESS = /^GET (?:\/user\/notifications|\/spaces\/[^/]+\/presence)\/stream$/;

/** Speaks to the service as one caller; every answer is checked against the contract. */
export class Client {
  constructor(
    readonly base: string,
    readonly token: string | undefined,
  ) {}

  get<Body = Record<string, unknown>>(path: string, options?: RequestOptions) {
    return this.send<Body>('GET', path, undefined, options);
  }
  post<Body = Record<string, unknown>>(path: string, body?: unknown, options?: RequestOptions) {
    return this.send<Body>('POST', path, body, options);
  }
  put<Body = Record<string, unknown>>(path: string, body?: unknown, options?: RequestOptions) {
    return this.send<Body>('PUT', path, body, options);
  }
  patch<Body = Record<string, unknown>>(path: string, body?: unknown, options?: RequestOptions) {
    return this.send<Body>('PATCH', path, body, options);
  }
  delete<Body = Record<string, unknown>>(path: string, options?: RequestOptions) {
    return this.send<Body>('DELETE', path, undefined, options);
  }

  /** Sends a request to `/v1` + path. */
  async send<Body>(method: string, path: string, body: unknown, options: RequestOptions = {}): Promise<Answer<Body>> {
    const url = new URL(`/v1${path}`, this.base);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      for (const each of [value].flat()) if (each !== undefined) url.searchParams.append(name, String(each));
    }
    const payload = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const headers = {
      ...(payload !== undefined && { 'Content-Type': 'application/json' }),
      ...(this.token !== undefined && { Authorization: `Bearer ${this.token}` }),
      ...options.headers,
    };
    const response = ENDLESS.test(`${method} ${path}`)
      ? await beginningOf(url, headers)
      : await fetch(url, {
          method,
          redirect: 'manual',
          headers,
          ...(payload !== undefined && { body: payload as string }),
        });
    const text = await response.text();
    const parsed: unknown = text === '' ? undefined : read(text);
    recordExchange({
      method,
      path: url.pathname + url.search,
      requestBody: body,
      status: response.status,
      headers: response.headers,
      body: parsed,
      caller: this.token,
    });
    return { status: response.status, body: parsed as Body, headers: response.headers };
  }
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The answer with the first part of its body alone, over a connection that ends then: an aborted `fetch` would leave
 * one open, for which a server that closes waits.
 */
function beginningOf(url: URL, headers: Readonly<Record<string, string>>): Promise<Response> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (answer) => {
      const end = (body: string): void => {
        answer.destroy();
        const { statusCode = 0, headersDistinct } = answer;
        const fields = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        resolve(new Response(body, { status: statusCode, headers: fields }));
      };
      answer.setEncoding('utf8').once('data', end);
      answer.once('end', () => end(''));
      answer.once('error', reject);
    }).on('error', reject);
  });
}
