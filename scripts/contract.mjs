/*
 * npm run contract [-- --details] [-- --partial] [-- --recorded]
 *
 * Reports which operations of the interface are implemented, and which of them the last full run of the tests has
 * exercised with a valid answer and with each declared error. Runs the tests first if there is no full run.
 * --details names each operation; --partial judges the last run of some specs only; --recorded runs no tests and fails where
 * no run is recorded.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';

const home = join(import.meta.dirname, '..', 'coverage', 'contract');
const folder = join(home, process.argv.includes('--partial') ? 'partial' : 'last');

if (!existsSync(join(folder, 'run.json'))) {
  if (process.argv.includes('--recorded')) {
    console.log('No full run of the tests is recorded.');
    process.exit(1);
  }
  console.log('No full run of the tests is recorded; running them.');
  const { status } = spawnSync('npm', ['test'], { cwd: join(home, '..', '..'), stdio: 'inherit' });
  if (!existsSync(join(folder, 'run.json'))) process.exit(status || 1);
}

register('../test/faults/typescript-hooks.mjs', import.meta.url);
const { reportOn } = await import('../test/contract/main.ts');
process.exitCode = reportOn(folder, process.argv.includes('--details'));
