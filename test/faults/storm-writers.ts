import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from './chance.js';
import type { Killable } from './killable.js';

/** A server, without addresses while it is down. */
export type StormTarget = Pick<Killable, 'url' | 'published'>;

const RETRY_MS = 100;
const PATIENCE_MS = 120_000;
/** Writes into one space before a writer opens another one, so that none grows without end. */
const WRITES_IN_A_SPACE = 150;

/** How requests were answered, by status; without one where the connection broke with its server. */
export class Tally {
  readonly statuses = new Map<number, number>();
  broken = 0;
  /** What must never be: 5xx but 503, 503 without `Retry-After`, and refusals of what is right. */
  readonly surprises: string[] = [];

  of(matches: (status: number) => boolean): number {
    return [...this.statuses].reduce((sum, [status, count]) => sum + (matches(status) ? count : 0), 0);
  }

  note(what: string, status: number, retryAfter: string | null, text: string): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status >= 500 && status !== 503) this.surprises.push(`${what} was answered ${status}: ${text.slice(0, 200)}`);
    else if (status === 503 && retryAfter === null) this.surprises.push(`${what} was answered 503 without Retry-After`);
    else if (status >= 400 && status !== 503)
      this.surprises.push(`${what} was answered ${status}: ${text.slice(0, 200)}`);
  }
}

/** A space of one writer, with the titles of the pages that were acknowledged there. */
export interface StormSpace {
  readonly id: string;
  readonly titles: string[];
}

/** Asks one of the servers; what nobody answered is asked again, with the same `Idempotency-Key`. */
export class StormClient {
  constructor(
    private readonly servers: readonly StormTarget[],
    private readonly token: string,
    private readonly chance: Chance,
    private readonly tally: Tally,
  ) {}

  async ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    const key: Record<string, string> = method === 'GET' ? {} : { 'Idempotency-Key': randomUUID() };
    for (const deadline = Date.now() + PATIENCE_MS; ; await pause(RETRY_MS)) {
      const text = await this.once(
        method,
        this.some(({ url }) => url),
        path,
        body,
        key,
      );
      if (text !== undefined) return (text === '' ? undefined : JSON.parse(text)) as Body;
      if (Date.now() > deadline) throw new Error(`nobody answers ${method} ${path}`);
    }
  }

  /** Looks at a page of a published site, once. */
  async visit(path: string): Promise<void> {
    await this.once(
      'GET',
      this.some(({ published }) => published),
      path,
    );
  }

  private some(addressOf: (server: StormTarget) => string | undefined): string | undefined {
    const up = this.servers.flatMap((server) => addressOf(server) ?? []);
    return up[Math.floor(this.chance() * up.length)];
  }

  /** The body of an answer, or undefined where nobody knows whether it happened. */
  private async once(
    method: string,
    base: string | undefined,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string | undefined> {
    if (base === undefined) return undefined;
    try {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      this.tally.note(`${method} ${path}`, answer.status, answer.headers.get('retry-after'), text);
      return answer.ok ? text : undefined;
    } catch {
      this.tally.broken++;
      return undefined;
    }
  }
}

export interface StormScene {
  readonly name: string;
  readonly organizationId: string;
  readonly client: StormClient;
  readonly chance: Chance;
  readonly site: string;
  readonly isOver: () => boolean;
}

/** Writes pages, directly and by change requests, and reads, until it is over; gives what was acknowledged. */
export async function writeInStorm({
  name,
  organizationId,
  client,
  chance,
  site,
  isOver,
}: StormScene): Promise<StormSpace[]> {
  const spaces: StormSpace[] = [];
  for (let writes = 0; !isOver(); writes++) {
    if (writes % WRITES_IN_A_SPACE === 0)
      spaces.push(await openSpace(client, organizationId, `${name} ${spaces.length}`));
    const space = spaces.at(-1);
    if (!space) break;
    const title = `${name} ${writes}`;
    const changes = [{ operation: 'insert_page', title, document: { markdown: `What ${title} says.` } }];
    const dice = chance();
    if (dice < 0.3) {
      const { id } = await client.ask<{ id: string }>('POST', `/spaces/${space.id}/change-requests`, {
        subject: title,
      });
      await client.ask('POST', `/spaces/${space.id}/change-requests/${id}/content`, { changes });
      await client.ask('POST', `/spaces/${space.id}/change-requests/${id}/merge`);
    } else await client.ask('POST', `/spaces/${space.id}/content`, { changes });
    space.titles.push(title);
    if (dice < 0.15) await client.visit(site);
    if (dice > 0.85) await client.ask('GET', `/spaces/${space.id}/content/pages`);
    await pause(chance() * 300);
  }
  return spaces;
}

async function openSpace(client: StormClient, organizationId: string, title: string): Promise<StormSpace> {
  const { id } = await client.ask<{ id: string }>('POST', `/orgs/${organizationId}/spaces`, {
    title,
    empty: true,
    editMode: 'live',
  });
  return { id, titles: [] };
}

/** Acknowledged pages that are not in their space exactly once. */
export async function missingPages(spaces: readonly StormSpace[], client: StormClient): Promise<string[]> {
  const faults: string[] = [];
  for (const { id, titles } of spaces) {
    const { pages } = await client.ask<{ pages: readonly { readonly title: string }[] }>(
      'GET',
      `/spaces/${id}/content/pages`,
    );
    const counts = new Map<string, number>();
    for (const { title } of pages) counts.set(title, (counts.get(title) ?? 0) + 1);
    for (const title of titles)
      if (counts.get(title) !== 1) faults.push(`${title} is there ${counts.get(title) ?? 0} times`);
  }
  return faults;
}
