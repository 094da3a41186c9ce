import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../src/kernel/common/database.js';
import { scratchDatabase, type ScratchDatabase } from './scratch-database.js';

let scratch: ScratchDatabase;
let database: Database;

beforeAll(async () => {
  scratch = await scratchDatabase();
  database = new Database(scratch.source);
  await database.execute('CREATE TABLE note (text text)');
});
beforeEach(() => database.execute('TRUNCATE note'));
afterAll(() => scratch.drop());

const add = (text: string): Promise<number> => database.execute('INSERT INTO note VALUES ($1)', [text]);
/** What is committed. */
const notes = async (): Promise<string[]> =>
  database
    .apart(() => database.query<{ text: string }>('SELECT text FROM note ORDER BY text'))
    .then((rows) => rows.map(({ text }) => text));
const transactionId = async (): Promise<string | undefined> =>
  (await database.one<{ id: string }>('SELECT pg_current_xact_id()::text AS id'))?.id;
const deadlock = (): Error => Object.assign(new Error('deadlock detected'), { code: '40P01' });
const nothing = (): Promise<void> => Promise.resolve();

describe('a transaction', () => {
  it('is left without effect by an error, and by others that are still at work in it', async () => {
    let straggler: Promise<unknown> = nothing();
    const failing = database.transaction(async () => {
      await add('one');
      straggler = new Promise((resolve) => setTimeout(resolve, 20)).then(() => add('late'));
      straggler.catch(() => undefined);
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    await expect(straggler).rejects.toThrow('the transaction of this work is over');
    expect(await notes()).toEqual([]);
  });

  it('is tried again after a deadlock, and its effects come once', async () => {
    let attempts = 0;
    let effects = 0;
    await database.transaction(async () => {
      database.afterCommit(() => effects++);
      await add(`attempt ${++attempts}`);
      if (attempts < 3) throw deadlock();
    });
    expect([await notes(), effects]).toEqual([['attempt 3'], 1]);
  });
});

describe('a deferred transaction', () => {
  it('begins with the first transaction in it, and is one with all others and what finishes it', async () => {
    const seen: string[] = [];
    const result = await database.deferredTransaction(
      async () => void seen.push('begun'),
      async () => {
        seen.push(database.inTransaction ? 'inside' : 'outside');
        await add('before');
        expect(await notes()).toEqual(['before']);
        const first = await database.transaction(() => add('first').then(transactionId));
        expect(await notes()).toEqual(['before']);
        const second = await database.transaction(() => add('second').then(transactionId));
        expect(second).toBe(first);
        return 'made';
      },
      async (made) => void (await add(`finished: ${made}`)),
    );
    expect([result, seen]).toEqual(['made', ['outside', 'begun']]);
    expect(await notes()).toEqual(['before', 'finished: made', 'first', 'second']);
  });

  it('begins where it is finished, if not before', async () => {
    const seen: boolean[] = [];
    await database.deferredTransaction(
      async () => void seen.push(database.inTransaction),
      nothing,
      async () => void (await add('finished')),
    );
    expect([seen, await notes()]).toEqual([[true], ['finished']]);
  });

  it.each(['begun', 'work', 'finish'])('has no effect where %s throws, and leaves no connection open', async (step) => {
    const failIn = async (name: string): Promise<void> => {
      if (name === step) throw new Error(`failed in ${name}`);
    };
    for (let round = 0; round < 30; round++) {
      const failing = database.deferredTransaction(
        () => failIn('begun'),
        () => database.transaction(() => add('made')).then(() => failIn('work')),
        () => failIn('finish'),
      );
      await expect(failing).rejects.toThrow(`failed in ${step}`);
    }
    expect(await notes()).toEqual([]);
  });

  it('tries only its first transaction again', async () => {
    let prepared = 0;
    let begun = 0;
    let attempts = 0;
    await database.deferredTransaction(
      async () => void begun++,
      async () => {
        prepared++;
        await database.transaction(async () => {
          await add(`attempt ${++attempts}`);
          if (attempts < 3) throw deadlock();
        });
      },
      nothing,
    );
    expect([prepared, begun, attempts, await notes()]).toEqual([1, 3, 3, ['attempt 3']]);
    const late = database.deferredTransaction(
      nothing,
      async () => {
        await database.transaction(() => add('first'));
        await database.transaction(() => Promise.reject(deadlock()));
      },
      nothing,
    );
    await expect(late).rejects.toThrow('deadlock detected');
    expect(await notes()).toEqual(['attempt 3']);
  });

  it('is begun once by transactions that come together', async () => {
    let begun = 0;
    await database.deferredTransaction(
      async () => void begun++,
      async () => {
        const ids = await Promise.all(
          ['a', 'b', 'c'].map((text) => database.transaction(() => add(text).then(transactionId))),
        );
        expect(new Set(ids).size).toBe(1);
      },
      nothing,
    );
    expect([begun, await notes()]).toEqual([1, ['a', 'b', 'c']]);
  });

  it('refuses work that outlasts it', async () => {
    let late: () => Promise<unknown> = nothing;
    await database.deferredTransaction(
      nothing,
      async () => {
        let open = (): void => undefined;
        const opened = new Promise<void>((resolve) => (open = resolve));
        const waiting = opened.then(() => database.transaction(() => add('late')));
        waiting.catch(() => undefined);
        late = () => (open(), waiting);
      },
      nothing,
    );
    await expect(late()).rejects.toThrow('the transaction of this work is over');
    expect(await notes()).toEqual([]);
  });
});
