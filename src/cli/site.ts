import { Command } from '@commander-js/extra-typings';
import { Output } from './output.js';

/** `bindery site list`. */
export function siteCommand(): Command {
  const site = new Command('site').description('Look at sites');
  site
    .command('list')
    .description('List all sites, oldest first, with their addresses')
    .option('--org <id>', 'the only organization whose sites are listed')
    .option('--json', 'print JSON')
    .action(async ({ org, json = false }) => {
      const { listSites } = await import('./listings.js');
      await new Output(json).list('sites', 'There are none.', (read) => listSites(org, read));
    });
  return site;
}
