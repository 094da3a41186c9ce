import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../../src/kernel/platform/embedded-postgres/cluster.js';
import { type Backend, Balancer } from '../faults/balancer.js';
import { chanceOf } from '../faults/chance.js';
import { KeepAliveClient } from '../faults/keep-alive-client.js';
import { type Process, Stage } from '../faults/processes.js';
import { type ScratchDatabase, scratchDatabase } from '../scratch-database.js';
// One of these runs where ROUNDS is given.
import { inWholeRuns } from '../whole.js';
import { releasedCode, hasCommit, ModuleRelease } from './releases.js';

const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
/** Code of an earlier state, with the packages of this one, which knows no contracting migration. */
const EARLIER = '92212acc';
const TOKEN = 'upgrade-token-upgrade-token-upgrade-token-upgrade';
const MODULE = 'upkeep';
const SEEDED = 600;
const BATCH = 30;
/** Failed requests that a failed test shows. */
const SHOWN = 5;
const PATIENCE_MS = 90_000;
const CONTRACTING = `SELECT FROM jobs.job WHERE name = 'migrations.finish' AND state IN ('created', 'retry', 'active')`;

const ENV = {
  SHUTDOWN_DELAY: '1',
  SECRET_KEY: 'a-key-for-tests-only-a-key-for-tests-only',
  BOOTSTRAP_TOKEN: TOKEN,
  RATE_LIMIT_PER_MINUTE: '0',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
  SEARCH_VECTORS: 'none',
};

/** New rows and changed ones get the column from a trigger, those of before in batches, which count how often each is done. */
const WORDS = `-- migrate:up
ALTER TABLE collection ADD COLUMN words text, ADD COLUMN passes integer NOT NULL DEFAULT 0;
CREATE FUNCTION upkeep_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.words := lower(NEW.title);
  RETURN NEW;
END $$;
CREATE TRIGGER upkeep_words BEFORE INSERT OR UPDATE OF title ON collection FOR EACH ROW EXECUTE FUNCTION upkeep_words();
-- migrate:background collection by organization_id, id in batches of ${BATCH}
UPDATE collection c SET words = lower(c.title), passes = c.passes + 1
  FROM batch, (SELECT pg_sleep(0.1)) AS slow WHERE c.id = batch.id
-- migrate:down
DROP TRIGGER upkeep_words ON collection;
DROP FUNCTION upkeep_words;
ALTER TABLE collection DROP COLUMN words, DROP COLUMN passes;
`;
const INDEX = `-- migrate:up
CREATE INDEX CONCURRENTLY collection_words ON collection (words);
-- migrate:down
DROP INDEX collection_words;
`;
const GIVEN = `-- migrate:phase contract
-- migrate:up
ALTER TABLE collection ALTER COLUMN words SET NOT NULL;
-- migrate:down
ALTER TABLE collection ALTER COLUMN words DROP NOT NULL;
`;
const [NAME_OF_WORDS, NAME_OF_INDEX, NAME_OF_GIVEN] = [
  'Words1799990000000',
  'WordsIndex1799990000001',
  'WordsGivenContract1799990000002',
];

async function until(condition: () => Promise<boolean>, words: string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !(await condition()); await pause(50))
    if (Date.now() > end) throw new Error(`it took too long until ${words}`);
}

/** Clients that read and write without pause until they are told to stop, and try nothing again. */
class Traffic {
  readonly made: string[] = [];
  private readonly clients: KeepAliveClient[] = [];
  private readonly work: Promise<void>[];
  private isOver = false;

  constructor(urls: readonly string[], clients: number) {
    this.work = Array.from({ length: clients }, (_, index) => this.ask(urls[index % urls.length] ?? '', index));
  }

  private async ask(url: string, index: number): Promise<void> {
    const client = new KeepAliveClient(TOKEN);
    this.clients.push(client);
    const chance = chanceOf(SEED + index);
    for (; !this.isOver; await pause(chance() * 60)) {
      if (chance() < 0.3) {
        const title = `Made ${new URL(url).port} ${index} ${client.answers}`;
        await client.ask(201, `${url}/collections`, 'POST', { title });
        this.made.push(title);
      } else {
        await client.ask(200, `${url}/collections?limit=5`);
      }
    }
    client.end();
  }

  get slowest(): number {
    return Math.round(Math.max(...this.clients.map(({ slowest }) => slowest)));
  }

  get answers(): number {
    return this.clients.reduce((sum, { answers }) => sum + answers, 0);
  }

  get failures(): string[] {
    return this.clients.flatMap(({ failures }) => failures);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.work);
  }
}

describe(`an upgrade while servers run (SEED=${SEED})`, () => {
  let stage: Stage;
  let database: ScratchDatabase;
  let sql: pg.Client;

  beforeAll(async () => {
    [stage, database] = await Promise.all([Stage.open(), scratchDatabase()]);
    sql = new pg.Client({ connectionString: database.url });
    await sql.connect();
  }, 180_000);
  afterAll(async () => {
    await stage.close();
    await sql.end();
    await database.drop();
  });

  const found = async (statement: string, ...values: unknown[]): Promise<boolean> =>
    (await sql.query(statement, values)).rows.length > 0;
  const recorded = async (): Promise<string[]> =>
    (await found(`SELECT WHERE to_regclass('migration_of_${MODULE}') IS NOT NULL`))
      ? (await sql.query<{ name: string }>(`SELECT name FROM migration_of_${MODULE} ORDER BY id`)).rows.map(
          ({ name }) => name,
        )
      : [];

  it('fails no request, goes on after each kill, and contracts once the older servers are gone', async () => {
    const [old, next] = [
      await ModuleRelease.in(join(stage.folder, 'old'), MODULE, stage.cli),
      await ModuleRelease.in(join(stage.folder, 'next'), MODULE, stage.cli),
    ];
    const backends: Backend[] = [];
    const serve = async (
      release: ModuleRelease,
    ): Promise<{ process: Process; backend: Backend; organization?: string }> => {
      const port = await freePort();
      const env = { ...ENV, DATABASE_URL: database.url, PORT: String(port), BINDERY_MODULES: release.file };
      const { server, facts } = await stage.serve({ env });
      const backend = { port, readiness: `http://127.0.0.1:${port}/readyz` };
      backends.push(backend);
      return { process: server, backend, ...(facts.bootstrap && { organization: facts.bootstrap.organization.id }) };
    };
    const migrate = (...words: string[]): Process =>
      stage.run(['migrate', ...words], {
        env: { ...ENV, DATABASE_URL: database.url, BINDERY_MODULES: next.file },
      });
    const before = [await serve(old), await serve(old)];
    const organization = before[0]?.organization ?? '';
    await sql.query(
      `INSERT INTO collection (id, organization_id, title, position, created_by, created_at)
         SELECT 'seeded' || lpad(n::text, 14, '0'), $1, 'Seeded ' || n, 'z' || n, (SELECT min(id) FROM account), now() FROM generate_series(1, $2::int) AS n`,
      [organization, SEEDED],
    );
    const balancer = await Balancer.start(backends);
    for (const { backend } of before) await balancer.whenReady(backend);
    const traffic = new Traffic([`${balancer.url}/v1/orgs/${organization}`], 8);
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    const waiting = (words: string) =>
      found(
        `SELECT FROM pg_stat_activity WHERE application_name = 'bindery migrations' AND wait_event_type = 'Lock' AND query ~ $1`,
        words,
      );

    // A reader that stays makes the change of the table wait, and others read and write meanwhile.
    await next.add('1799990000000-words', WORDS);
    await holder.query('BEGIN; SELECT count(*) FROM collection');
    const first = migrate('up');
    await until(() => waiting('ALTER TABLE collection'), 'the change of the table waits');
    const answers = traffic.answers;
    await until(async () => traffic.answers > answers + 40, 'others are answered meanwhile');
    expect(first.over).toBe(false);
    await first.kill('SIGKILL');
    await holder.query('COMMIT');
    expect(await recorded()).toEqual([]);
    expect(await migrate('up').ending).toMatchObject({ code: 0, stdout: `ran ${NAME_OF_WORDS}\n` });

    // Batches are done by any server; one that dies in the middle of one repeats none.
    const killed = await serve(next);
    await until(() => found('SELECT FROM backfill WHERE done_rows > 0'), 'batches run');
    await killed.process.kill('SIGKILL');
    const status = await migrate('status', '--json').ending;
    expect(JSON.parse(status.stdout)).toMatchObject({
      migrations: expect.arrayContaining([expect.objectContaining({ name: NAME_OF_WORDS, applied: true })]) as unknown,
    });

    // An index that was interrupted is made again.
    await next.add('1799990000001-words-index', INDEX);
    await holder.query(`BEGIN; UPDATE collection SET description = 'held' WHERE id = 'seeded00000000000001'`);
    const second = migrate('up');
    await until(
      () => found(`SELECT FROM pg_index WHERE indexrelid = to_regclass('collection_words') AND NOT indisvalid`),
      'the index is begun',
    );
    await second.kill('SIGKILL');
    await sql.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ '^CREATE INDEX CONCURRENTLY'`,
    );
    await holder.query('COMMIT');
    expect(await recorded()).toEqual([NAME_OF_WORDS]);
    expect(await migrate('up').ending).toMatchObject({ code: 0, stdout: `ran ${NAME_OF_INDEX}\n` });
    expect(await found(`SELECT FROM pg_index WHERE indexrelid = 'collection_words'::regclass AND indisvalid`)).toBe(
      true,
    );
    await until(async () => !(await found('SELECT FROM backfill WHERE finished_at IS NULL')), 'batches are done');
    const { rows: passes } = await sql.query(
      `SELECT DISTINCT passes FROM collection WHERE title LIKE 'Seeded %' AND words = lower(title)`,
    );
    expect(passes).toEqual([{ passes: 1 }]);

    // The contracting one waits for as long as an old server runs, whoever asks for it.
    await next.add('1799990000002-words-given', GIVEN);
    const after: Process[] = [];
    for (const { process } of before) {
      const { rows } = await sql.query<{ count: number }>('SELECT count(*)::int AS count FROM server_process');
      expect(rows[0]?.count).toBeGreaterThan(0);
      const { stdout } = await migrate('up').ending;
      expect(stdout).toMatch(
        new RegExp(`^${NAME_OF_GIVEN} waits: servers of an older release run \\(0\\.\\d+\\.\\d+ on `),
      );
      const server = await serve(next);
      after.push(server.process);
      await balancer.add(server.backend);
      expect(await recorded()).not.toContain(NAME_OF_GIVEN);
      expect(await process.kill('SIGTERM')).toMatchObject({ code: 0 });
    }
    // Servers do not ask before the one that is killed: those that have begun find the killed server first, and end.
    await sql.query(`UPDATE schedule_tick SET ticked_at = now() + interval '1 hour' WHERE name = 'migrations.finish'`);
    await until(async () => !(await found(CONTRACTING)), 'no server is about to contract');
    // The server that was killed counts until it was silent for long enough.
    await sql.query(
      `UPDATE server_process SET seen_at = now() - interval '91 seconds' WHERE NOT contractions @> ARRAY[$1]`,
      [`migration_of_${MODULE}.${NAME_OF_GIVEN}`],
    );
    await holder.query('BEGIN; SELECT count(*) FROM collection');
    const third = migrate('up');
    await until(() => waiting('SET NOT NULL'), 'the contracting one waits for its lock');
    await third.kill('SIGKILL');
    await holder.query('COMMIT');
    expect(await recorded()).not.toContain(NAME_OF_GIVEN);
    await sql.query(`UPDATE schedule_tick SET ticked_at = 'epoch' WHERE name = 'migrations.finish'`);
    await until(async () => (await recorded()).includes(NAME_OF_GIVEN), 'servers contract by themselves');
    await traffic.stop();

    process.stdout.write(
      `rolling upgrade: seed ${SEED}: ${traffic.answers} requests, ${traffic.made.length} of them writes, ${traffic.failures.length} failed, the slowest took ${traffic.slowest} ms\n`,
    );
    expect([traffic.failures.slice(0, SHOWN), balancer.faults]).toEqual([[], []]);
    const { rows: titles } = await sql.query<{ title: string }>(
      `SELECT title FROM collection WHERE title LIKE 'Made %'`,
    );
    expect(titles.map(({ title }) => title).sort()).toEqual([...traffic.made].sort());
    await balancer.close();
    await holder.end();

    // An old server knows that its time is over.
    const late = stage.run(['serve'], { env: { ...ENV, DATABASE_URL: database.url, BINDERY_MODULES: old.file } });
    expect(await late.ending).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `The database is newer than this release of the module ${MODULE}, which does not know its migration ${NAME_OF_GIVEN}`,
      ) as unknown,
    });
    expect(after.every(({ over }) => !over)).toBe(true);
  }, 900_000);

  (hasCommit(EARLIER) ? inWholeRuns : it.skip)(
    `lets a server of the code of ${EARLIER} work on the schema of today`,
    async () => {
      const empty = await scratchDatabase('empty');
      const env = { ...ENV, DATABASE_URL: empty.url };
      const checkout = await releasedCode(EARLIER, stage.folder);
      const { server, facts } = await stage.serve({ env, checkout, fromSources: true });
      const path = `/orgs/${facts.bootstrap?.organization.id ?? ''}`;
      const traffic = new Traffic([`${facts.api}${path}`], 6);
      const ran = (await stage.finish(['migrate', 'up'], { env })).stdout.trim().split('\n');
      expect(ran).toContain('ran PlatformRollingUpgrades1799740000000');
      expect(ran.filter((line) => /Contract\d+$/.test(line))).toEqual([]);
      const next = await stage.serve({ env });
      const both = new Traffic([`${facts.api}${path}`, `${next.facts.api}${path}`], 4);
      const answers = traffic.answers;
      await until(async () => traffic.answers > answers + 100, 'both are asked');
      await Promise.all([traffic.stop(), both.stop()]);
      expect([...traffic.failures, ...both.failures].slice(0, SHOWN)).toEqual([]);
      expect((await fetch(new URL('/readyz', facts.api))).status).toBe(200);
      process.stdout.write(
        `code of ${EARLIER} on the schema of today: ${ran.length} migrations ran beside it, ${traffic.answers + both.answers} requests, none failed\n`,
      );
      expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
      await next.server.kill('SIGTERM');
      await empty.drop();
    },
    900_000,
  );
});
