import { NODE_RANGE } from '../version.js';

// This file is loaded before anything else, by releases of Node that know neither optional chaining nor top-level await.

/** The release that is recommended; the oldest that works is the one of `engines` in package.json. */
const RECOMMENDED = 24;

/** What is wrong with a release of Node such as `18.20.8` for a range such as `>=20.19`, in one line; undefined where nothing is. */
export function nodeFault(version: string, range: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = range.replace(/^>=/, '').split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `bindery: Node.js ${oldestMajor}.${oldestMinor} or newer is needed, and ${RECOMMENDED} is recommended; this is ${version}`;
}

/** Ends the process on a release of Node that is too old. */
export function requireNode(): void {
  const fault = nodeFault(process.versions.node, NODE_RANGE);
  if (fault === undefined) return;
  process.stderr.write(`${fault}\n`);
  process.exit(1);
}
