import { OrganizationArchives } from '../operations/organization-archives/organization-archives.service.js';
import { toFile, toFolder } from '../operations/organization-archives/archive-sink.js';
import { openArchive } from '../operations/organization-archives/archive-source.js';
import type { ArchiveEnd } from '../operations/organization-archives/archive-format.js';
import type { OrganizationImportReport } from '../operations/organization-archives/import-organization.js';
import { findUser } from './accounts.js';
import { withProgress } from './progress.js';
import { withServices } from './services.js';

/** A name that stands for a compressed file; any other is that of a folder. */
const FILE = /\.(tar\.gz|tgz)$/i;

/** `bindery org export`. */
export const runOrganizationExport = (organizationId: string, path: string, quiet: boolean): Promise<ArchiveEnd> =>
  withServices(
    (services) =>
      withProgress('Exporting', quiet, async (progress) => {
        const archives = services.get(OrganizationArchives);
        const to = FILE.test(path) ? toFile : toFolder;
        return to(path, (sink) => archives.export(organizationId, sink, progress));
      }),
    { onlyReads: true },
  );

/** `bindery org import`. */
export const runOrganizationImport = (
  path: string,
  { owner, newIds }: { readonly owner?: string | undefined; readonly newIds: boolean },
  quiet: boolean,
): Promise<OrganizationImportReport> =>
  withServices((services) =>
    withProgress('Importing', quiet, async (progress) => {
      const userId = owner === undefined ? undefined : (await findUser(services, owner)).id;
      const options = { ids: newIds ? 'new' : 'kept', isTrusted: true, userId } as const;
      return services.get(OrganizationArchives).import(await openArchive(path), options, progress);
    }),
  );
