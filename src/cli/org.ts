import { Command } from '@commander-js/extra-typings';
import { emailArgument, titleArgument } from './arguments.js';
import { Output } from './output.js';

/** `bindery org create|list|ip-allow-list|export|import`. */
export function orgCommand(): Command {
  const org = new Command('org').description('Manage organizations');
  org
    .command('create')
    .description('Create an organization')
    .argument('<title>', 'its title', titleArgument)
    .requiredOption('--owner <email>', 'the account that becomes its first administrator', emailArgument)
    .option('--json', 'print JSON')
    .action(async (title, { owner, json = false }) => {
      const { createOrganization } = await import('./accounts.js');
      const output = new Output(json);
      const id = await createOrganization(title, owner);
      output.result({ id, title, owner }, [`Created the organization ${id} (${title}).`]);
    });
  org
    .command('list')
    .description('List all organizations, oldest first')
    .option('--json', 'print JSON')
    .action(async ({ json = false }) => {
      const { listOrganizations } = await import('./listings.js');
      await new Output(json).list('organizations', 'There are none.', listOrganizations);
    });
  org
    .command('ip-allow-list')
    .description('Show the addresses from which members reach an organization, or let all in')
    .argument('<organization>', 'its id')
    .option('--clear', 'let all addresses in, for an organization that has locked itself out')
    .option('--json', 'print JSON')
    .action(async (id, { clear = false, json = false }) => {
      const { clearIpAllowList, ipAllowListOf } = await import('./accounts.js');
      const ranges = clear ? await clearIpAllowList(id) : await ipAllowListOf(id);
      new Output(json).result({ id, ranges }, ranges.length === 0 ? ['All addresses are let in.'] : ranges);
    });
  return org.addCommand(exportCommand()).addCommand(importCommand());
}

function exportCommand(): Command<[string, string], Record<string, unknown>> {
  return new Command('export')
    .description('Write an organization with its history and files as an archive, while servers run')
    .argument('<organization>', 'its id')
    .argument('<path>', 'new file that ends with .tar.gz or .tgz, or a new or empty folder')
    .option('--json', 'print JSON')
    .action(async (organization, path, { json = false }) => {
      const { runOrganizationExport } = await import('./organization-archives.js');
      const { rowsIn } = await import('../operations/organization-archives/archive-format.js');
      const { rows, files, missing } = await runOrganizationExport(organization, path, json);
      new Output(json).result({ organization, path, rows, files, missing }, [
        ...missing.map((hash) => `The file ${hash} is missing in the file storage.`),
        `Wrote ${rowsIn(rows)} rows and ${files.count} files to ${path}.`,
      ]);
    });
}

function importCommand(): Command<[string], Record<string, unknown>> {
  return new Command('import')
    .description('Import an organization from an archive; it appears once all of it is there')
    .argument('<path>', 'the file or folder that org export has written')
    .option('--owner <email>', 'account that becomes an administrator beside those of the archive', emailArgument)
    .option('--new-ids', 'give everything a new id; by default ids stay where all of them are free')
    .option('--json', 'print JSON')
    .action(async (path, { owner, newIds = false, json = false }) => {
      const { runOrganizationImport } = await import('./organization-archives.js');
      const { rowsIn } = await import('../operations/organization-archives/archive-format.js');
      const report = await runOrganizationImport(path, { owner, newIds }, json);
      const { people, rows, files, missingFiles, notes, title, organizationId, ids } = report;
      new Output(json).result(report, [
        ...notes,
        ...missingFiles.map((hash) => `The file ${hash} was missing where the archive was made.`),
        ...people.waiting.map((email) => `${email} is disabled as a member until an administrator changes that.`),
        `Imported ${title} as ${organizationId}, with ${ids === 'new' ? 'new ids' : 'its ids'}: ${rowsIn(rows)} rows, ${files} files, ${people.made} new and ${people.known} known accounts.`,
      ]);
    });
}
