import type { Config } from '../config/config.js';
import type { Registry } from '../manifest/registry.js';
import { FILE_STORAGES, type FileStorage } from './file-storage.js';
import { LocalStorage } from './local-storage.js';
import { MovingStorage } from './moving-storage.js';

/**
 * The file storage of the settings: that of an external module, or the one of FILES_STORAGE, which takes over files of
 * another one where FILES_MOVED_FROM says so. The S3 client is loaded
 * only where it is used: it is the largest package of all.
 */
export async function configuredStorage(config: Config, registry: Registry): Promise<FileStorage> {
  for (const make of registry.contributionsTo(FILE_STORAGES)) {
    const storage = await make(config);
    if (storage) return storage;
  }
  const present = await storageOf(config.filesStorage, config);
  if (config.filesMovedFrom === undefined) return present;
  return new MovingStorage(present, await storageOf(config.filesMovedFrom, config));
}

async function storageOf(kind: Config['filesStorage'], config: Config): Promise<FileStorage> {
  if (kind === 'local') return new LocalStorage(config.filesDir);
  const { S3Storage } = await import('./s3-storage.js');
  return new S3Storage(config);
}
