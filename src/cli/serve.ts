import { setFlagsFromString } from 'node:v8';
import { Command } from '@commander-js/extra-typings';
import { describeSettings } from '../config.js';
import { Output } from './output.js';

/**
 * By how many per cent the heap may outgrow what was in use at its last collection. On a machine with much memory V8 would
 * let it grow to a multiple of that, for no more than a few per cent of time.
 */
const HEAP_GROWTH = 30;

/** `bindery serve`. */
export function serveCommand() {
  const settings = describeSettings().map(({ variable, description }) => `  ${variable.padEnd(31)} ${description}`);
  return new Command('serve')
    .description('Run the server: database, migrations, API, files and published sites')
    .option('--json', 'print the addresses (and, at the very first start, the API token) as one line of JSON')
    .addHelpText('after', `\nSettings:\n${settings.join('\n')}`)
    .action(async ({ json = false }) => {
      setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
      const { serve } = await import('./server.js');
      await serve(new Output(json));
    });
}
