import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secrets } from '../kernel/common/secrets.js';
import { type Config, keysOfFile } from '../kernel/platform/config/config.js';
import { assemble } from '../kernel/platform/manifest/registry.js';
import { configuredStorage } from '../kernel/platform/storage/configured-storage.js';
import { type CreatedBackup, createBackup } from '../operations/backup/create-backup.js';
import type { BackupManifest, NamedBackup } from '../operations/backup/stored-manifest.js';
import { RestoredCopies } from '../operations/backup/restored-copies.service.js';
import { requireKeys, type RestoredBackup, restoreBackup, withBackup } from '../operations/backup/restore-backup.js';
import { type Verification, verifyBackup } from '../operations/backup/verify-backup.js';
import { MANIFESTS } from '../manifests.js';
import { VERSION } from '../version.js';
import { EXISTING, type Note, withRepository } from './backup-repositories.js';
import { compareSample, renderSample } from './backup-pages.js';
import { type Configuration, readConfiguration } from './configuration.js';
import { withDatabase } from './database.js';
import { isMigrated, migrateTo, migrateUp } from './schema.js';
import { withServices, withServicesOn } from './services.js';
import { withTemporaryDatabase } from './temporary.js';

const storageOf = (config: Config, { manifests }: Pick<Configuration, 'manifests'>) =>
  configuredStorage(config, assemble([...MANIFESTS, ...manifests]));

/** `bindery backup create`. */
export const runCreate = (address: string, plain: boolean, note: Note): Promise<CreatedBackup> =>
  withDatabase((database, configuration) =>
    withRepository(address, database.config, { begins: true, plain }, note, async (repository) => {
      const { url, config } = database;
      const storage = await storageOf(config, configuration);
      const source = { databaseUrl: url, storage, release: VERSION };
      // A database that waits for its migrations is backed up as it is, but this release cannot show its pages.
      if (!(await isMigrated(url, configuration.manifests)))
        return createBackup(repository, { ...source, renderPages: async () => [] }, note);
      return withServicesOn(database, configuration.modules, (services) =>
        createBackup(repository, { ...source, renderPages: (snapshot) => renderSample(services, snapshot) }, note),
      );
    }),
  );

/** `bindery backup verify`, in the embedded database of a temporary folder unless an empty one is given. */
export async function runVerify(
  address: string,
  { at, databaseUrl }: { readonly at?: Date | undefined; readonly databaseUrl?: string | undefined },
  note: Note,
): Promise<NamedBackup & Verification & { pages: number }> {
  const configuration = await readConfiguration();
  return withRepository(address, configuration.config, EXISTING, note, (repository) =>
    withBackup(repository, at, note, ({ manifest, ...backup }) => {
      const verify = async (url: string) => {
        const found = await verifyBackup(repository, manifest, placeAt(url, configuration));
        const faults = [...found.faults, ...(await pageFaults(url, configuration, manifest))];
        return { ...backup, ...found, pages: manifest.pages.length, faults };
      };
      return databaseUrl === undefined ? withTemporaryDatabase(verify) : verify(databaseUrl);
    }),
  );
}

const placeAt = (databaseUrl: string, { manifests }: Configuration) => ({
  databaseUrl,
  migrateTo: (migrations: BackupManifest['migrations']) => migrateTo(databaseUrl, migrations, manifests),
});

async function pageFaults(url: string, configuration: Configuration, manifest: BackupManifest): Promise<string[]> {
  if (manifest.pages.length === 0) return [];
  await migrateUp(url, configuration.manifests);
  const { config } = configuration;
  const secretKey = config.secretKey.length > 0 ? config.secretKey : ['k'.repeat(32)];
  return withServicesOn({ url, config: { ...config, secretKey } }, configuration.modules, (services) =>
    compareSample(services, manifest.pages, manifest.release === VERSION),
  );
}

/** `bindery backup restore`, into the configured database, which has to be empty. */
export async function runRestore(
  address: string,
  { at, withoutKey }: { readonly at?: Date | undefined; readonly withoutKey: boolean },
  note: Note,
): Promise<RestoredBackup> {
  const configuration = await readConfiguration();
  return withRepository(address, configuration.config, EXISTING, note, (repository) =>
    withBackup(repository, at, note, async (backup) => {
      if (!withoutKey) requireKeys(backup.manifest, await presentKeys(configuration.config));
      await withDatabase(async ({ url, config }) => {
        const storage = await storageOf(config, configuration);
        await restoreBackup(repository, backup, { ...placeAt(url, configuration), storage });
        await migrateUp(url, configuration.manifests);
      });
      return backup;
    }),
  );
}

/** The ids of the keys at hand. That of an embedded database is made with it, if there is none yet. */
async function presentKeys({ secretKey, dataDir }: Config): Promise<string[]> {
  const file = join(dataDir, 'secret-key');
  const keys = secretKey.length > 0 || !existsSync(file) ? secretKey : keysOfFile(file, await readFile(file, 'utf8'));
  return keys.length === 0 ? [] : new Secrets(keys).keyIds;
}

/** `bindery backup activate`. Returns false if no copy waits for it. */
export const runActivate = (): Promise<boolean> =>
  withServices((services) => services.get(RestoredCopies).activate(), { onlyReads: true });
