import { Command } from '@commander-js/extra-typings';
import { emailArgument } from './arguments.js';
import { Output } from './output.js';

/** `bindery user create|list|sign-in-link`. */
export function userCommand(): Command {
  const user = new Command('user').description('Manage accounts');
  user
    .command('create')
    .description('Create an account')
    .argument('<email>', 'e-mail address', emailArgument)
    .option('--name <name>', 'display name; by default the part of the address before the @')
    .option('--verified', 'mark the address as verified, so that organizations with its domain can be joined')
    .option('--json', 'print JSON')
    .action(async (email, { name, verified = false, json = false }) => {
      const { createUser } = await import('./accounts.js');
      const output = new Output(json);
      const facts = { email, displayName: name?.trim() || (email.split('@', 1)[0] ?? email), emailVerified: verified };
      const id = await createUser(facts);
      output.result({ id, ...facts }, [
        `Created the account ${id} (${email}). Give it a token: bindery token create --user ${email} --name <name>`,
      ]);
    });
  user
    .command('list')
    .description('List all accounts, oldest first')
    .option('--json', 'print JSON')
    .action(async ({ json = false }) => {
      const { listUsers } = await import('./listings.js');
      await new Output(json).list('users', 'There are none.', listUsers);
    });
  user
    .command('sign-in-link')
    .description('Make a link that signs somebody in to the workspace; it works once, for an hour')
    .argument('<email>', 'e-mail address of the account', emailArgument)
    .option('--json', 'print JSON')
    .action(async (email, { json = false }) => {
      const { createSignInLink } = await import('./accounts.js');
      const output = new Output(json);
      const link = await createSignInLink(email);
      output.result(link, [link.url]);
      output.note('Hand it over to nobody else: it signs in whoever opens it.');
    });
  return user;
}
