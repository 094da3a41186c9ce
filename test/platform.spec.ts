import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { runInContext } from '../src/common/context.js';
import { Clock } from '../src/common/clock.js';
import { Database } from '../src/common/database.js';
import { Outbox, type OutboxEvent } from '../src/platform/outbox.js';
import { OutboxRelay } from '../src/platform/outbox-relay.js';
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

describe('outbox', () => {
  const event = { type: 'space.created', organizationId: 'Organization00000001', spaceId: 'Space000000000000001', target: 'Space000000000000001', payload: { title: 'Docs' } };
  const caller = { userId: 'User0000000000000001', tokenId: 'Token000000000000001', organizationId: undefined, scopes: undefined };
  const context = () => ({ requestId: 'r1', ip: '192.0.2.7', ifMatch: undefined, caller });

  it('refuses an event outside of a transaction', async () => {
    await expect(new Outbox(database, new Clock()).record(event)).rejects.toThrow(/transaction of its change/);
  });

  it('stores who did what from where, with the change', async () => {
    const outbox = new Outbox(database, new SetClock(Date.UTC(2026, 10, 21)));
    const id = await runInContext(context(), () => database.transaction(() => outbox.record(event)));
    expect(await database.one('SELECT * FROM event WHERE id = $1', [id])).toEqual({
      id,
      organization_id: 'Organization00000001',
      space_id: 'Space000000000000001',
      type: 'space.created',
      actor_id: 'User0000000000000001',
      token_id: 'Token000000000000001',
      ip: '192.0.2.7',
      target: 'Space000000000000001',
      payload: { title: 'Docs' },
      at: new Date(Date.UTC(2026, 10, 21)),
    });
  });

  it('leaves nothing behind when the change is rolled back', async () => {
    const outbox = new Outbox(database, new Clock());
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
  });

  async function relays(consumer: string, handler: (event: OutboxEvent, server: number) => Promise<void>, clock: Clock, servers = 1) {
    const outbox = new Outbox(database, clock);
    const made: OutboxRelay[] = [];
    for (let server = 0; server < servers; server++) {
      const own = server === 0 ? database : new Database(await scratch.connect());
      const relay = new OutboxRelay(own, clock, outbox);
      relay.register(consumer, (each) => handler(each, server));
      await relay.onApplicationBootstrap();
      made.push(relay);
    }
    return { outbox, relays: made };
  }

  it('gives a consumer events that commit after later ones were read', async () => {
    const clock = new SetClock(Date.now());
    const seen: string[] = [];
    const { outbox, relays: [relay] } = await relays('late-commits', async (each) => void seen.push(each.target), clock);
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

  it('rolls a failed consumer back, tries again later and gives up after twelve times', async () => {
    await database.execute('CREATE TABLE effect (note text)');
    const clock = new SetClock(Date.now());
    let working = false;
    const { outbox, relays: [relay] } = await relays(
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
    const claim = () => database.one<{ attempts: number; dead: boolean; problem: string }>(`SELECT attempts, dead, problem FROM event_claim WHERE consumer = 'failing'`);
    expect(await claim()).toEqual({ attempts: 1, dead: false, problem: 'no such host' });
    expect(await database.query('SELECT * FROM effect')).toEqual([]);
    working = true;
    clock.advance(1000);
    await relay?.drain();
    expect(await claim()).toBeUndefined();
    expect(await database.query('SELECT * FROM effect')).toEqual([{ note: 'first' }]);

    working = false;
    await database.transaction(() => outbox.record({ ...event, target: 'second' }));
    for (let i = 0; i < 20; i++) {
      await relay?.drain();
      clock.advance(DAY);
    }
    expect(await claim()).toEqual({ attempts: 12, dead: true, problem: 'no such host' });
  });
});
