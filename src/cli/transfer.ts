import { basename, resolve } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { Addresses } from '../kernel/common/addresses.js';
import { Database } from '../kernel/common/database.js';
import { notFound } from '../kernel/common/errors.js';
import { type ExportResult, Exporter } from '../authoring/interchange/exporter.service.js';
import { guardedGitHttp } from '../authoring/interchange/git/guarded-http.js';
import { isRepositoryAddress, readRepositoryAddress } from '../authoring/interchange/git/repository-address.js';
import { withCheckout } from '../authoring/interchange/git/repository.js';
import type { ImportResult, ImportSource } from '../authoring/interchange/import-order.js';
import { Importer } from '../authoring/interchange/importer.service.js';
import { readFolder } from '../authoring/interchange/markdown-folder.js';
import { CONFIG, type Config } from '../kernel/platform/config/config.js';
import { OperatorError } from '../kernel/platform/operator-error.js';
import { Outbound } from '../kernel/platform/outbound/outbound.js';
import { SiteExports, type SiteExport } from '../publishing/sites/site-exports.service.js';
import { SiteImports, type SiteImportResult } from '../publishing/sites/site-imports.service.js';
import { Sites } from '../publishing/sites/sites.service.js';
import {
  StaticSites,
  type StaticSiteOrder,
  type StaticSiteResult,
} from '../publishing/published-sites/pages/static/static-sites.service.js';
import { Users } from '../identity/users/users.service.js';
import { withProgress } from './progress.js';
import { withServices } from './services.js';
import { folderAt } from './source.js';

/** The source of an import, its target organization and space, and its user. */
export type ImportOptions = {
  /** A folder on this machine, or the https address of a git repository. */
  readonly source: string;
  readonly organizationId: string;
  readonly title?: string | undefined;
  /** Branch, tag or commit of a repository. */
  readonly ref?: string | undefined;
  /** An existing space that will be replaced by the content of the source. */
  readonly spaceId?: string | undefined;
  /** An existing site that will be replaced by that of the source. */
  readonly siteId?: string | undefined;
  /** E-mail address; by default the organization's first administrator. */
  readonly user?: string | undefined;
};

/** The account with an address; without one the first administrator of the organization. */
export async function actingUser(
  services: INestApplicationContext,
  organizationId: string,
  email: string | undefined,
): Promise<string> {
  if (email !== undefined) {
    const user = await services.get(Users).findByEmail(email);
    if (!user) throw notFound(`An account for ${email} was`);
    return user.id;
  }
  const first = await services
    .get(Database)
    .one<{ id: string }>(
      `SELECT user_id AS id FROM member WHERE organization_id = $1 AND role = 'admin' AND NOT disabled ORDER BY joined_at, user_id LIMIT 1`,
      [organizationId],
    );
  if (!first) throw notFound(`An organization ${organizationId} with an administrator was`);
  return first.id;
}

/** Calls `work` with the content of a folder on this machine. */
async function withFolder<T>(path: string, work: (source: ImportSource) => Promise<T>): Promise<T> {
  return work(await readFolder(await folderAt(path)));
}

/** Calls `work` with the content of a repository at a commit. */
async function withRepository<T>(
  services: INestApplicationContext,
  { source, ref }: ImportOptions,
  work: (source: ImportSource) => Promise<T>,
): Promise<T> {
  const http = guardedGitHttp(services.get(Outbound));
  return withCheckout(
    { url: readRepositoryAddress(source), ...(ref !== undefined && { ref }) },
    http,
    async ({ folder, commit, objects, refused }) => {
      const { files, problems } = await readFolder(folder);
      const left = refused.map(({ path, message }) => ({ file: path, level: 'error' as const, message }));
      return work({ files, problems: [...problems, ...left], git: { commit, objects } });
    },
  );
}

function withSource<T>(
  services: INestApplicationContext,
  wish: ImportOptions,
  work: (source: ImportSource) => Promise<T>,
): Promise<T> {
  return isRepositoryAddress(wish.source) ? withRepository(services, wish, work) : withFolder(wish.source, work);
}

/** Makes a title for a space from the last part of a path or an address. */
const titleOf = (source: string): string =>
  basename(isRepositoryAddress(source) ? new URL(source).pathname.replace(/\.git\/?$/, '') : resolve(source)) ||
  'Documentation';

/** Imports a folder or a repository, with a progress bar on a terminal. */
export function importSource(
  services: INestApplicationContext,
  wish: ImportOptions,
  userId: string,
  quiet: boolean,
): Promise<ImportResult> {
  const { organizationId, spaceId, title = titleOf(wish.source) } = wish;
  const order = {
    organizationId,
    userId,
    title,
    ...(spaceId !== undefined && { target: { spaceId, mode: 'replace' as const } }),
  };
  return withProgress(`Importing ${title}`, quiet, (onProgress) =>
    withSource(services, wish, (source) => services.get(Importer).importFolder({ ...order, source, onProgress })),
  );
}

/** `bindery import`. */
export const runImport = (wish: ImportOptions, quiet: boolean): Promise<ImportResult> =>
  withServices(async (services) =>
    importSource(services, wish, await actingUser(services, wish.organizationId, wish.user), quiet),
  );

/** `bindery import --site`: a whole site. */
export const runSiteImport = (wish: ImportOptions, quiet: boolean): Promise<SiteImportResult> =>
  withServices(async (services) => {
    const { organizationId, siteId, title } = wish;
    const userId = await actingUser(services, organizationId, wish.user);
    return withProgress('Importing', quiet, (onProgress) =>
      withSource(services, wish, (source) =>
        services.get(SiteImports).importSite({
          organizationId,
          userId,
          source,
          onProgress,
          ...(siteId !== undefined && { siteId }),
          ...(title !== undefined && { title }),
        }),
      ),
    );
  });

/** `bindery export`: the primary content of a space as a new folder. */
export const runExport = (spaceId: string, folder: string, quiet: boolean): Promise<ExportResult> =>
  withServices((services) =>
    withProgress('Exporting', quiet, (onProgress) =>
      services.get(Exporter).exportSpace(spaceId, resolve(folder), onProgress),
    ),
  );

/** `bindery export --site`: a whole site as a new folder, as the first administrator of its organization sees it. */
export const runSiteExport = (siteId: string, folder: string, quiet: boolean): Promise<SiteExport> =>
  withServices(async (services) => {
    const site = await services.get(Sites).get(siteId);
    const userId = await actingUser(services, site.organizationId, undefined);
    return withProgress('Exporting', quiet, (onProgress) =>
      services.get(SiteExports).exportSite(userId, site, resolve(folder), onProgress),
    );
  });

/** Nobody reads these pages here: they are neither counted against a limit nor stored for readers to come. */
const FOR_NOBODY: Partial<Config> = { rateLimitAnonymousPerMinute: 0, publishedPagesDiskMb: 0 };

/** `bindery export-site`: a published site as static files for `url`, by default its own address. */
export const runStaticExport = (
  { site, folder, url, pdf }: Omit<StaticSiteOrder, 'onProgress'>,
  quiet: boolean,
): Promise<StaticSiteResult> =>
  withServices(
    async (services) => {
      const { apiUrl, publicUrl } = services.get<Config>(CONFIG);
      if (publicUrl !== undefined) services.get(Addresses).announce(apiUrl ?? publicUrl, publicUrl);
      else if (url === undefined)
        throw new OperatorError('The address of the files is not known: give --url, or set PUBLIC_URL');
      return withProgress('Exporting', quiet, (onProgress) =>
        services.get(StaticSites).write({ site, folder: resolve(folder), url, pdf, onProgress }),
      );
    },
    { onlyReads: true, settings: FOR_NOBODY },
  );
