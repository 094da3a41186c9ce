import { Command } from '@commander-js/extra-typings';
import { emailArgument } from './arguments.js';
import { Output } from './output.js';
import { problemLines } from './problem-lines.js';
import { checkSource } from './source.js';

/** `bindery import`. */
export function importCommand() {
  return new Command('import')
    .description('Import a folder of Markdown, or a git repository, into a space; or a whole site')
    .argument('<source>', 'folder, or https address of a git repository')
    .requiredOption('--org <id>', 'organization of the space or the site')
    .option('--title <title>', 'title of the new space, by default the name of the source; or that of the site')
    .option('--ref <name>', 'branch, tag or commit of the repository; by default its default branch')
    .option('--space <id>', 'existing space whose content the source replaces')
    .option('--site', 'import the site that gitbook-docs.yaml in the source describes, with all of its spaces')
    .option('--site-id <id>', 'existing site that the one of the source replaces')
    .option(
      '--user <email>',
      'e-mail address of the importing user; by default the first administrator of the organization',
      emailArgument,
    )
    .option('--json', 'print JSON')
    .action(async (source, { org, title, ref, space, site, siteId, user, json = false }, command) => {
      const isSite = site === true || siteId !== undefined;
      if (isSite && space !== undefined) return command.error('error: give a space or a site, not both');
      if (title !== undefined && isSite && (title.trim().length < 2 || title.length > 128))
        return command.error('error: the title of a site has 2 to 128 characters');
      await checkSource(source);
      const { runImport, runSiteImport } = await import('./transfer.js');
      const wish = { source, organizationId: org, title, ref, spaceId: space, siteId, user };
      const result = isSite ? await runSiteImport(wish, json) : await runImport(wish, json);
      const [into, isChanged] =
        'site' in result
          ? [`site ${result.site}, ${result.spaces.length} spaces`, true]
          : [`space ${result.space}, revision ${result.revision}`, result.changed];
      const amount = `${result.pages} pages and ${result.files} files`;
      new Output(json).result(result, [
        ...problemLines(result.problems),
        `${isChanged ? `Imported ${amount}` : `Nothing had changed in ${amount}`}: ${into}.`,
      ]);
    });
}
