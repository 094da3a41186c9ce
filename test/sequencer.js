import { basename } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** The spec files that take longest, longest first: begun early, so that no run ends with one of them alone. */
const LONGEST = [
  'start.spec.ts',
  'rolling-upgrade.spec.ts',
  'kill-git-sync.spec.ts',
  'permissions.spec.ts',
  'complexity.spec.ts',
  'statements.spec.ts',
  'git-sync.spec.ts',
  'tenancy.spec.ts',
  'request-pulls.spec.ts',
  'site-pulls.spec.ts',
  'patroni.spec.ts',
  'pulled-folders.spec.ts',
  'pull-requests.spec.ts',
  'front-end.spec.ts',
  'embedded-postgres.spec.ts',
  'skewed-clock.spec.ts',
  'major-upgrade.spec.ts',
  'workers.spec.ts',
  'scenario.spec.ts',
  'keys.spec.ts',
];

const rank = ({ path }) => (LONGEST.includes(basename(path)) ? LONGEST.indexOf(basename(path)) : LONGEST.length);

/** Known long files first, the others as Jest sorts them: failed, long and large ones before the rest. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).sort((left, right) => rank(left) - rank(right));
  }
}
