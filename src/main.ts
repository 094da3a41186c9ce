import { requireNode } from './cli/node-version.js';

// What `nest start` runs: the server, as `bindery serve` starts it.
requireNode();
void import('./cli/program.js').then(({ run }) =>
  run([...process.argv.slice(0, 2), 'serve', ...process.argv.slice(2)]),
);
