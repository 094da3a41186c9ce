import { Connection } from './connection.js';
import { type LoadOrder, type LoadResult, SERIAL_MARK, summarize } from './load.js';
import { pause } from './processes.js';

/** A server that refuses connections is asked again after this time. */
const FAILURE_PAUSE_MS = 10;

/** Sends one lane's requests repeatedly until the time is over, and at least one. They are given in the parts around their marks. */
async function drive(
  order: LoadOrder,
  lane: readonly (readonly string[])[],
  offset: number,
  until: number,
  result: { latencies: number[]; failures: Record<string, number> },
): Promise<void> {
  let connection: Connection | undefined;
  for (let turn = offset; turn === offset || performance.now() < until; turn++) {
    const template = lane[turn % lane.length] ?? [];
    const request = template.length > 1 ? template.join(nextSerial()) : (template[0] ?? '');
    try {
      if (connection?.open !== true) connection = await Connection.open(order.port);
      const start = performance.now();
      const { status } = await connection.send(request);
      result.latencies.push(performance.now() - start);
      if (!order.expect.includes(status)) result.failures[status] = (result.failures[status] ?? 0) + 1;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      result.failures[reason] = (result.failures[reason] ?? 0) + 1;
      await pause(FAILURE_PAUSE_MS);
    }
  }
  connection?.close();
}

let serial = process.pid * 100_000;
const nextSerial = (): string => (serial++).toString(36).padStart(SERIAL_MARK.length, '0').slice(-SERIAL_MARK.length);

async function run(order: LoadOrder): Promise<LoadResult> {
  const collected = { latencies: [] as number[], failures: {} };
  const lanes = order.lanes.map((lane) => lane.map((request) => request.split(SERIAL_MARK)));
  const start = performance.now();
  const until = start + order.milliseconds;
  await Promise.all(
    Array.from({ length: order.connections }, (_, index) => {
      const lane = lanes[index % lanes.length] ?? [];
      return drive(order, lane, Math.floor((lane.length * index) / order.connections), until, collected);
    }),
  );
  return summarize(collected.latencies, collected.failures, performance.now() - start);
}

process.on('message', (order: LoadOrder) => void run(order).then((result) => process.send?.(result)));
process.on('disconnect', () => process.exit(0));
