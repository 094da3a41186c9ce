import { Command } from '@commander-js/extra-typings';

/** `bindery push`, which needs a server and no database. */
export function pushCommand() {
  return new Command('push')
    .description('Bring what has changed in a pulled folder into its space, merged with what others have changed')
    .argument('[folder]', 'pulled folder; by default the current one')
    .option('-m, --message <subject>', 'message of the revision, and subject of a change request')
    .option('--review', 'open a change request, also where you may write to the primary content')
    .option('--url <url>', 'address of the server, without /v1; by default BINDERY_URL, or that of the first pull')
    .option('--token <token>', 'API token; by default BINDERY_TOKEN, or one that was saved')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit codes: 0 done, 1 failed or with conflicts, 2 wrong usage.')
    .action(async (folder, { message: subject, review = false, url, token, json = false }) => {
      const { runPush } = await import('./folder-commands.js');
      await runPush(folder, { subject, review, url, token, json });
    });
}
