import { Command } from '@commander-js/extra-typings';
import { emailArgument, titleArgument } from './arguments.js';
import { Output } from './output.js';

/** `bindery org create`. */
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
  return org;
}
