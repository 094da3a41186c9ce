import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The share of a part of the server in the CPU time of its process. */
export interface Share {
  readonly part: string;
  readonly share: number;
}

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  /** Microseconds of the monotonic clock. */
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The part to which a file belongs; the first match. */
const PARTS: readonly (readonly [part: string, file: RegExp])[] = [
  ['log', /\/pino|@pinojs|telemetry\/(?:access-log|redact|logger)/],
  ['metrics', /\/prom-client\/|telemetry\/metrics/],
  ['rate limit and turns', /platform\/rate-limit\/|http\/fair-queue|\/event-loop/],
  ['headers, CORS, compression', /\/(?:helmet|cors|compression|on-headers|vary)\//],
  ['client of PostgreSQL', /\/pg(?:-[\w-]+)?\/|\/common\/database/],
  ['authentication and permission', /\/src\/kernel\/access\/|\/passport/],
  ['checks of query and body', /\/class-validator\/|\/class-transformer\/|common\/validation|http\/json/],
  ['Nest', /\/@nestjs\/|\/rxjs\/|\/reflect-metadata\//],
  ['Express', /\/node_modules\//],
  ['the page itself', /\/src\/authoring\//],
  ['the rest of the service', /\/src\//],
  ['contexts of Node', /async_hooks/],
];
const ELSEWHERE = 'HTTP and sockets of Node';
const GARBAGE = 'garbage collection';

/**
 * Shares of the CPU time of a process between two times of the monotonic clock (milliseconds), by its profile in
 * `folder`. Time in a library or Node counts for the nearest caller in `PARTS`.
 */
export function cpuShares(folder: string, from: number, to: number): Share[] {
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'));
  if (file === undefined) return [];
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile;
  const partOf = partsByNode(profile);
  const spent = new Map<string, number>();
  let at = profile.startTime;
  profile.samples.forEach((node, index) => {
    const delta = profile.timeDeltas[index] ?? 0;
    at += delta;
    const part = at >= from * 1000 && at <= to * 1000 ? partOf.get(node) : undefined;
    if (part !== undefined) spent.set(part, (spent.get(part) ?? 0) + delta);
  });
  const all = [...spent.values()].reduce((sum, time) => sum + time, 0);
  return [...spent]
    .map(([part, time]) => ({ part, share: time / all }))
    .sort((left, right) => right.share - left.share);
}

/** The part of each node of a profile; none for idle time. */
function partsByNode({ nodes }: Profile): Map<number, string | undefined> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<number, string | undefined>();
  const visit = (id: number, above: string | undefined): void => {
    const node = byId.get(id);
    if (node === undefined) return;
    const { functionName, url } = node.callFrame;
    const own = PARTS.find(([, pattern]) => pattern.test(url))?.[0] ?? above;
    parts.set(
      id,
      /^\((?:idle|program|root)\)$/.test(functionName)
        ? undefined
        : functionName === '(garbage collector)'
          ? GARBAGE
          : (own ?? ELSEWHERE),
    );
    for (const child of node.children ?? []) visit(child, own);
  };
  const [root] = nodes;
  if (root !== undefined) visit(root.id, undefined);
  return parts;
}
