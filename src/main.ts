import { requireNode } from './cli/node-version.js';

// The entry point of `nest start`: runs the server like `bindery serve`.
requireNode();
void import('./cli/program.js').then(({ run }) =>
  run([...process.argv.slice(0, 2), 'serve', ...process.argv.slice(2)]),
);
