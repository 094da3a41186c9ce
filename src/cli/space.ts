import { Command } from '@commander-js/extra-typings';
import { Output } from './output.js';

/** `bindery space list`. */
export function spaceCommand(): Command {
  const space = new Command('space').description('Look at spaces');
  space
    .command('list')
    .description('List all spaces, oldest first, with those in the trash')
    .option('--org <id>', 'the only organization whose spaces are listed')
    .option('--json', 'print JSON')
    .action(async ({ org, json = false }) => {
      const { listSpaces } = await import('./listings.js');
      await new Output(json).list('spaces', 'There are none.', (read) => listSpaces(org, read));
    });
  return space;
}
