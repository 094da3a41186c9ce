import { OutboundError } from '../../../kernel/platform/outbound/outbound-error.js';
import type { Outbound, OutboundRequest } from '../../../kernel/platform/outbound/outbound.js';
import { ForgeAnswer } from './forge-answer.js';
import { ForgeError, RefusedCredentials } from './forge-error.js';

const MAX_ANSWER_BYTES = 4 * 1024 ** 2;
const TIMEOUT_MS = 15_000;
/** Milliseconds for all requests of one client. */
const TIME_MS = 60_000;
const MAX_PAGES = 10;

/** The version of the REST API of GitHub that answers are read by. */
export const GITHUB_HEADERS = { 'x-github-api-version': '2022-11-28' } as const;

export interface ForgeConnection {
  /** The name of the provider in messages. */
  readonly title: string;
  /** The address of the API, without a slash at its end. */
  readonly base: string;
  /** A whole `Authorization`; none for what is public. */
  readonly authorization: string | undefined;
  /** False only in tests, whose server has no certificate. */
  readonly httpsOnly: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a forge divides its lists into pages. */
export interface Paging {
  readonly size: number;
  /** The parameter with that size. */
  readonly name: string;
  /** The property that holds the items; the answer itself is the list without it. */
  readonly items?: string;
}

type ForgeMethod = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** Requests to the API of a forge: guarded, bounded in time and size, without redirects. */
export class ForgeHttp {
  private readonly signal = AbortSignal.timeout(TIME_MS);

  constructor(
    private readonly outbound: Outbound,
    private readonly connection: ForgeConnection,
  ) {}

  async get(path: string): Promise<ForgeAnswer> {
    return this.json(path, 'GET');
  }

  /** Undefined where there is nothing at a path, as the forge shows it to the token. */
  async find(path: string): Promise<ForgeAnswer | undefined> {
    return this.get(path).catch(orNothing);
  }

  /** The headers of an answer, without its body; undefined where there is nothing at the path. */
  async headers(path: string): Promise<Readonly<Record<string, string>> | undefined> {
    const answer = await this.send(path, 'HEAD').catch(orNothing);
    return answer?.headers;
  }

  /** The items of a list: those of its first pages where it has more. Undefined where there is no such list. */
  async list(path: string, { size, name, items = '' }: Paging): Promise<ForgeAnswer[] | undefined> {
    const found: ForgeAnswer[] = [];
    const mark = path.includes('?') ? '&' : '?';
    for (let page = 1; page <= MAX_PAGES; page++) {
      const answer = await this.find(`${path}${mark}${name}=${size}&page=${page}`);
      if (!answer) return page === 1 ? undefined : found;
      const some = items === '' ? answer.list() : answer.list(items);
      found.push(...some);
      if (some.length < size) break;
    }
    return found;
  }

  post(path: string, body: object = {}): Promise<ForgeAnswer> {
    return this.json(path, 'POST', body);
  }

  put(path: string, body: object): Promise<ForgeAnswer> {
    return this.json(path, 'PUT', body);
  }

  patch(path: string, body: object): Promise<ForgeAnswer> {
    return this.json(path, 'PATCH', body);
  }

  private async json(path: string, method: ForgeMethod, body?: object): Promise<ForgeAnswer> {
    const answer = await this.send(path, method, body);
    if (answer.body.length === 0 && method !== 'GET') return new ForgeAnswer(undefined);
    try {
      return new ForgeAnswer(JSON.parse(answer.body.toString('utf8')));
    } catch {
      throw new ForgeError(`${this.connection.title} sent an answer that is no JSON: check the address`);
    }
  }

  private async send(path: string, method: ForgeMethod | 'HEAD', body?: object): ReturnType<Outbound['fetch']> {
    const { title, base, authorization, httpsOnly, headers } = this.connection;
    // Addresses resolve these, and would lead to something else.
    if (/(^|\/)\.{1,2}(\/|\?|$)/.test(path)) throw new ForgeError(reasonOf(title, 404, true), 404);
    const request: OutboundRequest = {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'bindery',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
      ...(authorization !== undefined && { credentials: { authorization } }),
      redirects: 0,
      httpsOnly,
      maxBytes: MAX_ANSWER_BYTES,
      timeout: TIMEOUT_MS,
      signal: this.signal,
    };
    const answer = await this.outbound.fetch(`${base}${path}`, request).catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error;
      throw new ForgeError(`${title} cannot be asked: ${error.message}`);
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    const Refusal = answer.status === 401 ? RefusedCredentials : ForgeError;
    throw new Refusal(reasonOf(title, answer.status, authorization !== undefined), answer.status);
  }
}

/** Undefined for an answer with one of some statuses, by which a forge refuses. */
export async function unlessRefused<Result>(
  answer: Promise<Result>,
  statuses: readonly number[],
): Promise<Result | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof ForgeError && error.answered !== undefined && statuses.includes(error.answered))
      return undefined;
    throw error;
  });
}

function orNothing(error: unknown): undefined {
  if (error instanceof ForgeError && error.answered === 404) return undefined;
  throw error;
}

function reasonOf(title: string, status: number, hasToken: boolean): string {
  if (status === 401)
    return hasToken
      ? `${title} does not accept the access token: give another one`
      : `${title} asks for an access token: give one that may read the repository`;
  if (status === 403 || status === 429)
    return `${title} refused it (${status}): the access token lacks a right, or asks too often`;
  if (status === 404) return `${title} has no such thing that the access token may see`;
  return `${title} answered ${status}: try again later`;
}
