/*
 * npm run audit [-- --strict]
 *
 * Asks the registry for known vulnerabilities of shipped packages, and fails for any. If the registry is not available,
 * because there is no network or it does not support the request, this is reported without failing, unless --strict is
 * given.
 */
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/** The message for the output of `npm audit --json`, and the exit code. */
export function verdictOf(output, { strict = false } = {}) {
  const report = parsed(output);
  const total = report?.metadata?.vulnerabilities?.total;
  if (typeof total !== 'number') {
    const reason = report?.message ?? report?.error?.summary ?? '';
    return {
      code: strict ? 1 : 0,
      lines: [
        `The registry could not be asked for known vulnerabilities${reason === '' ? '' : ` (${reason})`}: nothing is known of them.`,
      ],
    };
  }
  if (total === 0) return { code: 0, lines: ['No known vulnerability in what is installed.'] };
  const lines = Object.values(report.vulnerabilities).map(({ name, severity, via }) => {
    const why = via.map((each) => (typeof each === 'string' ? `by way of ${each}` : `${each.title} (${each.url})`));
    return `${severity}: ${name}, ${why.join('; ')}`;
  });
  return { code: 1, lines };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev', '--fetch-retries=0', '--fetch-timeout=6000'], {
    encoding: 'utf8',
    timeout: 9000,
  });
  const { code, lines } = verdictOf(stdout ?? '', { strict: process.argv.includes('--strict') });
  for (const line of lines) console.log(line);
  process.exitCode = code;
}
