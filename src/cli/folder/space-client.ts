import { createWriteStream } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { OperatorError, codeOf, reasonOf } from '../../kernel/platform/operator-error.js';

/** Seconds that one request waits for the end of a run. */
const WAIT_SECONDS = 30;
/** Times that a read is tried where the server is not there for a moment. */
const TRIES = 4;
const PAUSE_MS = 1000;
/** The server, or what stands in front of it, is not ready. */
const NOT_READY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export interface SpaceFacts {
  readonly organization: string;
  readonly revision: string;
}

export interface RequestFacts {
  readonly id: string;
  readonly number: number;
  readonly status: string;
  readonly revision: string;
  readonly urls: { readonly app: string };
}

/** A run as the server shows it. */
export interface Run {
  readonly id: string;
  readonly status: 'pending' | 'in-progress' | 'completed' | 'failed' | 'cancelled';
  readonly error?: string;
  readonly revision?: string;
  readonly changed?: boolean;
  readonly download?: string;
  readonly target: { readonly changeRequest?: string };
  readonly problems?: readonly {
    readonly file: string;
    readonly line: number;
    readonly level: 'error' | 'warning' | 'notice';
    readonly message: string;
  }[];
}

export type Query = Readonly<Record<string, string | undefined>>;

interface Sent {
  readonly query?: Query;
  readonly archive?: Readable;
  readonly key?: string;
}

/** The server has refused a request. */
export class RefusedRequest extends OperatorError {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }

  /** A request with the same key is being worked on. */
  get isBusy(): boolean {
    return this.status === 409 && this.message.includes('Idempotency-Key');
  }

  /** It says the same if it is asked again. */
  get isFinal(): boolean {
    return (
      this.status >= 400 && this.status < 500 && this.status !== 401 && !this.isBusy && !NOT_READY.has(this.status)
    );
  }
}

/** A run has ended without what it was for. */
export class RunFailed extends OperatorError {}

/** Speaks to a server about one space, over its public interface. Every fault is one that people can read. */
export class SpaceClient {
  constructor(
    private readonly url: string,
    private readonly space: string,
    private readonly token: string,
  ) {}

  async facts(): Promise<SpaceFacts> {
    return (await this.read(`/spaces/${this.space}`)) as SpaceFacts;
  }

  async request(idOrNumber: string): Promise<RequestFacts> {
    return (await this.read(`/spaces/${this.space}/change-requests/${encodeURIComponent(idOrNumber)}`)) as RequestFacts;
  }

  /** The number of conflicts that a change request has with the primary content. */
  async conflicts(id: string): Promise<number> {
    const { count } = (await this.read(`/spaces/${this.space}/change-requests/${id}/conflicts`)) as {
      readonly count: number;
    };
    return count;
  }

  /** Closes a change request that is not needed any more. */
  async archive(id: string): Promise<void> {
    await this.send(
      `/spaces/${this.space}/change-requests/${id}`,
      {},
      {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ status: 'archived' }),
      },
    ).then(bodyOf);
  }

  /** Begins an export or a push. A push that has arrived before, with the same key and query, is answered as it was then. */
  async begin(what: 'export' | 'push', { query = {}, archive, key }: Sent): Promise<Run> {
    const answer = await this.send(`/spaces/${this.space}/${what}`, query, {
      method: 'POST',
      headers: {
        ...(archive && { 'Content-Type': 'application/zip' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      // fetch takes any iterable of bytes, which its type does not say.
      ...(archive && { body: archive as unknown as BodyInit, duplex: 'half' }),
    });
    return (await bodyOf(answer)) as Run;
  }

  /** The run as it is at its end. Throws for one that has failed. */
  async ended(organization: string, { id }: Pick<Run, 'id'>): Promise<Run> {
    for (;;) {
      const run = (await this.read(`/org/${organization}/imports/${id}`, { wait: String(WAIT_SECONDS) })) as Run;
      if (run.status === 'completed') return run;
      if (run.status === 'failed') throw new RunFailed(run.error ?? 'The server failed to do it');
      if (run.status === 'cancelled') throw new RunFailed('The run was cancelled on the server');
    }
  }

  /** Writes what a run has made to a file. */
  async download({ download }: Run, path: string): Promise<void> {
    if (download === undefined) throw new OperatorError('The server gives no archive of this export any more');
    // The address is signed: it needs no token, and its listener gets none.
    const answer = await retried(() => fetched(download, {}));
    if (!answer.ok || !answer.body) throw new OperatorError(`The archive cannot be fetched (${answer.status})`);
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), createWriteStream(path));
  }

  private read(path: string, query: Query = {}): Promise<unknown> {
    return retried(() => this.send(path, query, {})).then(bodyOf);
  }

  private async send(path: string, query: Query, init: RequestInit): Promise<Response> {
    const address = new URL(`${this.url}/v1${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, value);
    const answer = await fetched(address.href, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${this.token}` },
      // A token is for this server alone.
      redirect: 'error',
    });
    if (answer.ok || NOT_READY.has(answer.status)) return answer;
    throw await faultOf(answer);
  }
}

async function fetched(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new OperatorError(`The server at ${new URL(address).origin} cannot be reached: ${networkReason(cause)}`, {
      cause: error,
    });
  }
}

function networkReason(cause: unknown): string {
  const reasons: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'nothing listens there',
    ENOTFOUND: 'the name has no address',
    ECONNRESET: 'the connection was cut',
    UND_ERR_SOCKET: 'the connection was cut',
  };
  return reasons[codeOf(cause) ?? ''] ?? reasonOf(cause);
}

/** Tries a read again for a while where the server is not there. */
async function retried(ask: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await ask().catch((error: unknown) => {
      if (tries === TRIES || !isOutage(error)) throw error;
      return undefined;
    });
    if (answer && !(NOT_READY.has(answer.status) && tries < TRIES)) return answer;
    await setTimeout(Number(answer?.headers.get('retry-after') ?? 0) * 1000 || PAUSE_MS * tries);
  }
}

/** A connection that was cut, as by a server that starts again; a server that was never there is told at once. */
function isOutage(error: unknown): boolean {
  return error instanceof OperatorError && error.message.endsWith('the connection was cut');
}

async function bodyOf(answer: Response): Promise<unknown> {
  if (!answer.ok) throw await faultOf(answer);
  return answer.json();
}

interface ErrorBody {
  readonly error?: { readonly message?: string };
}

async function faultOf(answer: Response): Promise<RefusedRequest> {
  const { status } = answer;
  const text = await answer.text();
  const message = messageIn(text) ?? `the server answers ${status}`;
  switch (status) {
    case 401:
      return new RefusedRequest('The token is not valid: set BINDERY_TOKEN, or give --token', status);
    case 403:
      return new RefusedRequest(`The token does not allow this: ${message}`, status);
    case 404:
      return new RefusedRequest(`${message}: it does not exist, or the token does not see it`, status);
    default:
      return new RefusedRequest(message, status);
  }
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as ErrorBody | null)?.error?.message;
  } catch {
    return undefined;
  }
}
