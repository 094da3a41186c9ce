import { Command } from '@commander-js/extra-typings';
import { emailArgument } from './arguments.js';
import { Output } from './output.js';
import { checkSource } from './source.js';

/** `bindery import`. */
export function importCommand() {
  return new Command('import')
    .description('Import a folder of Markdown, or a git repository, into a new or an existing space')
    .argument('<source>', 'folder, or https address of a git repository')
    .requiredOption('--org <id>', 'organization of the space')
    .option('--title <title>', 'title of the new space; by default the name of the source')
    .option('--ref <name>', 'branch, tag or commit of the repository; by default its default branch')
    .option('--space <id>', 'existing space whose content the source replaces')
    .option(
      '--user <email>',
      'e-mail address of the importing user; by default the first administrator of the organization',
      emailArgument,
    )
    .option('--json', 'print JSON')
    .action(async (source, { org, title, ref, space, user, json = false }) => {
      await checkSource(source);
      const { runImport } = await import('./transfer.js');
      const result = await runImport({ source, organizationId: org, title, ref, spaceId: space, user }, json);
      const problems = result.problems.map(({ file, line, level, message }) => `${file}:${line}: ${level}: ${message}`);
      const summary = result.changed
        ? `Imported ${result.pages} pages and ${result.files} files`
        : `Nothing had changed in ${result.pages} pages and ${result.files} files`;
      new Output(json).result(result, [...problems, `${summary}: space ${result.space}, revision ${result.revision}.`]);
    });
}
