import { parseArgs } from 'node:util';

export const PARTS = ['published', 'neighbours', 'vectors', 'size', 'peers', 'organizations'] as const;

/** What a run measures, from the command line and the environment. */
export interface Settings {
  readonly sizes: readonly number[];
  readonly seconds: number;
  readonly history: number;
  readonly seed: number;
  /** Organizations of the installation that is compared with one of a single organization. */
  readonly organizations: number;
  readonly json?: string;
  /**
   * `published` measures published pages alone, `neighbours` the influence of one organization on another, `vectors` the
   * search by meaning, `size` what pages take in the database, `peers` other products beside ours, `organizations` one
   * organization beside many others.
   */
  readonly part?: (typeof PARTS)[number];
}

function whole(name: string, text: string, least: number): number {
  if (!/^\d+$/.test(text) || Number(text) < least)
    throw new Error(`${name} must be a whole number of at least ${least}`);
  return Number(text);
}

/** Throws an error that names the setting whose value is wrong. */
export function readSettings(): Settings {
  const {
    values,
    positionals: [part, ...more],
  } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
  const alone = PARTS.find((name) => name === part);
  if (part !== alone || more.length > 0)
    throw new Error(`the parts that can be measured alone are ${PARTS.join(' and ')}`);
  const {
    BENCH_SIZES = alone === 'peers' || alone === 'organizations' ? '1000' : '100,1000,10000',
    BENCH_SECONDS = '0.5',
    BENCH_HISTORY = '2000',
    BENCH_SEED = '1',
    BENCH_ORGANIZATIONS = '10000',
  } = process.env;
  const sizes = BENCH_SIZES.split(',')
    .map((size) => whole('BENCH_SIZES', size.trim(), 100))
    .sort((left, right) => left - right);
  const seconds = Number(BENCH_SECONDS);
  if (!(seconds > 0 && seconds <= 60)) throw new Error('BENCH_SECONDS must be a number above 0 and up to 60');
  return {
    sizes,
    seconds,
    history: whole('BENCH_HISTORY', BENCH_HISTORY, 0),
    seed: whole('BENCH_SEED', BENCH_SEED, 0),
    organizations: whole('BENCH_ORGANIZATIONS', BENCH_ORGANIZATIONS, 2),
    ...(values.json !== undefined && { json: values.json }),
    ...(alone && { part: alone }),
  };
}
