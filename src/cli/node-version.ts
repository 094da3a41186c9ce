import { NODE_RANGE } from '../version.js';

// This file is loaded before anything else, by releases of Node that support neither optional chaining nor top-level
// await.

/** The recommended release; the oldest supported one is that of `engines` in package.json. */
const RECOMMENDED = 24;

/**
 * Checks a release of Node such as `18.20.8` against a range such as `>=20.19`; returns the fault in one line, or
 * undefined.
 */
export function nodeFault(version: string, range: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = range.replace(/^>=/, '').split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `bindery: Node.js ${oldestMajor}.${oldestMinor} or newer is needed, and ${RECOMMENDED} is recommended; this is ${version}`;
}

/** Ends the process if the release of Node is too old. */
export function requireNode(): void {
  const fault = nodeFault(process.versions.node, NODE_RANGE);
  if (fault === undefined) return;
  process.stderr.write(`${fault}\n`);
  process.exit(1);
}
