import { Command } from '@commander-js/extra-typings';
import { emailArgument, titleArgument } from './arguments.js';
import { Output } from './output.js';

/** `bindery org create` and `bindery org ip-allow-list`. */
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
  return org;
}
