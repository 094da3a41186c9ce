import { Connection } from '../connection.js';
import { withClient } from '../databases.js';
import type { LoadGenerator } from '../load.js';
import { type Measured, measure, type Target } from '../measure.js';
import { cpuOfFamily, pause } from '../processes.js';
import { failuresOf, figure, section, table } from '../report.js';
import { type Operation, type Product, READS, WRITES } from './product.js';

/** So many times as much as each peer is wanted. */
const GOAL = 5;
const IDLE_SHARE = 0.2;
const IDLE_MS = 500;
const IDLE_PATIENCE_MS = 60_000;

/** How one operation of a peer compares with ours. */
export interface Comparison {
  readonly operation: string;
  readonly peer: string;
  readonly ours: number;
  readonly theirs: number;
  /** Undefined, with `met`, where requests of the peer failed, so that its figure is none. */
  readonly ratio?: number;
  readonly met?: boolean;
}

/** Waits until products have done what they do in the background after they were filled, at most a minute. */
async function untilIdle(products: readonly Product[]): Promise<void> {
  const used = (): number[] => products.map(({ server }) => cpuOfFamily(server.pid));
  const deadline = performance.now() + IDLE_PATIENCE_MS;
  for (let busy = true; busy && performance.now() < deadline;) {
    const before = used();
    await pause(IDLE_MS);
    busy = used().some((now, index) => now - (before[index] ?? 0) > IDLE_SHARE * IDLE_MS);
  }
}

/** The size of an answer to a request, which must be 200. */
async function sizeOf(product: Product, operation: Operation): Promise<number> {
  const connection = await Connection.open(product.server.port);
  const { status, body } = await connection.send(product.requests[operation][0] ?? '');
  connection.close();
  if (status !== 200)
    throw new Error(`${product.label}: ${operation} answered ${status}: ${body.toString().slice(0, 500)}`);
  return body.length;
}

async function targetsOf(
  products: readonly Product[],
  operations: readonly Operation[],
  connections: number,
): Promise<Target[]> {
  const targets: Target[] = [];
  for (const operation of operations)
    for (const product of products)
      targets.push({
        operation,
        subject: product.label,
        connections,
        server: product.server,
        lanes: [product.requests[operation]],
        expect: [200],
        bytes: WRITES.some((write) => write === operation) ? 0 : await sizeOf(product, operation),
      });
  return targets;
}

/** Measures all products in turns, with so many connections: first what reads, then what writes, which would disturb it. */
export async function measureProducts(
  products: readonly Product[],
  connections: number,
  load: LoadGenerator,
  databasePid: number,
  seconds: number,
): Promise<Measured[]> {
  await untilIdle(products);
  for (const { databaseUrl } of products) await withClient(databaseUrl, (client) => client.query('VACUUM ANALYZE'));
  const measured: Measured[] = [];
  for (const operations of [READS, WRITES])
    measured.push(...(await measure(await targetsOf(products, operations, connections), load, databasePid, seconds)));
  return measured;
}

const failed = ({ failures }: Measured): boolean => Object.keys(failures).length > 0;

/** Ours, the first product, beside each of the others. */
export function comparisonsOf(measured: readonly Measured[]): Comparison[] {
  const ours = new Map(
    measured.filter(({ subject }) => subject === measured[0]?.subject).map((each) => [each.operation, each]),
  );
  return measured.flatMap((theirs) => {
    const own = ours.get(theirs.operation);
    if (own === undefined || own === theirs) return [];
    const ratio = own.perSecond / theirs.perSecond;
    return {
      operation: theirs.operation,
      peer: theirs.subject,
      ours: own.perSecond,
      theirs: theirs.perSecond,
      ...(!failed(theirs) && { ratio, met: ratio >= GOAL && !failed(own) }),
    };
  });
}

/** All products, one under the other for each operation, with how many times as much ours does. */
export function peersSection(measured: readonly Measured[]): string {
  const comparisons = comparisonsOf(measured);
  const rows = measured.map((each) => {
    const compared = comparisons.find(({ operation, peer }) => operation === each.operation && peer === each.subject);
    const verdict = compared && (compared.met === undefined ? 'failures' : compared.met ? 'met' : 'NOT MET');
    return [
      each.operation,
      each.subject,
      figure(each.perSecond),
      figure(each.medianMs),
      figure(each.p99Ms),
      each.bytes === 0 ? undefined : each.bytes,
      failuresOf(each),
      compared?.ratio?.toFixed(1),
      verdict,
    ];
  });
  return section(
    `Bindery beside other products, ${measured[0]?.connections} connections (goal: ${GOAL} times as much as each in each)`,
    table(['operation', 'product', 'req/s', 'median ms', 'p99 ms', 'bytes', 'failures', 'times', 'goal'], rows),
  );
}
