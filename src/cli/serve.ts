import { Command } from '@commander-js/extra-typings';
import type { DescribedSetting } from '../kernel/platform/config/config.js';
import { Output } from './output.js';

/** `bindery serve`, whose help lists the settings. */
export function serveCommand(described: readonly DescribedSetting[]) {
  const settings = described.map(({ variable, description }) => `  ${variable.padEnd(31)} ${description}`);
  return new Command('serve')
    .description('Run the server: database, migrations, API, files and published sites')
    .option('--json', 'print the addresses (and, at the very first start, the API token) as one line of JSON')
    .addHelpText('after', `\nSettings:\n${settings.join('\n')}`)
    .action(async ({ json = false }) => {
      const { serve } = await import('./server.js');
      await serve(new Output(json));
    });
}
