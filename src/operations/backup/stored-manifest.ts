import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { OperatorError } from '../../kernel/platform/operator-error.js';
import type { BackupRepository } from './backup-repository.js';
import { DamagedBackup } from './damaged-backup.js';
import { storedStream } from './stored-stream.js';

const FOLDER = 'backups/';
const NAME = /^(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}Z)-([0-9a-f]{16})$/;

const storedTable = z.object({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()).min(1),
  /** The columns that the rows are ordered by. */
  order: z.array(z.string()).min(1),
  stream: storedStream,
});
export type StoredTable = z.infer<typeof storedTable>;

const renderedPage = z.object({ space: z.string(), page: z.string(), sha256: z.string() });
export type RenderedPage = z.infer<typeof renderedPage>;

/** The contents of a backup. They are written last: without them there is no backup. */
const manifestSchema = z.object({
  /** The moment of the database that the backup shows. */
  at: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  release: z.string(),
  postgres: z.string(),
  /** The migrations that the database had, by the table that records them. */
  migrations: z.record(z.string(), z.array(z.string())),
  tables: z.array(storedTable),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The queues of background jobs, and the version of their schema; null for a database that no server has used. */
  queues: z.object({ version: z.string(), names: z.array(z.record(z.string(), z.unknown())) }).nullable(),
  files: z.object({
    count: z.int(),
    bytes: z.number(),
    /** Hashes of files in the list that the storage did not have. */
    missing: z.array(z.string()),
    stream: storedStream,
  }),
  /** Ids of the keys of SECRET_KEY that seal secrets in the database. */
  secretKeys: z.array(z.string()),
  /** A sample of pages, and the hashes of what they were rendered to. */
  pages: z.array(renderedPage),
  /** Bytes of objects that this backup added to the target. */
  storedBytes: z.number(),
});
export type BackupManifest = z.infer<typeof manifestSchema>;

/** A backup by its name in the target. */
export interface NamedBackup {
  readonly name: string;
  readonly at: Date;
}

/** All backups of a target, oldest first. */
export async function listBackups({ target }: BackupRepository): Promise<NamedBackup[]> {
  const found: NamedBackup[] = [];
  for await (const object of target.list(FOLDER)) {
    const name = object.name.slice(FOLDER.length);
    const [, time] = NAME.exec(name) ?? [];
    if (time !== undefined) found.push({ name, at: new Date(time.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')) });
  }
  return found.sort((one, other) => one.at.getTime() - other.at.getTime());
}

/**
 * The newest backup that is not of a later moment.
 * @throws OperatorError if there is none.
 */
export async function backupAt(repository: BackupRepository, at: Date | undefined): Promise<NamedBackup> {
  const backups = await listBackups(repository);
  const found = backups.findLast((backup) => at === undefined || backup.at <= at);
  if (found) return found;
  const { address } = repository.target;
  throw new OperatorError(
    at === undefined || backups.length === 0
      ? `There is no finished backup in ${address}`
      : `There is no backup in ${address} of ${at.toISOString()} or before`,
  );
}

/** Writes the manifest, under a name that tells its moment and ends with a mark of its text. */
export async function writeManifest(repository: BackupRepository, manifest: BackupManifest): Promise<NamedBackup> {
  const text = JSON.stringify(manifest);
  const name = `${manifest.at.replaceAll(':', '-')}-${repository.markOf(text)}`;
  await repository.write(`${FOLDER}${name}`, Buffer.from(text));
  return { name, at: new Date(manifest.at) };
}

/** @throws DamagedBackup if the manifest was changed. */
export async function readManifest(repository: BackupRepository, { name }: NamedBackup): Promise<BackupManifest> {
  const object = `${FOLDER}${name}`;
  const text = (await buffer(await repository.read(object))).toString('utf8');
  if (repository.markOf(text) !== NAME.exec(name)?.[2]) throw new DamagedBackup(object);
  return manifestSchema.parse(JSON.parse(text));
}

export const removeManifest = ({ target }: BackupRepository, { name }: NamedBackup): Promise<void> =>
  target.remove(`${FOLDER}${name}`);
