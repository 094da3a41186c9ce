import { Command } from '@commander-js/extra-typings';
import { Output } from './output.js';

/** `bindery export`. */
export function exportCommand() {
  return new Command('export')
    .description('Write a space as a folder of Markdown, of which an import makes the same space again')
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
