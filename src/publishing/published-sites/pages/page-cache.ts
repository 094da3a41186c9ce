import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Secrets } from '../../../kernel/common/secrets.js';
import type { Config } from '../../../kernel/platform/config/config.js';
import { DiskCache } from '../../../kernel/platform/storage/disk-cache.js';
import { VERSION } from '../../../version.js';

const FOLDER = 'published-pages';
const MEGABYTE = 1024 ** 2;
const DAY = 24 * 3600 * 1000;
/** Milliseconds after which a page is made again, so that nothing of a site that is gone stays for long. */
export const LIFETIME = 7 * DAY;
/** The compiled sources of the service. */
const SOURCES = fileURLToPath(new URL('../../../', import.meta.url));

/** The folder of stored pages. */
export function pageCache({
  dataDir,
  publishedPagesDiskMb,
}: Pick<Config, 'dataDir' | 'publishedPagesDiskMb'>): DiskCache {
  return new DiskCache(join(dataDir, FOLDER), publishedPagesDiskMb * MEGABYTE, LIFETIME);
}

/** The settings that decide it. */
export type StandInSettings = Pick<
  Config,
  'databaseUrl' | 'publishedAwaySeconds' | 'publishedDelaySeconds' | 'publishedPagesDiskMb'
>;

/** Tells whether a server that starts may send stored pages until it has its database, which is not embedded then. */
export function standsIn(settings: StandInSettings): boolean {
  return (
    settings.databaseUrl !== undefined &&
    settings.publishedAwaySeconds > 0 &&
    settings.publishedDelaySeconds > 0 &&
    settings.publishedPagesDiskMb > 0
  );
}

/** Tells whether pages are stored. */
export const hasStoredPages = (config: Config): Promise<boolean> => pageCache(config).hasFiles();

/** Changes with everything beside the database that pages follow from: the program, its modules and its settings. */
export async function versionOfPages(config: Config, modules: readonly string[], secrets: Secrets): Promise<string> {
  const { port: _port, publicPort: _publicPort, ...settings } = config;
  return secrets.sign(
    'published-page',
    JSON.stringify([VERSION, process.version, await stateOfFolder(SOURCES), [...modules].sort(), settings]),
  );
}

/** Changes with each new build of the sources in a folder. */
async function stateOfFolder(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.[jt]s$/.test(name)).sort();
  const facts = await Promise.all(names.map((name) => stat(join(folder, name))));
  for (const [index, { size, mtimeMs }] of facts.entries()) hash.update(`${names[index] ?? ''} ${size} ${mtimeMs}\n`);
  return hash.digest('hex');
}
