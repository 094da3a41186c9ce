import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { runInContext } from '../src/kernel/common/context.js';
import { Clock } from '../src/kernel/common/clock.js';
import { Database, poolOf } from '../src/kernel/common/database.js';
import { newId } from '../src/kernel/common/ids.js';
import { Outbox, type OutboxEvent } from '../src/kernel/platform/outbox.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { PastEventsJob } from '../src/kernel/platform/retention/past-events.job.js';
import { ExpiredSpacesJob } from '../src/workspace/spaces/expired-spaces.job.js';
import { accessLog } from '../src/kernel/platform/telemetry/access-log.middleware.js';
import { SpaceTables, sortChildrenFirst } from '../src/workspace/spaces/space-tables.js';
import { StorageProbe } from '../src/kernel/platform/storage/storage-probe.js';
import { Health } from '../src/kernel/platform/telemetry/health.js';
import { createLog, NestLog } from '../src/kernel/platform/telemetry/logger.js';
import { redactText, redactUrl } from '../src/kernel/platform/telemetry/redact.js';
import { BackgroundWork } from '../src/kernel/platform/jobs/background-work.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { PublicListener } from '../src/kernel/platform/public-listener.js';
import { useApp } from './app.js';
import { REGISTRY } from './events/registry.js';
import { SetClock } from './set-clock.js';
import { scratchDatabase, type ScratchDatabase } from './scratch-database.js';

/** Something to wait for until it is opened. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const DAY = 24 * 3600 * 1000;
let scratch: ScratchDatabase;
let database: Database;

beforeAll(async () => {
  Logger.overrideLogger(false);
  scratch = await scratchDatabase();
  database = new Database(scratch.source);
});
afterAll(() => scratch.drop());

/** Takes handlers of jobs and runs none. */
const idle = Object.assign(Object.create(Jobs.prototype) as Jobs, { handle: () => undefined });

describe('a connection', () => {
  it('may fail while it is handed over and nobody listens', async () => {
    const client = await poolOf(scratch.source).connect();
    const fault = new Error('terminating connection due to unexpected postmaster exit');
    expect(() => client.emit('error', fault)).not.toThrow();
    client.release(fault);
  });
});

describe('outbox', () => {
  const event = {
    type: 'space_created' as const,
    organizationId: 'Organization00000001',
    spaceId: 'Space000000000000001',
    target: 'Space000000000000001',
    payload: { copyOfSpaceId: 'Space000000000000000' },
  };
  const caller = {
    userId: 'User0000000000000001',
    tokenId: 'Token000000000000001',
    organizationId: undefined,
    scopes: undefined,
  };
  const context = () => ({ requestId: 'r1', ip: '192.0.2.7', ifMatch: undefined, caller });

  it('refuses an event outside of a transaction', async () => {
    await expect(new Outbox(database, new Clock(), REGISTRY).record(event)).rejects.toThrow(
      /transaction of its change/,
    );
  });

  it('stores who did what from where, with the change', async () => {
    const outbox = new Outbox(database, new SetClock(Date.UTC(2026, 10, 21)), REGISTRY);
    const id = await runInContext(context(), () => database.transaction(() => outbox.record(event)));
    expect(await database.one('SELECT * FROM event WHERE id = $1', [id])).toEqual({
      id,
      organization_id: 'Organization00000001',
      space_id: 'Space000000000000001',
      type: 'space_created',
      actor_id: 'User0000000000000001',
      token_id: 'Token000000000000001',
      ip: '192.0.2.7',
      target: 'Space000000000000001',
      payload: { copyOfSpaceId: 'Space000000000000000' },
      at: new Date(Date.UTC(2026, 10, 21)),
    });
  });

  it('leaves nothing behind when the change is rolled back', async () => {
    const { outbox } = await relays('hearing', async () => undefined, new Clock());
    const before = await database.one('SELECT count(*) FROM event');
    let heard = 0;
    outbox.onRecorded(() => heard++);
    await expect(
      database.transaction(async () => {
        await outbox.record(event);
        throw new Error('the change failed');
      }),
    ).rejects.toThrow('the change failed');
    expect(await database.one('SELECT count(*) FROM event')).toEqual(before);
    expect(heard).toBe(0);
    await database.transaction(() => outbox.record(event));
    expect(heard).toBe(1);
  });

  it('keeps from a consumer what happens in organizations that it does not attend to', async () => {
    const clock = new SetClock(Date.now());
    const outbox = new Outbox(database, clock, REGISTRY);
    const relay = new OutboxRelay(database, clock, outbox);
    const seen: string[] = [];
    relay.register('selective', async (events) => void seen.push(...events.map((each) => each.target)), {
      everywhere: false,
    });
    await relay.onApplicationBootstrap();
    const organizationId = newId();
    await database.execute(`INSERT INTO organization (id, title, created_at) VALUES ($1, 'Organization', now())`, [
      organizationId,
    ]);
    const tell = async (target: string): Promise<void> => {
      await database.transaction(() => outbox.record({ ...event, organizationId, target }));
      await relay.drain();
    };
    await tell('before');
    for (let i = 0; i < 2; i++) await relay.attend('selective', organizationId, true);
    await tell('meanwhile');
    await relay.attend('selective', organizationId, false);
    await tell('after');
    expect(seen).toEqual(['meanwhile']);
  });

  async function relays(
    consumer: string,
    handler: (event: OutboxEvent, server: number) => Promise<void>,
    clock: Clock,
    servers = 1,
  ) {
    const outbox = new Outbox(database, clock, REGISTRY);
    const made: OutboxRelay[] = [];
    for (let server = 0; server < servers; server++) {
      const own = server === 0 ? database : new Database(await scratch.connect());
      const relay = new OutboxRelay(own, clock, outbox);
      relay.register(consumer, async (events) => {
        for (const each of events) await handler(each, server);
      });
      await relay.onApplicationBootstrap();
      made.push(relay);
    }
    return { outbox, relays: made };
  }

  it('gives a consumer events that commit after later ones were read', async () => {
    const clock = new SetClock(Date.now());
    const seen: string[] = [];
    const {
      outbox,
      relays: [relay],
    } = await relays('late-commits', async (each) => void seen.push(each.target), clock);
    const recorded = gate();
    const release = gate();
    const slow = database.transaction(async () => {
      await outbox.record({ ...event, target: 'slow' });
      recorded.open();
      await release.opened;
    });
    await recorded.opened;
    clock.advance(5);
    await database.transaction(() => outbox.record({ ...event, target: 'quick' }));
    await relay?.drain();
    expect(seen).toEqual(['quick']);
    release.open();
    await slow;
    await relay?.drain();
    expect(seen).toEqual(['quick', 'slow']);
  });

  it('gives each event to one of two servers only', async () => {
    const seen = new Map<string, number>();
    const perServer = [0, 0];
    const { outbox, relays: both } = await relays(
      'two-servers',
      async (each, server) => {
        seen.set(each.id, (seen.get(each.id) ?? 0) + 1);
        perServer[server] = (perServer[server] ?? 0) + 1;
        await new Promise((resolve) => setTimeout(resolve, 2));
      },
      new Clock(),
      2,
    );
    for (let i = 0; i < 60; i++) await database.transaction(() => outbox.record({ ...event, target: `t${i}` }));
    await Promise.all(both.map((relay) => relay.drain()));
    expect(seen.size).toBe(60);
    expect([...seen.values()].every((times) => times === 1)).toBe(true);
    expect(Math.min(...perServer)).toBeGreaterThan(0);
  });

  it('deals with events in batches, and where one of them cannot be dealt with it holds up no other', async () => {
    const sizes: number[] = [];
    const seen: string[] = [];
    const outbox = new Outbox(database, new Clock(), REGISTRY);
    const relay = new OutboxRelay(database, new Clock(), outbox);
    relay.register('batches', async (events) => {
      sizes.push(events.length);
      if (events.some(({ target }) => target === 'b7')) throw new Error('not this one');
      seen.push(...events.map(({ target }) => target));
    });
    await relay.onApplicationBootstrap();
    const targets = Array.from({ length: 70 }, (_, at) => `b${at}`);
    for (const target of targets) await database.transaction(() => outbox.record({ ...event, target }));
    await relay.drain();
    // On a slow machine the one that failed is due again before the end.
    expect(sizes.slice(0, 52)).toEqual([50, ...Array.from({ length: 50 }, () => 1), expect.any(Number)]);
    expect(sizes[51]).toBeGreaterThanOrEqual(20);
    // The first batch was rolled back as a whole.
    expect(seen.sort()).toEqual(targets.filter((target) => target !== 'b7').sort());
    expect(
      await database.query(
        `SELECT c.attempts, e.target FROM event_claim c JOIN event e ON e.id = c.event_id WHERE c.consumer = 'batches'`,
      ),
    ).toEqual([{ attempts: expect.any(Number), target: 'b7' }]);
  });

  it('asks once for all consumers where nothing is due', async () => {
    const asked: string[] = [];
    const counted = new Database(scratch.source);
    const query = counted.query.bind(counted);
    counted.query = (text, values) => (asked.push(text), query(text, values));
    const relay = new OutboxRelay(counted, new Clock(), new Outbox(counted, new Clock(), REGISTRY));
    for (const name of ['first', 'second', 'third']) relay.register(`idle-${name}`, () => Promise.resolve());
    expect(await relay.drain()).toBe(0);
    expect(asked).toHaveLength(1);
  });

  it('rolls a failed consumer back, tries again later and gives up after twelve times', async () => {
    await database.execute('CREATE TABLE effect (note text)');
    const clock = new SetClock(Date.now());
    let working = false;
    const {
      outbox,
      relays: [relay],
    } = await relays(
      'failing',
      async (each) => {
        await database.execute('INSERT INTO effect VALUES ($1)', [each.target]);
        if (!working) throw new Error('no such host');
      },
      clock,
    );
    await database.transaction(() => outbox.record({ ...event, target: 'first' }));
    await relay?.drain();
    await relay?.drain();
    const passes = (seconds: number) =>
      database.execute(`UPDATE event_claim SET due_at = due_at - $1 * interval '1 second' WHERE consumer = 'failing'`, [
        seconds,
      ]);
    const claim = () =>
      database.one<{ attempts: number; dead: boolean; problem: string }>(
        `SELECT attempts, dead, problem FROM event_claim WHERE consumer = 'failing'`,
      );
    expect(await claim()).toEqual({ attempts: 1, dead: false, problem: 'no such host' });
    expect(await database.query('SELECT * FROM effect')).toEqual([]);
    working = true;
    await passes(1);
    await relay?.drain();
    expect(await claim()).toBeUndefined();
    expect(await database.query('SELECT * FROM effect')).toEqual([{ note: 'first' }]);

    working = false;
    await database.transaction(() => outbox.record({ ...event, target: 'second' }));
    for (let i = 0; i < 20; i++) {
      await relay?.drain();
      await passes(86_400);
    }
    expect(await claim()).toEqual({ attempts: 12, dead: true, problem: 'no such host' });
  });
});

describe('events that are over', () => {
  it('go in batches of 1,000 once every consumer has had them and their time has passed', async () => {
    await database.execute('DELETE FROM event');
    const outbox = new Outbox(database, new Clock(), REGISTRY);
    const relay = new OutboxRelay(database, new Clock(), outbox);
    let working = false;
    relay.register('keeper', async () => {
      if (!working) throw new Error('not now');
    });
    await relay.onApplicationBootstrap();
    const past = new PastEventsJob(database, { eventRetentionDays: 30 });
    const recordAt = async (daysAgo: number, count: number, claimed: boolean): Promise<void> => {
      await database.query(
        `WITH recorded AS (INSERT INTO event (id, type, target, at) SELECT g.id, 'space_updated', 'x', $2 FROM unnest($1::text[]) AS g (id) RETURNING id)
         INSERT INTO event_claim (consumer, event_id, due_at) SELECT 'keeper', id, now() FROM recorded WHERE $3`,
        [
          Array.from({ length: count }, () => newId(Date.now() - daysAgo * DAY)),
          new Date(Date.now() - daysAgo * DAY),
          claimed,
        ],
      );
    };
    await database.execute(`DELETE FROM event_consumer WHERE name <> 'keeper'`);
    await recordAt(31, 2100, false);
    await recordAt(31, 3, true);
    await recordAt(29, 5, false);
    const sizes: number[] = [];
    const execute = database.execute.bind(database);
    const counted = Object.assign(Object.create(database) as Database, {
      execute: async (...statement: Parameters<typeof execute>) =>
        sizes[sizes.push(await execute(...statement)) - 1] ?? 0,
    });
    expect(await new PastEventsJob(counted, { eventRetentionDays: 30 }).remove()).toBe(2100);
    expect(sizes).toEqual([1000, 1000, 100]);
    const left = async () => Number((await database.one<{ count: string }>('SELECT count(*) FROM event'))?.count);
    expect(await left()).toBe(8);
    // A consumer that has not had an event keeps it, also one that has given up.
    await relay.drain();
    await database.execute(
      `UPDATE event_claim SET dead = true WHERE event_id = (SELECT min(event_id) FROM event_claim)`,
    );
    expect(await past.remove()).toBe(0);
    working = true;
    await database.execute(`UPDATE event_claim SET due_at = now() - interval '1 second'`);
    await relay.drain();
    expect([await past.remove(), await left()]).toEqual([2, 6]);
    expect([await new PastEventsJob(database, { eventRetentionDays: 0 }).remove(), await left()]).toEqual([5, 1]);
  });
});

describe('retention', () => {
  const start = Date.UTC(2026, 10, 21, 12);
  const build = async () => {
    const clock = new SetClock(start);
    const [user, organization] = [newId(), newId()];
    await database.execute(
      `INSERT INTO account (id, display_name, email, created_at) VALUES ($1, 'Someone', $1 || '@example.com', $2)`,
      [user, clock.now()],
    );
    await database.execute(`INSERT INTO organization (id, title, created_at) VALUES ($1, 'Organization', $2)`, [
      organization,
      clock.now(),
    ]);
    const space = async (deletedAt: Date | null): Promise<string> => {
      const id = newId();
      await database.execute(
        `INSERT INTO space (id, organization_id, title, position, revision_id, created_by, created_at, updated_at, deleted_at) VALUES ($1, $2, 'Space', 'a', 'r', $3, $4, $4, $5)`,
        [id, organization, user, clock.now(), deletedAt],
      );
      await database.execute(
        'INSERT INTO space_member_grant (space_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)',
        [id, user, 'read', clock.now()],
      );
      return id;
    };
    const expired = new ExpiredSpacesJob(
      database,
      clock,
      new Outbox(database, clock, REGISTRY),
      new SpaceTables(database),
      idle,
      { retentionDays: 7 },
    );
    const left = async (): Promise<string[]> =>
      (
        await database.query<{ id: string }>('SELECT id FROM space WHERE organization_id = $1 ORDER BY id', [
          organization,
        ])
      ).map((row) => row.id);
    return { clock, user, organization, space, expired, left };
  };

  it('removes what was deleted more than seven days ago, to the millisecond', async () => {
    const { clock, organization, space, expired, left } = await build();
    const living = await space(null);
    const boundary = await space(new Date(start - 7 * DAY));
    const over = await space(new Date(start - 7 * DAY - 1));
    expect(await expired.remove()).toBe(1);
    expect(await left()).toEqual([living, boundary].sort());
    expect(
      await database.query('SELECT type, space_id, target FROM event WHERE organization_id = $1', [organization]),
    ).toEqual([{ type: 'space_removed', space_id: over, target: over }]);
    clock.advance(1);
    expect(await expired.remove()).toBe(1);
    expect(await left()).toEqual([living]);
    expect(await expired.remove()).toBe(0);
  });

  it('empties every table under the space in batches of at most 1,000, the space last', async () => {
    const { space, expired, left } = await build();
    const id = await space(new Date(start - 8 * DAY));
    const other = await space(null);
    await database.execute(`CREATE TABLE remark (
      space_id text COLLATE "C" REFERENCES space, id integer, parent_id integer, PRIMARY KEY (space_id, id), FOREIGN KEY (space_id, parent_id) REFERENCES remark (space_id, id))`);
    await database.execute(
      `CREATE TABLE copy (original_id text COLLATE "C" REFERENCES space, remark_id integer, FOREIGN KEY (original_id, remark_id) REFERENCES remark (space_id, id))`,
    );
    await database.execute('CREATE TABLE deletion (at integer GENERATED ALWAYS AS IDENTITY, name text, rows integer)');
    await database.execute(`CREATE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN INSERT INTO deletion (name, rows) SELECT TG_TABLE_NAME, count(*) FROM gone HAVING count(*) > 0; RETURN NULL; END'`);
    for (const table of ['remark', 'copy', 'space', 'document']) {
      await database.execute(
        `CREATE TRIGGER noted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_deletion()`,
      );
    }
    for (const each of [id, other]) {
      // A chain of replies: each row but the last is referred to by the next one.
      await database.execute('INSERT INTO remark SELECT $1, n, nullif(n - 1, 0) FROM generate_series(1, 12) n', [each]);
      await database.execute('INSERT INTO remark SELECT $1, n, 12 FROM generate_series(13, 2512) n', [each]);
      await database.execute('INSERT INTO copy SELECT $1, n FROM generate_series(1, 1500) n', [each]);
      await database.execute(
        `INSERT INTO document (space_id, hash, body, words, created_at) SELECT $1, decode(md5(n::text), 'hex'), '{}', 0, now() FROM generate_series(1, 1001) n`,
        [each],
      );
    }
    expect(await expired.remove()).toBe(1);
    expect(await left()).toEqual([other]);
    const counts = (table: string, column: string) =>
      database.query(`SELECT ${column} AS id, count(*)::integer FROM ${table} GROUP BY 1`);
    expect(await counts('remark', 'space_id')).toEqual([{ id: other, count: 2512 }]);
    expect(await counts('copy', 'original_id')).toEqual([{ id: other, count: 1500 }]);
    expect(await counts('document', 'space_id')).toEqual([{ id: other, count: 1001 }]);
    const deletions = await database.query<{ name: string; rows: number }>(
      'SELECT name, rows FROM deletion ORDER BY at',
    );
    expect(Math.max(...deletions.map((each) => each.rows))).toBe(1000);
    expect(deletions.filter((each) => each.name === 'copy').map((each) => each.rows)).toEqual([1000, 500]);
    expect(deletions.at(-1)).toEqual({ name: 'space', rows: 1 });
    expect(deletions.findLastIndex((each) => each.name === 'copy')).toBeLessThan(
      deletions.findIndex((each) => each.name === 'remark'),
    );
    await database.execute('DROP TABLE copy, remark, deletion');
    for (const table of ['space', 'document']) await database.execute(`DROP TRIGGER noted ON ${table}`);
  });

  it('leaves alone what is restored meanwhile', async () => {
    const { space, left, clock } = await build();
    const id = await space(new Date(start - 8 * DAY));
    class Restoring extends SpaceTables {
      override async inOrder() {
        const tables = await super.inOrder();
        await database.execute('UPDATE space SET deleted_at = NULL WHERE id = $1', [id]);
        return tables;
      }
    }
    const expired = new ExpiredSpacesJob(
      database,
      clock,
      new Outbox(database, clock, REGISTRY),
      new Restoring(database),
      idle,
      {
        retentionDays: 7,
      },
    );
    expect(await expired.remove()).toBe(0);
    expect(await left()).toEqual([id]);
    expect(await database.query('SELECT role FROM space_member_grant WHERE space_id = $1', [id])).toHaveLength(1);
  });

  it('goes on with the others when one cannot be removed, and says so', async () => {
    const { space, expired, left } = await build();
    const [first, second] = [await space(new Date(start - 9 * DAY)), await space(new Date(start - 8 * DAY))];
    await database.execute('CREATE TABLE obstacle (place text COLLATE "C")');
    await database.execute(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF OLD.id = (SELECT place FROM obstacle) THEN RAISE ''still needed''; END IF; RETURN OLD; END'`,
    );
    await database.execute('CREATE TRIGGER refused BEFORE DELETE ON space FOR EACH ROW EXECUTE FUNCTION refuse()');
    await database.execute('INSERT INTO obstacle VALUES ($1)', [first]);
    await expect(expired.remove()).rejects.toThrow('still needed');
    expect(await left()).toEqual([first]);
    await database.execute('DROP TRIGGER refused ON space');
    await database.execute('DROP TABLE obstacle');
    expect(await expired.remove()).toBe(1);
    expect(second).not.toBe(first);
  });

  it('knows every table that tells of a space, and puts children first', async () => {
    const tables = (await new SpaceTables(database).inOrder()).map((each) => each.table);
    expect(tables).toEqual(
      expect.arrayContaining(['site_space', 'space_member_grant', 'space_team_grant', 'document']),
    );
    expect(tables).not.toContain('event');
    expect(tables).not.toContain('space');
    const key = (table: string, parent: string, action = 'a') => ({ table, parent, action });
    expect(sortChildrenFirst(['a', 'b', 'c'], [key('c', 'b'), key('b', 'a'), key('a', 'a')])).toEqual(['c', 'b', 'a']);
    expect(sortChildrenFirst(['a', 'b'], [key('a', 'b'), key('b', 'a', 'n')])).toEqual(['a', 'b']);
    expect(() => sortChildrenFirst(['a', 'b'], [key('a', 'b'), key('b', 'a')])).toThrow('in a cycle: a, b');
  });
});

describe('logs', () => {
  it.each([
    ['/v1/spaces?limit=5&order=asc', '/v1/spaces?limit=5&order=asc'],
    ['/v1/spaces?page=abc.def', '/v1/spaces?page=[hidden]'],
    ['/x?jwt_token=abc&shareKey=def&a=1', '/x?jwt_token=[hidden]&shareKey=[hidden]&a=1'],
    ['/x?SAMLResponse=abc&RelayState=x', '/x?SAMLResponse=[hidden]&RelayState=[hidden]'],
    ['/x?to%6ben=abc', '/x?to%6ben=[hidden]'],
    ['/v1/auth/invitations/verysecret?a=1', '/v1/auth/invitations/[hidden]?a=1'],
    ['/v1/auth/sign-in-links/verysecret', '/v1/auth/sign-in-links/[hidden]'],
    ['/app/join/AbCdEfGh0123456789Xy/verysecret', '/app/join/AbCdEfGh0123456789Xy/[hidden]'],
    ['/x/bdy_0123456789?q=eyJhbGciOi.eyJzdWIi.c2ln', '/x/[hidden]?q=[hidden]'],
    ['/~files/A/b.png?v=1&expires=2&signature=abc', '/~files/A/b.png?v=1&expires=2&signature=[hidden]'],
  ])('%s', (url, logged) => expect(redactUrl(url)).toBe(logged));

  it('hides tokens and keys in any text', () => {
    const text =
      'Authorization: Bearer abc.def-ghi failed for bdy_k3Jx9 -----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY----- end';
    expect(redactText(text)).toBe('Authorization: [hidden] failed for [hidden] [hidden] end');
  });

  it('goes to standard output, and beside the results of commands to standard error', async () => {
    const written = (first: string) =>
      promisify(execFile)(process.execPath, [
        '--import',
        './test/faults/run-typescript.mjs',
        '--input-type=module',
        '--eval',
        `const { createLog, logToStandardError } = await import(${JSON.stringify(resolve('src/kernel/platform/telemetry/logger.ts'))});
         ${first}
         createLog({ logLevel: 'warn' }).info('a line below the level');
         createLog({ logLevel: 'warn' }).error('a line of the log');
         process.stdout.write('a result');`,
      ]);
    const [served, command] = await Promise.all([written(''), written('logToStandardError();')]);
    expect(served.stdout).toContain('a line of the log');
    expect(served.stdout).not.toContain('a line below the level');
    expect(command.stdout).toBe('a result');
    expect(command.stderr).toContain('a line of the log');
  });

  it('has one JSON line for each request, with who and without secrets', async () => {
    const lines: string[] = [];
    const log = createLog({ logLevel: 'info' }, [], { write: (line) => void lines.push(line) });
    const middleware = accessLog(log);
    const server = createServer((request, response) => {
      const context = {
        requestId: 'request-1',
        ip: '192.0.2.7',
        ifMatch: undefined,
        caller: { userId: 'User1', tokenId: 'Token1', organizationId: undefined, scopes: undefined },
      };
      runInContext(context, () =>
        middleware(request, response, () => {
          new NestLog(log).error(new Error('no bdy_insideerror'), 'Errors');
          response.statusCode = 503;
          response.end('{}');
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/user?token=geheim&limit=5`, {
      headers: { Authorization: 'Bearer bdy_verysecret', Cookie: 'a=geheim', 'User-Agent': 'spec' },
    });
    await new Promise((resolve) => server.close(resolve));
    expect(lines.join('')).not.toMatch(/geheim|verysecret|insideerror/);
    const [error, access] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(error).toMatchObject({ level: 'error', requestId: 'request-1', context: 'Errors', msg: 'no [hidden]' });
    expect(access).toMatchObject({
      level: 'error',
      requestId: 'request-1',
      ip: '192.0.2.7',
      userId: 'User1',
      tokenId: 'Token1',
      req: { method: 'GET', url: '/v1/user?token=[hidden]&limit=5', userAgent: 'spec' },
      res: { status: 503 },
      milliseconds: expect.any(Number),
    });
    expect((lines[1] ?? '').match(/requestId/g)).toHaveLength(1);
  });
});

describe('the running service', () => {
  const app = useApp({ METRICS_TOKEN: 'metrics-token-of-the-operator' });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${app.current.url}${path}`, { headers });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };

  it('is alive and ready', async () => {
    expect(await get('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect(await get('/readyz')).toMatchObject({ status: 200, text: '{"status":"ready"}' });
    expect((await fetch(`${app.current.url}/readyz`, { method: 'POST' })).status).toBe(405);
  });

  it('is ready without asking the database while replicas stand in for its primary', async () => {
    const source = await scratch.connect();
    const database = new Database(source);
    const health = new Health(database, source, app.current.get(StorageProbe));
    expect(await health.problems()).toEqual([]);
    Object.assign(database, { replicas: { standIn: true } });
    const asked = jest.spyOn(database, 'query').mockImplementation(() => new Promise(() => undefined));
    expect(await health.problems()).toEqual([]);
    expect(asked).not.toHaveBeenCalled();
    await source.destroy();
  });

  it('is not ready while migrating, nor without its database', async () => {
    const release = app.current.get(Health).hold('migrating');
    const answer = await get('/readyz');
    expect([answer.status, JSON.parse(answer.text), answer.headers.get('retry-after')]).toEqual([
      503,
      { error: { code: 503, message: 'Not ready: migrating' } },
      '5',
    ]);
    expect((await get('/healthz')).status).toBe(200);
    release();
    expect((await get('/readyz')).status).toBe(200);
    const source = await scratch.connect();
    const health = new Health(new Database(source), source, app.current.get(StorageProbe));
    expect(await health.problems()).toEqual([]);
    // Servers work on where a contracting one is missing.
    await source.query(
      `DELETE FROM migration WHERE id = (SELECT max(id) FROM migration WHERE name !~ 'Contract\\d+$')`,
    );
    expect(await new Health(new Database(source), source, app.current.get(StorageProbe)).problems()).toEqual([
      'migrating',
    ]);
    await source.destroy();
    expect(await health.problems()).toEqual(['the database cannot be reached']);
  });

  it('shows metrics on this machine and for the token only', async () => {
    await get('/v1/user');
    const metrics = await get('/metrics');
    expect(metrics.status).toBe(200);
    expect(metrics.text).toMatch(
      /bindery_http_request_duration_seconds_count\{method="GET",route="\/v1\/user",status="401"\} 1/,
    );
    expect(metrics.text).toMatch(/bindery_database_connections\{state="open"\} [1-9]/);
    expect(metrics.text).toContain('bindery_jobs{state="dead"} 0');
    expect(metrics.text).toContain('process_cpu_seconds_total');
    for (const header of ['X-Forwarded-For', 'Forwarded'])
      expect((await get('/metrics', { [header]: '127.0.0.1' })).status).toBe(403);
    expect(
      (await get('/metrics', { 'X-Forwarded-For': '203.0.113.9', Authorization: 'Bearer wrong-token-of-somebody' }))
        .status,
    ).toBe(403);
    expect(
      (
        await get('/metrics', {
          'X-Forwarded-For': '203.0.113.9',
          Authorization: 'Bearer metrics-token-of-the-operator',
        })
      ).status,
    ).toBe(200);
  });

  it('does its scheduled work once it is told to', async () => {
    const jobs = app.current.get(Jobs);
    expect(await jobs.isWaiting('spaces.remove-expired')).toBe(false);
    app.current.get(BackgroundWork).start();
    await jobs.enqueue('spaces.remove-expired', {});
    const end = Date.now() + 15_000;
    const done = async () =>
      Number(
        (
          await app.current.database.one<{ count: string }>(
            `SELECT count(*) FROM jobs.job WHERE name = 'spaces.remove-expired' AND state = 'completed'`,
          )
        )?.count,
      );
    while ((await done()) === 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await done()).toBeGreaterThan(0);
  });

  it('serves files from an origin of its own', async () => {
    const port = await app.current.get(PublicListener).listen();
    const response = await fetch(`http://127.0.0.1:${port}/~files/Unknown1/a.png`);
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: { code: 404, message: 'File not found' } },
    ]);
    expect((await fetch(`${app.current.url}/~files/Unknown1/a.png`)).status).toBe(404);
  });
});
