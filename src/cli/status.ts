import { Command } from '@commander-js/extra-typings';

/** `bindery status`, which needs a server and no database. */
export function statusCommand() {
  return new Command('status')
    .description('Show what has changed in a pulled folder, and whether its space has changed')
    .argument('[folder]', 'pulled folder; by default the current one')
    .option('--url <url>', 'address of the server, without /v1; by default BINDERY_URL, or that of the first pull')
    .option('--token <token>', 'API token; by default BINDERY_TOKEN, or one that was saved')
    .option('--json', 'print JSON')
    .action(async (folder, { url, token, json = false }) => {
      const { runStatus } = await import('./folder-commands.js');
      await runStatus(folder, { url, token, json });
    });
}
