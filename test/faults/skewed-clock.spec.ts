import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secrets } from '../../src/kernel/common/secrets.js';
import { type ScratchDatabase, scratchDatabase } from '../scratch-database.js';
import { useReceiver } from '../webhook-receiver.js';
// Some of these run where ROUNDS is given.
import { inShortRuns } from '../whole.js';
import { pause, Stage, type Process } from './processes.js';

const HOUR = 3_600_000;
const KEY = 'a-key-for-tests-only-a-key-for-tests-only';
const TOKEN = 'skewed-token-skewed-token-skewed-token-skewed';
/** Far less than an hour, and far more than work takes that is due. */
const PATIENCE_MS = 45_000;
const SKEWED = new URL('skewed-clock.mjs', import.meta.url).href;

/** A server of one test, whose requests are answered by it and no other. */
class Server {
  constructor(
    private readonly process: Process,
    private readonly url: string,
  ) {}

  async ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([200, 201, 204]).toContain(answer.status);
    return (await answer.json()) as Body;
  }

  kill(): Promise<unknown> {
    return this.process.kill('SIGKILL');
  }
}

const SKEWS = [
  ['ahead', HOUR],
  ['behind', -HOUR],
] as const;

// The other one is tried where ROUNDS is given.
describe.each(inShortRuns(SKEWS, 1))('a server whose clock is an hour %s, beside one that is right', (_, skew) => {
  const receiver = useReceiver();
  let stage: Stage;
  let database: ScratchDatabase;
  let skewed: Server;
  let right: Server;
  let organizationId: string;

  async function start(env: Readonly<Record<string, string>> = {}): Promise<Server> {
    const common = {
      DATABASE_URL: database.url,
      SECRET_KEY: KEY,
      BOOTSTRAP_TOKEN: TOKEN,
      OUTBOUND_ALLOW: '127.0.0.0/8',
      RATE_LIMIT_PER_MINUTE: '0',
      SEARCH_VECTORS: 'none',
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
    };
    const { server, facts } = await stage.serve({ env: { ...common, ...env } });
    return new Server(server, facts.api);
  }

  beforeAll(async () => {
    stage = await Stage.open();
    database = await scratchDatabase();
    right = await start();
    skewed = await start({ NODE_OPTIONS: `--import ${SKEWED}`, CLOCK_SKEW_MS: String(skew) });
    const orgs = await right.ask<{ items: { id: string }[] }>('GET', '/orgs');
    organizationId = orgs.items[0]?.id ?? '';
  }, 180_000);
  afterAll(async () => {
    await stage.close();
    await database.drop();
  });

  async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; !(await condition());) {
      if (Date.now() > end) throw new Error('it did not happen in time');
      await pause(50);
    }
  }

  it('deals with what the other one made due, and has its own dealt with, at once and after failures', async () => {
    const { createdAt } = await skewed.ask<{ createdAt: string }>('POST', `/orgs/${organizationId}/spaces`, {
      title: 'Dated',
      empty: true,
    });
    expect(Math.abs(Date.parse(createdAt) - Date.now() - skew)).toBeLessThan(60_000);
    const seen = new Map<string, number>();
    receiver.answer = (response, { event }) => {
      const name = String(event['teamId']);
      seen.set(name, (seen.get(name) ?? 0) + 1);
      response.writeHead(seen.get(name) === 1 ? 500 : 200).end();
    };
    await right.ask('POST', `/orgs/${organizationId}/webhooks`, {
      url: receiver.url('/skewed'),
      events: ['team_created'],
    });
    const team = async (server: Server, title: string) =>
      (await server.ask<{ id: string }>('PUT', `/orgs/${organizationId}/teams`, { title })).id;
    const teams = [await team(skewed, 'Of the wrong one'), await team(right, 'Of the right one')];
    await until(() => teams.every((id) => seen.get(id) === 2));

    // Whoever is left goes on with what the other one recorded.
    receiver.answer = (response, { event }) => {
      seen.set(String(event['teamId']), 1);
      response.end();
    };
    const last = await team(skewed, 'Of the one that dies');
    await skewed.kill();
    await until(() => seen.has(last));
    skewed = await start({ NODE_OPTIONS: `--import ${SKEWED}`, CLOCK_SKEW_MS: String(skew) });
    const next = await team(right, 'Of the right one that dies');
    await right.kill();
    await until(() => seen.has(next));
    right = await start();
  }, 240_000);

  it('processes specifications, whichever of the two was asked', async () => {
    for (const [name, server] of [
      ['wrong', skewed],
      ['right', right],
    ] as const) {
      await server.ask('PUT', `/orgs/${organizationId}/openapi/${name}`, {
        source: { text: JSON.stringify({ openapi: '3.1.0', info: { title: name, version: '1' }, paths: {} }) },
      });
      const other = server === right ? skewed : right;
      await until(
        async () =>
          (await other.ask<{ processingState: string }>('GET', `/orgs/${organizationId}/openapi/${name}`))
            .processingState === 'complete',
      );
    }
  }, 120_000);

  it('takes no lease from the other one, and leaves none of its own', async () => {
    const rows = await database.source.query<{ what: string; late: boolean }[]>(
      `SELECT 'event ' || consumer AS what, due_at > now() + interval '10 minutes' AS late FROM event_claim
       UNION ALL SELECT 'delivery', due_at > now() + interval '10 minutes' FROM webhook_delivery WHERE status = 'pending'
       UNION ALL SELECT 'job ' || name, start_after > now() + interval '10 minutes' FROM jobs.job WHERE state < 'active'
       UNION ALL SELECT 'key', abs(extract(epoch FROM current_at - now())) > 120 FROM sealing_key WHERE id = $1`,
      [new Secrets([KEY]).firstKeyId],
    );
    expect(rows.filter(({ late }) => late)).toEqual([]);
    expect(rows.map(({ what }) => what)).toContain('key');
  });
});
