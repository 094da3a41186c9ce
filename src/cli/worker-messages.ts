import type { MetricObject } from 'prom-client';
import type { Config } from '../kernel/platform/config/config.js';

/** The end of the server, by a signal or by the loss of the database. */
export type Stop = { readonly type: 'stop'; readonly cause: string | undefined; readonly loss: string | undefined };

/** All that a worker needs; it may hold secrets, and is therefore neither an argument nor in the environment. */
export type Start = {
  readonly type: 'start';
  readonly config: Config;
  readonly databaseUrl: string;
  /** This worker tells the operator of the addresses. */
  readonly announces: boolean;
};

/** Stored pages are to be sent until the database answers, which `start` then says. */
export type StandInOrder = { readonly type: 'stand-in'; readonly config: Config };

/** Messages to a worker: `complete` when all workers serve, `collect` asks for its metrics, `metrics` has those of all. */
export type ToWorker =
  | StandInOrder
  | Start
  | Stop
  | { readonly type: 'complete' }
  | { readonly type: 'collect'; readonly id: number }
  | { readonly type: 'metrics'; readonly id: number; readonly text: string };

/** Messages of a worker: `loaded` when it can be told to start, `serving` when both listeners are open. */
export type FromWorker =
  | { readonly type: 'loaded' }
  | { readonly type: 'serving'; readonly publicPort: number }
  | { readonly type: 'fault'; readonly message: string }
  | { readonly type: 'collected'; readonly id: number; readonly metrics: readonly MetricObject[] }
  | { readonly type: 'sum'; readonly id: number };
