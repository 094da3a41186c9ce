import { AsyncLocalStorage } from 'node:async_hooks';

/** What one request has done beforehand, in the order in which it asked. */
class Results {
  readonly done: Promise<unknown>[] = [];
  asked = 0;
}

/** Thrown out of a transaction to have something done first, outside of it. */
class TransactionInterrupted extends Error {
  constructor(readonly work: () => Promise<unknown>) {
    super('this is done before the transaction');
  }
}

const storage = new AsyncLocalStorage<Results>();

/**
 * Runs work that may take long and must not hold a transaction open, such as fetching a file. Inside of
 * `replayTransaction` the transaction is left for it and tried again afterwards, then with the result that is there;
 * elsewhere it simply runs.
 */
export async function runOutsideTransaction<T>(work: () => Promise<T>): Promise<T> {
  const results = storage.getStore();
  if (!results) return work();
  const known = results.done[results.asked++];
  if (known === undefined) throw new TransactionInterrupted(work);
  return known as Promise<T>;
}

/** Runs a transaction as often as it takes until everything that it asks for `runOutsideTransaction` is done, errors included. */
export function replayTransaction<T>(transaction: () => Promise<T>): Promise<T> {
  const results = new Results();
  return storage.run(results, async () => {
    for (;;) {
      results.asked = 0;
      try {
        return await transaction();
      } catch (error) {
        if (!(error instanceof TransactionInterrupted)) throw error;
        const work = storage.exit(error.work);
        results.done.push(work);
        await work.catch(() => undefined);
      }
    }
  });
}
