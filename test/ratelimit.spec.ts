import { EventEmitter } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { QueryResultRow } from 'pg';
import { currentContext, runInContext } from '../src/kernel/common/context.js';
import { Database } from '../src/kernel/common/database.js';
import { DomainError } from '../src/kernel/common/errors.js';
import {
  BRIEF_MILLISECONDS,
  FairQueue,
  MOST_WAITING,
  TURN_MILLISECONDS,
} from '../src/kernel/platform/http/fair-queue.middleware.js';
import { blockOf, Budgets, windowNumber } from '../src/kernel/platform/rate-limit/budget.js';
import { CpuBudgets } from '../src/kernel/platform/rate-limit/cpu-budget.js';
import { addressGroup, RateLimit } from '../src/kernel/platform/rate-limit/rate-limit.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization, buildPerson } from './build.js';
import { Client, type Answer } from './client.js';
import { until } from './notification-desk.js';
import { scratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { SetClock } from './set-clock.js';

/** Counts what is asked of the database, and can be unreachable. */
class CountingDatabase extends Database {
  queries = 0;
  down = false;
  /** Calls that are not answered, while there are any to be kept. */
  silent: (() => void)[] | undefined;
  override one<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row | undefined> {
    this.queries++;
    const { silent } = this;
    if (silent) return new Promise<void>((resolve) => silent.push(resolve)).then(() => super.one<Row>(text, values));
    return this.down ? Promise.reject(new Error('connection refused')) : super.one<Row>(text, values);
  }
}

describe('budgets', () => {
  const MINUTE = 60_000;
  let scratch: ScratchDatabase;
  const clock = new SetClock(Math.floor(Date.now() / MINUTE) * MINUTE);

  beforeAll(async () => {
    Logger.overrideLogger(false);
    scratch = await scratchDatabase();
  });
  afterAll(() => scratch.drop());

  const server = async (): Promise<{ budgets: Budgets; database: CountingDatabase }> => {
    const database = new CountingDatabase(await scratch.connect());
    return { budgets: new Budgets(database, clock), database };
  };

  it.each([1, 2, 7, 10, 100, 1000])('lets exactly %i requests through one server', async (limit) => {
    const { budgets } = await server();
    let allowed = 0;
    const remaining: number[] = [];
    for (let i = 0; i < limit + 5; i++) {
      const standing = await budgets.spend(`exact ${limit}`, limit);
      if (standing.allowed) allowed++;
      remaining.push(standing.remaining);
      expect(standing.reset).toBe((windowNumber(clock.now()) + 1) * 60);
    }
    expect(allowed).toBe(limit);
    expect(remaining.slice(limit - 1)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(remaining.every((each, index) => index === 0 || each <= (remaining[index - 1] ?? 0))).toBe(true);
  });

  it('lets the same number through when all come at once', async () => {
    const { budgets } = await server();
    const standings = await Promise.all(Array.from({ length: 60 }, () => budgets.spend('burst', 40)));
    expect(standings.filter((each) => each.allowed)).toHaveLength(40);
  });

  it('shares the budget among servers, with at most one block too many for each', async () => {
    const limit = 400;
    const servers = await Promise.all([server(), server(), server()]);
    let allowed = 0;
    for (let i = 0; i < limit; i++) {
      for (const each of servers) if ((await each.budgets.spend('shared', limit)).allowed) allowed++;
    }
    expect(allowed).toBeGreaterThanOrEqual(limit);
    expect(allowed).toBeLessThanOrEqual(limit + servers.length * blockOf(limit));
  });

  it('is whole again in the next minute', async () => {
    const { budgets } = await server();
    for (let i = 0; i < 3; i++) await budgets.spend('window', 2);
    expect((await budgets.spend('window', 2)).allowed).toBe(false);
    clock.advance(MINUTE);
    expect(await budgets.spend('window', 2)).toMatchObject({ allowed: true, remaining: 1 });
  });

  it('costs hardly any query', async () => {
    const { budgets, database } = await server();
    for (let i = 0; i < 100; i++) await budgets.spend('quiet', 6000);
    expect(database.queries).toBe(0);
    for (let i = 0; i < 5900; i++) await budgets.spend('quiet', 6000);
    expect(database.queries).toBeLessThanOrEqual(21);
  });

  it('does not refuse while the database is away', async () => {
    const { budgets, database } = await server();
    database.down = true;
    for (let i = 0; i < 30; i++) expect((await budgets.spend('away', 10)).allowed).toBe(true);
  });

  it('waits a second for a silent database, and only once, and shares the budget again when it answers', async () => {
    const { budgets, database } = await server();
    const limit = 40;
    const spend = async (key: string, count: number): Promise<number> => {
      let allowed = 0;
      for (let i = 0; i < count; i++) if ((await budgets.spend(key, limit)).allowed) allowed++;
      return allowed;
    };
    const silent: (() => void)[] = (database.silent = []);
    const began = performance.now();
    expect(await spend('silent', 10)).toBe(10);
    expect(await spend('silent too', 10)).toBe(10);
    expect(performance.now() - began).toBeLessThan(2000);
    expect(database.queries).toBe(1);
    database.silent = undefined;
    for (const answer of silent) answer();
    await until(async () => (await budgets.spend('silent', limit)).allowed === false);
    const other = await server();
    const standings = [1, 2, 3].map(() => other.budgets.spend('silent', limit));
    // Its first block of two needs no answer of the database.
    expect((await Promise.all(standings)).map(({ allowed }) => allowed)).toEqual([true, true, false]);
  });

  it('asks no primary for which replicas stand in', async () => {
    const { budgets, database } = await server();
    Object.assign(database, { replicas: { standIn: true } });
    for (let i = 0; i < 30; i++) expect((await budgets.spend('replicas', 10)).allowed).toBe(true);
    expect(database.queries).toBe(0);
  });

  it('counts what has happened at once here and soon elsewhere', async () => {
    const [here, there] = [await server(), await server()];
    for (let i = 0; i < 5; i++) here.budgets.charge('charged', 4);
    expect(here.budgets.look('charged', 4)).toMatchObject({ allowed: false, remaining: 0 });
    while (here.database.queries < 4) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await there.budgets.spend('charged', 4)).allowed).toBe(true);
    expect((await there.budgets.spend('charged', 4)).allowed).toBe(false);
  });

  it('only looks', async () => {
    const { budgets } = await server();
    for (let i = 0; i < 5; i++) expect(budgets.look('looked', 3)).toMatchObject({ allowed: true, remaining: 3 });
  });
});

describe('addresses', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['nonsense', 'unknown'],
    [undefined, 'unknown'],
  ])('%s counts as %s', (ip, group) => expect(addressGroup(ip)).toBe(group));
});

describe('the middleware', () => {
  const LIMIT = 40;
  const ANONYMOUS = 60;
  const app = useApp({
    RATE_LIMIT_PER_MINUTE: String(LIMIT),
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: String(ANONYMOUS),
    TRUSTED_PROXIES: 'loopback',
    BODY_LIMIT: '1000',
  });
  let minute = Math.floor(Date.now() / 60_000) * 60_000;
  const nextMinute = (): void => app.current.setTime(new Date((minute += 60_000)));
  const from = (ip: string) => ({ headers: { 'X-Forwarded-For': ip } });
  const standing = (answer: Answer<unknown>) =>
    ['limit', 'remaining', 'reset'].map((name) => Number(answer.headers.get(`x-ratelimit-${name}`) ?? Number.NaN));

  beforeAll(() => nextMinute());

  it('tells every answer how the budget stands', async () => {
    const { api } = await buildPerson(app.current);
    const ip = from('198.51.100.1');
    const answers: [Answer<unknown>, number][] = [
      [await api.get('/user', ip), 200],
      [await api.get('/user', ip), 200],
      [await api.get('/nowhere', ip), 404],
      [await api.put('/user', {}, ip), 405],
      [await api.post('/user/tokens', undefined, { raw: '{', ...ip }), 400],
      [await api.post('/user/tokens', undefined, { raw: `{"a":"${'x'.repeat(2000)}"}`, ...ip }), 413],
      [await api.get('/spaces/A0000000000000000000', ip), 404],
      [await new Client(app.current.url, undefined).get('/user', ip), 401],
      [await new Client(app.current.url, undefined).get('/', ip), 200],
    ];
    expect(answers.map(([answer]) => answer.status)).toEqual(answers.map(([, status]) => status));
    const standings = answers.map(([answer]) => standing(answer));
    expect(standings.flat().some(Number.isNaN)).toBe(false);
    expect(standings.every(([, , reset]) => reset === minute / 1000 + 60)).toBe(true);
    expect(standings.map(([limit]) => limit)).toEqual([
      LIMIT,
      LIMIT,
      LIMIT,
      LIMIT,
      LIMIT,
      LIMIT,
      LIMIT,
      ANONYMOUS,
      ANONYMOUS,
    ]);
    expect(standings.slice(0, 7).map(([, remaining]) => remaining)).toEqual([39, 38, 37, 36, 35, 34, 33]);
  });

  it('has a budget for each token from its first request on, whatever its address has spent', async () => {
    nextMinute();
    const ip = from('198.51.100.9');
    const anonymous = new Client(app.current.url, undefined);
    for (let i = 0; i < ANONYMOUS; i++) await anonymous.get('/', ip);
    expect((await anonymous.get('/', ip)).status).toBe(429);
    const { api } = await buildPerson(app.current);
    expect((await api.get('/user', ip)).status).toBe(200);
  });

  it('answers 429 in the one error shape, for one token only, until the minute is over', async () => {
    nextMinute();
    const [greedy, modest] = [await buildPerson(app.current), await buildPerson(app.current)];
    await greedy.api.get('/user', from('198.51.100.2'));
    await modest.api.get('/user', from('198.51.100.2'));
    for (let i = 1; i < LIMIT; i++) expect((await greedy.api.get('/user', from('198.51.100.2'))).status).toBe(200);
    const refused = await greedy.api.get('/user', from('198.51.100.2'));
    expect([refused.status, refused.body]).toEqual([
      429,
      { error: { code: 429, message: `Too many requests: at most ${LIMIT} per minute` } },
    ]);
    expect([refused.headers.get('retry-after'), refused.headers.get('x-ratelimit-remaining')]).toEqual(['60', '0']);
    // Another address does not help a token, and the address does not harm other tokens.
    expect((await greedy.api.get('/user', from('198.51.100.3'))).status).toBe(429);
    expect((await modest.api.get('/user', from('198.51.100.2'))).status).toBe(200);
    nextMinute();
    expect((await greedy.api.get('/user', from('198.51.100.2'))).status).toBe(200);
  });

  it('limits callers without a token by address', async () => {
    nextMinute();
    const anyone = new Client(app.current.url, undefined);
    const statuses: number[] = [];
    for (let i = 0; i < ANONYMOUS + 3; i++) statuses.push((await anyone.get('/', from('198.51.100.4'))).status);
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([ANONYMOUS, 429]);
    expect((await anyone.get('/', from('198.51.100.5'))).status).toBe(200);
  });

  it('stops an address that tries tokens much earlier, but not the good token behind it', async () => {
    nextMinute();
    const person = await buildPerson(app.current);
    await person.api.get('/user', from('198.51.100.6'));
    const statuses: number[] = [];
    for (let i = 0; i < 10; i++)
      statuses.push((await new Client(app.current.url, `bdy_guess${i}`).get('/user', from('198.51.100.6'))).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429, 429, 429, 429, 429]);
    expect((await person.api.get('/user', from('198.51.100.6'))).status).toBe(200);
    // Asking for something that needs no token does not make a wrong one good.
    expect((await new Client(app.current.url, 'bdy_guess0').get('/', from('198.51.100.6'))).status).toBe(429);
    expect((await new Client(app.current.url, 'bdy_guess9').get('/user', from('198.51.100.7'))).status).toBe(401);
  });

  it('counts other wrong secrets against the address, too', async () => {
    nextMinute();
    const limit = app.current.get(RateLimit);
    for (let i = 0; i < 3; i++) {
      limit.checkSecretAttempts('198.51.100.8');
      limit.failedSecret('198.51.100.8');
    }
    expect(() => limit.checkSecretAttempts('198.51.100.8')).toThrow(/Too many requests/);
    limit.checkSecretAttempts('198.51.100.9');
  });

  it('shares what it counts although the request that was at fault is rolled back', async () => {
    nextMinute();
    const [workspace, { api }] = [await buildOrganization(app.current), await buildPerson(app.current)];
    const spent = () =>
      app.current.database.one<{ used: number }>(
        `SELECT used FROM rate_budget WHERE key = 'failed:198.51.100.30' AND window_number = $1`,
        [windowNumber(new Date(minute))],
      );
    for (let i = 0; i < 3; i++) {
      const headers = { 'X-Forwarded-For': '198.51.100.30', 'Idempotency-Key': `guess ${i}` };
      expect((await api.post(`/orgs/${workspace.id}/invites/guess${i}`, undefined, { headers })).status).toBe(404);
    }
    for (let waited = 0; (await spent())?.used !== 3 && waited < 50; waited++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await spent()).toEqual({ used: 3 });
    expect((await api.post(`/orgs/${workspace.id}/invites/guess`, undefined, from('198.51.100.30'))).status).toBe(429);
  });

  it('3b-41 holds over two servers', async () => {
    nextMinute();
    const second = await TestApp.start(
      { RATE_LIMIT_PER_MINUTE: String(LIMIT), RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0' },
      app.current.databaseUrl,
    );
    try {
      second.setTime(new Date(minute));
      const { api } = await buildPerson(app.current);
      const other = new Client(second.url, api.token);
      await api.get('/user', from('198.51.100.10'));
      await other.get('/user');
      let allowed = 0;
      for (let i = 0; i < LIMIT; i++) {
        for (const each of [api, other]) if ((await each.get('/user', from('198.51.100.10'))).status === 200) allowed++;
      }
      // Each server has had a first request of the token already.
      expect(allowed).toBeGreaterThanOrEqual(LIMIT - 2);
      expect(allowed).toBeLessThanOrEqual(LIMIT + 2 * blockOf(LIMIT));
    } finally {
      await second.close();
    }
  });

  it('leaves the operator alone', async () => {
    nextMinute();
    for (let i = 0; i < ANONYMOUS + 5; i++) {
      const response = await fetch(`${app.current.url}/healthz`);
      expect([response.status, response.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
    }
  });
});

describe('3b-41 turns', () => {
  const MINUTE = 60_000;
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const queue = (databasePoolSize: number, cpu = { cpuSharePerMinute: 0, cpuLimitPerMinute: 0 }) =>
    new FairQueue({ databasePoolSize }, new CpuBudgets(cpu));

  /** Asks for a turn of a party; `outcome` is undefined while it waits. */
  function ask(turns: FairQueue, name: string, isOrganization = true) {
    const response = new EventEmitter();
    const leave = () => void response.emit('close');
    const close = () => {
      leave();
      jest.advanceTimersByTime(0);
    };
    const context = { requestId: 'turn', ip: undefined, ifMatch: undefined, party: { name, isOrganization } };
    const within = <T>(work: () => T) => runInContext(context, work);
    const asked: {
      outcome: number | undefined;
      retryAfter?: string;
      party: string | undefined;
      leave(): void;
      close(): void;
      within<T>(work: () => T): T;
    } = { outcome: undefined, party: undefined, leave, close, within };
    within(() =>
      turns.handle({} as Request, response as unknown as Response, (error?: unknown) => {
        asked.outcome = error === undefined ? 200 : (error as DomainError).status;
        if (error instanceof DomainError) asked.retryAfter = error.headers['Retry-After'] ?? '';
        asked.party = currentContext()?.party?.name;
      }),
    );
    return asked;
  }

  it('are taken one after the other by each party, in its own context', () => {
    const turns = queue(4);
    const [first, second, third, left, last] = Array.from({ length: 5 }, () => ask(turns, 'greedy'));
    expect([first, second, third, left, last].map((asked) => asked?.outcome)).toEqual([
      200,
      200,
      undefined,
      undefined,
      undefined,
    ]);
    left?.close();
    runInContext(
      { requestId: 'other', ip: undefined, ifMatch: undefined, party: { name: 'modest', isOrganization: true } },
      () => first?.close(),
    );
    expect([third?.outcome, third?.party, left?.outcome, last?.outcome]).toEqual([200, 'greedy', undefined, undefined]);
    second?.close();
    expect(last?.outcome).toBe(200);
  });

  it('begin one after the other while another party is there, however many connections are free', () => {
    const turns = queue(10);
    const other = ask(turns, 'modest');
    const [first, second, third, fourth] = Array.from({ length: 4 }, () => ask(turns, 'greedy'));
    const outcomes = () => [first, second, third, fourth].map((asked) => asked?.outcome);
    expect([other.outcome, ...outcomes()]).toEqual([200, 200, undefined, undefined, undefined]);
    first?.close();
    expect(outcomes()).toEqual([200, 200, undefined, undefined]);
    // What takes long waits for something else, and keeps no others of its party waiting.
    jest.advanceTimersByTime(BRIEF_MILLISECONDS + 1);
    expect(outcomes()).toEqual([200, 200, 200, undefined]);
    // Alone again, it may have what is free.
    other.close();
    jest.advanceTimersByTime(1001);
    ask(turns, 'greedy');
    expect([outcomes(), ask(turns, 'greedy').outcome]).toEqual([[200, 200, 200, 200], 200]);
  });

  it('are held back by organizations only, not by whoever else asks', () => {
    const turns = queue(4);
    ask(turns, '192.0.2.1', false);
    ask(turns, 'the hash of a token that nobody has seen', false);
    expect([ask(turns, 'greedy').outcome, ask(turns, 'greedy').outcome]).toEqual([200, 200]);
  });

  it('come in the order in which they were asked for', () => {
    const turns = queue(2);
    const [first, older] = [ask(turns, 'greedy'), ask(turns, 'greedy')];
    first.leave();
    const newer = ask(turns, 'greedy');
    jest.advanceTimersByTime(0);
    expect([older.outcome, newer.outcome]).toEqual([200, undefined]);
  });

  it('end in time where an answer is read slowly, once', () => {
    const turns = queue(2);
    const slow = ask(turns, 'greedy');
    jest.advanceTimersByTime(TURN_MILLISECONDS - 1000);
    const next = ask(turns, 'greedy');
    jest.advanceTimersByTime(1001);
    expect(next.outcome).toBe(200);
    slow.close();
    expect(ask(turns, 'greedy').outcome).toBeUndefined();
    next.close();
  });

  it('are waited for by so many and for so long, and then refused', () => {
    const turns = queue(2);
    const hold = () => ask(turns, 'greedy');
    hold();
    jest.advanceTimersByTime(1000);
    const waiting = Array.from({ length: MOST_WAITING }, hold);
    expect([hold().outcome, waiting[0]?.outcome]).toEqual([429, undefined]);
    jest.advanceTimersByTime(MINUTE);
    expect([waiting[0]?.outcome, waiting[1]?.outcome, waiting.at(-1)?.outcome]).toEqual([200, 429, 429]);
    expect(ask(turns, 'greedy').outcome).toBe(200);
  });

  it('pause for as long as the last one has worked, once an organization has used more than its share beside others', () => {
    const turns = queue(10, { cpuSharePerMinute: 10, cpuLimitPerMinute: 0 });
    const greedy = { name: 'greedy', isOrganization: true };
    ask(turns, 'modest');
    ask(turns, 'greedy').close();
    turns.charge(greedy, 10_000);
    const within = ask(turns, 'greedy');
    expect(within.outcome).toBe(200);
    turns.charge(greedy, 800);
    within.close();
    ask(turns, 'modest').close();
    const beyond = ask(turns, 'greedy');
    jest.advanceTimersByTime(799);
    expect([beyond.outcome, ask(turns, 'modest').outcome]).toEqual([undefined, 200]);
    jest.advanceTimersByTime(2);
    expect(beyond.outcome).toBe(200);
    // However dear it was, nobody is given up.
    turns.charge(greedy, 60_000);
    beyond.close();
    const last = ask(turns, 'greedy');
    for (let second = 0; second < 4; second++) {
      jest.advanceTimersByTime(999);
      ask(turns, 'modest').close();
    }
    expect(last.outcome).toBeUndefined();
    jest.advanceTimersByTime(1100);
    expect(last.outcome).toBe(200);
  });

  it('do not pause while nobody else is there, and go on as soon as the others have gone', () => {
    const turns = queue(10, { cpuSharePerMinute: 10, cpuLimitPerMinute: 0 });
    const greedy = { name: 'greedy', isOrganization: true };
    ask(turns, 'greedy').close();
    turns.charge(greedy, 55_000);
    expect(ask(turns, 'greedy').outcome).toBe(200);
    ask(turns, 'modest').close();
    turns.charge(greedy, 4000);
    const waiting = ask(turns, 'greedy');
    expect(waiting.outcome).toBeUndefined();
    jest.advanceTimersByTime(2100);
    expect(waiting.outcome).toBe(200);
  });

  it('are refused beyond the limit of a minute, alone or not, until enough of it has passed', () => {
    const turns = queue(10, { cpuSharePerMinute: 0, cpuLimitPerMinute: 20 });
    const party = { name: '192.0.2.7', isOrganization: false };
    jest.advanceTimersByTime(5000 - (performance.now() % 5000));
    turns.charge(party, 15_000);
    jest.advanceTimersByTime(10_000);
    expect(ask(turns, party.name, false).outcome).toBe(200);
    turns.charge(party, 5000);
    const refused = ask(turns, party.name, false);
    expect([refused.outcome, refused.retryAfter, ask(turns, 'another').outcome]).toEqual([429, '50', 200]);
    jest.advanceTimersByTime(49_000);
    expect(ask(turns, party.name, false).outcome).toBe(429);
    jest.advanceTimersByTime(1000);
    expect(ask(turns, party.name, false).outcome).toBe(200);
  });

  it('are given away while a body arrives, and taken again', async () => {
    const turns = queue(2);
    const slow = ask(turns, 'greedy');
    let arrive = (_body: string): void => undefined;
    const body = slow.within(() => turns.outside(() => new Promise<string>((resolve) => (arrive = resolve))));
    jest.advanceTimersByTime(0);
    const other = ask(turns, 'greedy');
    expect(other.outcome).toBe(200);
    let got: string | undefined;
    const taken = body.then((text) => (got = text));
    arrive('{}');
    for (let i = 0; i < 10; i++) await Promise.resolve();
    expect(got).toBeUndefined();
    other.close();
    await taken;
    expect([got, ask(turns, 'greedy').outcome]).toEqual(['{}', undefined]);
  });
});
