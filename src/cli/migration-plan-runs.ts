import { withDatabase } from './database.js';
import { type PlannedMigration, planMigrations } from './migration-plan.js';
import { table } from './output.js';
import { withTemporaryDatabase } from './temporary.js';

/** `bindery migrate plan`, in the embedded database of a temporary folder unless an empty one is given. */
export const runPlan = (scratchUrl: string | undefined): Promise<PlannedMigration[]> =>
  withDatabase(({ url }, { manifests }) => {
    const plan = (scratch: string): Promise<PlannedMigration[]> => planMigrations(url, scratch, manifests);
    return scratchUrl === undefined ? withTemporaryDatabase(plan) : plan(scratchUrl);
  });

/** Tells of a migration that it runs beside servers of the release before, and changes what they use. */
export const breaksServers = ({
  phase,
  breaks,
  compatible,
}: Pick<PlannedMigration, 'phase' | 'breaks' | 'compatible'>): boolean =>
  phase === 'expand' && breaks.length > 0 && compatible === undefined;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function compatibilityLines(
  migration: Pick<PlannedMigration, 'phase' | 'breaks' | 'compatible' | 'batches'>,
): string[] {
  const { phase, breaks, compatible, batches } = migration;
  const reasons = breaks.map((reason) => `    ${reason}`);
  const isBreaking = breaksServers(migration);
  return [
    ...(isBreaking ? ['  Servers of the release before may fail:', ...reasons] : []),
    ...(phase === 'contract' ? ['  It waits until no server of the release before runs:', ...reasons] : []),
    ...(phase === 'expand' && !isBreaking
      ? [`  Servers of the release before work on${compatible === undefined ? '' : `: ${compatible}`}.`]
      : []),
    ...(batches === undefined
      ? []
      : [
          `  Running servers change ${batches.rows === null ? 'the' : `about ${batches.rows}`} rows of ${batches.table} behind it, ${batches.rowsOfBatch} at a time.`,
        ]),
  ];
}

/** The lines of a plan for people. */
export function planLines(planned: readonly PlannedMigration[], seconds: number): string[] {
  if (planned.length === 0) return ['The database is up to date.'];
  return [
    ...planned.flatMap(({ name, module, locks, seconds: own, ...migration }) => [
      `${name}${module === undefined ? '' : ` of ${module}`}: about ${own.toFixed(1)} s`,
      ...compatibilityLines(migration),
      ...table(
        locks.map(({ table: locked, mode, blocks, rows, bytes, work, seconds: time }) => ({
          table: locked,
          lock: mode,
          blocks,
          rows,
          size: megabytes(bytes),
          work: work.join(', ') || undefined,
          seconds: time,
        })),
      )
        .filter((line) => line !== '')
        .map((line) => `  ${line}`),
      '',
    ]),
    `Each of them runs in a transaction of its own: all together about ${seconds.toFixed(1)} s.`,
  ];
}
