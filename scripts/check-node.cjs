// Ends with one line on a release of Node that is too old, before any tool fails on it with an error of its own. The
// program itself checks again for starts without npm: src/cli/node-version.ts.
const { engines } = require('../package.json');

const numbers = (text) => text.replace('>=', '').split('.').map(Number);
const [major, minor] = numbers(process.versions.node);
const [oldestMajor, oldestMinor] = numbers(engines.node);

if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  process.stderr.write(
    `bindery: Node.js ${oldestMajor}.${oldestMinor} or newer is needed, and 24 is recommended; this is ${process.versions.node}\n`,
  );
  process.exit(1);
}
