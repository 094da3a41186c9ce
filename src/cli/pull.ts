import { Command } from '@commander-js/extra-typings';

/** `bindery pull`, which needs a server and no database. */
export function pullCommand() {
  return new Command('pull')
    .description('Bring a space of a running server into a folder of Markdown, and later what has changed in it')
    .argument('[folder]', 'new folder, with --space; later the pulled folder, by default the current one')
    .option('--space <id>', 'space, for the first pull')
    .option('--change-request <id>', 'a change request of the space, by id or number, instead of the primary content')
    .option('--url <url>', 'address of the server, without /v1; by default BINDERY_URL, or that of the first pull')
    .option('--token <token>', 'API token; by default BINDERY_TOKEN, or one that was saved')
    .option('--save-token', 'keep the token in the folder, in a file that only you can read')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit codes: 0 done, 1 failed or with conflicts, 2 wrong usage.')
    .action(async (folder, { space, changeRequest, url, token, saveToken = false, json = false }) => {
      const { runPull } = await import('./folder-commands.js');
      await runPull(folder, { space, changeRequest, url, token, saveToken, json });
    });
}
