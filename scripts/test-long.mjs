// Runs the long tests with their full figures: `npm run test:long [part of a file name…]`. The long tests are all specs
// that read ROUNDS; ROUNDS=… overrides the figures, SEED=… repeats a run.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Cases of a property or a race; crashes take seconds each, two servers and two browsers write for so many seconds,
 * the primary of a database is lost so many times, and each operation receives so many hostile requests.
 */
const FULL = 1000;
const FULL_OF = new Map([
  ['test/browser/workspace-edits.spec.ts', 600],
  ['test/cluster/failover.spec.ts', 10],
  ['test/cluster/patroni.spec.ts', 10],
  ['test/cluster/pooler.spec.ts', 60],
  ['test/faults/kill.spec.ts', 50],
  ['test/faults/kill-runs.spec.ts', 50],
  ['test/faults/rolling-restarts.spec.ts', 10],
  ['test/faults/two-servers.spec.ts', 60],
  ['test/faults/kill-storm.spec.ts', 3600],
  ['test/security/fuzz.spec.ts', 300],
  ['test/property/visual-editor.spec.ts', 10_000],
  // Each case takes seconds: all take hours.
  ['test/property/git-sync.spec.ts', 10_000],
  // Shapes of each entry point, of which there are 22,000 in all: each takes seconds, eight of each about an hour.
  ['test/complexity/complexity.spec.ts', 8],
]);

const wanted = process.argv.slice(2);
const specs = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name).replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.spec.ts') && /\bROUNDS\b|\brounds\(/.test(readFileSync(name, 'utf8')))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .sort();

/** Runs specs with so many rounds and returns whether they passed. */
function run(rounds, files) {
  if (files.length === 0) return true;
  const ROUNDS = process.env.ROUNDS ?? String(rounds);
  console.log(`\n== ROUNDS=${ROUNDS}: ${files.join(' ')}`);
  const script = files.some((name) => name.startsWith('test/browser/')) ? 'test:browser' : 'test';
  const { status } = spawnSync('npm', ['run', '--silent', script, '--', '--testTimeout=3600000', ...files], {
    stdio: 'inherit',
    env: { ...process.env, ROUNDS },
  });
  return status === 0;
}

if (specs.length === 0) {
  console.error('No long test has such a name.');
  process.exit(1);
}
const results = [
  run(
    FULL,
    specs.filter((name) => !FULL_OF.has(name)),
  ),
  ...specs.filter((name) => FULL_OF.has(name)).map((name) => run(FULL_OF.get(name), [name])),
];
process.exit(results.every(Boolean) ? 0 : 1);
