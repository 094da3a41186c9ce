import { Command, Option } from '@commander-js/extra-typings';
import { EXIT, Output, exit } from './output.js';

/** `bindery links`. */
export function linksCommand() {
  return new Command('links')
    .description('List broken links of a space, of all spaces of an organization, or of those that a site shows')
    .argument('[space]', 'id of the space')
    .addOption(new Option('--org <id>', 'all spaces of an organization').conflicts('site'))
    .option('--site <id>', 'the spaces of a site')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit codes: 0 without broken links, 1 with broken links, 2 wrong usage.')
    .action(async (space, { org, site, json = false }, command) => {
      const [place, ...more] = [
        ...(space === undefined ? [] : [{ space }]),
        ...(org === undefined ? [] : [{ org }]),
        ...(site === undefined ? [] : [{ site }]),
      ];
      if (place === undefined || more.length > 0) return command.error('error: name a space, or --org, or --site');
      const { listBrokenLinks } = await import('./site-runs.js');
      const broken = await new Output(json).list('links', 'No link is broken.', (read) => listBrokenLinks(place, read));
      if (broken > 0) await exit(EXIT.failure);
    });
}
