import { Command } from '@commander-js/extra-typings';
import { emailArgument, expiryArgument } from './arguments.js';
import { Output, table } from './output.js';

/** `bindery token create|list|revoke`. */
export function tokenCommand(): Command {
  const token = new Command('token').description('Manage API tokens');
  token
    .command('create')
    .description('Create an API token; it is shown only once')
    .requiredOption('--user <email>', 'whose token', emailArgument)
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires <when>', 'days such as 90d, or a date; by default the token does not expire', (text) =>
      expiryArgument(text),
    )
    .option('--scope <scope...>', 'permitted scopes; by default everything that its user may do')
    .option('--org <id>', 'the only organization in which the token may be used')
    .option(
      '--agent <name>',
      'the agent that will use it: its changes are marked, and without --scope it may only propose',
    )
    .option('--json', 'print JSON')
    .action(async ({ user, name, expires, scope, org, agent, json = false }) => {
      const { createToken } = await import('./accounts.js');
      const output = new Output(json);
      const created = await createToken(user, {
        name,
        expiresAt: expires,
        scopes: scope,
        organizationId: org,
        agent,
      });
      output.result(created, [created.token]);
      output.note('Keep it now: it is not shown again.');
    });
  token
    .command('list')
    .description('List the API tokens of a user')
    .requiredOption('--user <email>', 'whose tokens', emailArgument)
    .option('--json', 'print JSON')
    .action(async ({ user, json = false }) => {
      const { listTokens } = await import('./accounts.js');
      const output = new Output(json);
      const tokens = await listTokens(user);
      output.result({ tokens }, tokens.length === 0 ? ['There are none.'] : table(tokens));
    });
  token
    .command('revoke')
    .description('Revoke an API token; it is refused from the next request on')
    .argument('<token-id>', 'id of the token, as listed')
    .option('--json', 'print JSON')
    .action(async (id, { json = false }) => {
      const { revokeToken } = await import('./accounts.js');
      const output = new Output(json);
      await revokeToken(id);
      output.result({ revoked: id }, [`Revoked ${id}.`]);
    });
  return token;
}
