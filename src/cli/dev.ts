import { Command } from '@commander-js/extra-typings';
import { folderArgument, portArgument } from './arguments.js';
import { Output } from './output.js';

/** `bindery dev`, whose database and files last as long as it runs. */
export function devCommand() {
  return new Command('dev')
    .description('Show a folder of Markdown as a published site on this machine, and show what is saved at once')
    .argument('<folder>', 'folder of Markdown, with or without SUMMARY.md', folderArgument)
    .option('--port <port>', 'port of the site; by default 4400, or another one if that is in use', portArgument)
    .option('--poll', 'look for changes every second, where the file system tells of none, as on network drives')
    .action(async (folder, { port, poll = false }) => {
      const { preview } = await import('./preview.js');
      await preview({ folder, port, poll }, new Output(false));
    });
}
