import cluster from 'node:cluster';

/** The variable by which the main process tells a worker its number and how many there are, as in `2/3`. */
export const WORKER_VARIABLE = 'BINDERY_WORKER';

// Other programs fork with `node:cluster` too: such a process is a server of its own.
const place = cluster.isWorker ? /^(\d+)\/(\d+)$/.exec(process.env[WORKER_VARIABLE] ?? '') : null;

/** The number of this process among the workers of a server, from 1; undefined for a server of one process. */
export const WORKER = place === null ? undefined : Number(place[1]);

/** The number of processes of this server that answer requests. */
export const PROCESSES = place === null ? 1 : Number(place[2]);
