import { parentPort, workerData } from 'node:worker_threads';
import { Unreadable } from '../domain/specification-problem.js';
import type { FromThread, Order, ToThread } from './messages.js';
import { readSpecification, type FetchedDocument } from './read-specification.js';

/* The thread in which a specification is read: it has memory and time of its own, and ends with the specification. */

const order = workerData as Order;
const waiting = new Map<string, (answer: ToThread) => void>();

parentPort?.on('message', (answer: ToThread) => waiting.get(answer.address)?.(answer));

function say(message: FromThread): void {
  parentPort?.postMessage(message);
}

function fetch(address: string): Promise<FetchedDocument> {
  return new Promise((resolve) => {
    waiting.set(address, ({ document }) => resolve(document));
    say({ kind: 'fetch', address });
  });
}

try {
  say({
    kind: 'read',
    specification: await readSpecification(order.text, {
      base: order.base,
      maxLength: order.maxLength,
      tolerant: order.tolerant,
      fetch,
    }),
  });
} catch (error) {
  if (!(error instanceof Unreadable)) throw error;
  say({ kind: 'unreadable', problems: error.problems, total: error.total });
} finally {
  parentPort?.close();
}
