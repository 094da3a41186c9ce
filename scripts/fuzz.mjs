// Fuzzes the whole service for a long time: `npm run fuzz [part of an operation's name or path…]`. Prints a seed,
// figures for each operation and each fault with a request that shows it; SEED=… repeats a run, ROUNDS=… sets the
// number of requests for each.
import { spawnSync } from 'node:child_process';

const env = { ...process.env, ROUNDS: process.env.ROUNDS ?? '300', FUZZ_ONLY: process.argv.slice(2).join(' ') };
const { status } = spawnSync('npm', ['test', '--silent', '--', 'test/security/fuzz.spec.ts'], {
  stdio: 'inherit',
  env,
});
process.exit(status ?? 1);
