import { Command } from '@commander-js/extra-typings';
import { Output } from './output.js';

/** `bindery export`. */
export function exportCommand() {
  return new Command('export')
    .description('Export a space, or a whole site, to a folder of Markdown; export-site writes a site as static files')
    .usage('[options] <space> <folder>, or --site <id> <folder>')
    .argument('<space>', 'id of the space; left out with --site')
    .argument('[folder]', 'new or empty folder')
    .option('--site <id>', 'site to export, with all of its spaces')
    .option('--json', 'print JSON')
    .action(async (first, second, { site, json = false }, command) => {
      const folder = site === undefined ? second : first;
      if (folder === undefined || (site !== undefined && second !== undefined))
        return command.error('error: give a space and a folder, or --site and a folder');
      const { runExport, runSiteExport } = await import('./transfer.js');
      const whole = site === undefined ? undefined : await runSiteExport(site, folder, json);
      const result = whole ?? (await runExport(first, folder, json));
      const problems = result.problems.map(({ page, message }) => `${page}: ${message}`);
      const spaces = whole === undefined ? '' : `${whole.spaces} spaces, `;
      new Output(json).result({ ...result, folder }, [
        ...problems,
        `Wrote ${spaces}${result.pages} pages and ${result.files} files to ${folder}.`,
      ]);
    });
}
