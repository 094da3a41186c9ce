import { Command } from '@commander-js/extra-typings';
import { Output } from './output.js';

/** `bindery export`. */
export function exportCommand() {
  return new Command('export')
    .description('Export a space to a folder of Markdown, from which an import creates the same space')
    .argument('<space>', 'id of the space')
    .argument('<folder>', 'new or empty folder')
    .option('--json', 'print JSON')
    .action(async (space, folder, { json = false }) => {
      const { runExport } = await import('./transfer.js');
      const result = await runExport(space, folder, json);
      const problems = result.problems.map(({ page, message }) => `${page}: ${message}`);
      new Output(json).result({ ...result, folder }, [
        ...problems,
        `Wrote ${result.pages} pages and ${result.files} files to ${folder}.`,
      ]);
    });
}
