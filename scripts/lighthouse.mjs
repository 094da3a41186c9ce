// Measures published pages with Lighthouse: `npm run lighthouse [part of a page's name…]`. Starts the built program with its demo in
// a temporary folder, adds a page of an API and one of diagrams, and audits five pages as a phone and as a desktop. Each is audited RUNS
// times (5), of which the middle score counts, as Lighthouse advises. Prints a table and what keeps pages below the
// goals, and ends with 1 where there is such a page. Other programs on the machine count as slowness of the pages. Needs Chromium (CHROMIUM_PATH) and, once, the registry of npm.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** It is three times as large as what it measures, so it is installed for those who measure. */
const VERSION = '13.5.0';
const TOOLS = resolve('node_modules/.cache', `lighthouse-${VERSION}`);
const GOALS = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 };
const DEVICES = { phone: [], desktop: ['--preset=desktop'] };
const RUNS = Number(process.env.RUNS ?? 5);
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

const API_PAGE = [
  'The operations with which a program reads.',
  ...['/user', '/spaces/{spaceId}/content', '/spaces/{spaceId}/search'].map(
    (path) => `{% openapi-operation spec="bindery" path="/v1${path}" method="get" %}\n{% endopenapi-operation %}`,
  ),
].join('\n\n');
const DIAGRAMS_PAGE = `How a change comes to readers.

## Who takes part

${'A writer opens a change request in a space, edits its pages, and asks for a review. '.repeat(8)}

${'A reviewer reads what differs, comments on it, and approves the change request or asks for changes. '.repeat(8)}

## In which order

\`\`\`mermaid
sequenceDiagram
  Writer->>Space: opens a change request
  Reviewer->>Space: approves it
  Space->>Site: shows the merge
\`\`\`

\`\`\`mermaid
graph LR
  organization --> space --> site
\`\`\`
`;

function install() {
  if (existsSync(join(TOOLS, 'node_modules/lighthouse'))) return;
  mkdirSync(TOOLS, { recursive: true });
  writeFileSync(join(TOOLS, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--save-exact', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...options, `lighthouse@${VERSION}`], { cwd: TOOLS, stdio: 'inherit' });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** The built program with its demo; resolves to what it prints when it is ready. */
async function start(folder) {
  const child = spawn(process.execPath, ['dist/src/cli.js', 'serve', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: String(await freePort()),
      PUBLIC_PORT: String(await freePort()),
      DATA_DIR: folder,
      WORKERS: '1',
      SEARCH_VECTORS: 'none',
      SHUTDOWN_DELAY: '0',
      LOG_LEVEL: 'error',
    },
  });
  for await (const line of createInterface(child.stdout)) {
    const said = line.startsWith('{') ? JSON.parse(line) : {};
    if (said.demo) {
      child.stdout.resume();
      return { child, ...said };
    }
  }
  throw new Error('the program did not start');
}

/** Publishes pages of an API and of diagrams as a second site, and returns its address. */
async function publishMore({ api, bootstrap: { token, organization } }) {
  const call = async (method, path, body) => {
    const answer = await fetch(`${api}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const document = execFileSync(process.execPath, ['dist/src/cli.js', 'openapi'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  const org = `/orgs/${organization.id}`;
  await call('POST', `${org}/openapi`, { slug: 'bindery', source: { text: document } });
  const { id } = await call('POST', `${org}/spaces`, { title: 'More', empty: true, editMode: 'live' });
  const page = (title, markdown) => ({ operation: 'insert_page', title, document: { markdown } });
  await call('POST', `/spaces/${id}/content`, {
    changes: [page('Diagrams', DIAGRAMS_PAGE), page('Operations', API_PAGE)],
  });
  const site = await call('POST', `${org}/sites`, { title: 'More', visibility: 'public', spaces: [id] });
  return (await call('POST', `${org}/sites/${site.id}/publish`, {})).urls.published;
}

/** One report of Lighthouse. */
async function audit(url, options, folder) {
  const output = join(folder, 'report.json');
  await promisify(execFile)(process.execPath, [
    join(TOOLS, 'node_modules/lighthouse/cli/index.js'),
    url,
    '--quiet',
    `--chrome-path=${CHROMIUM}`,
    '--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage',
    `--only-categories=${Object.keys(GOALS)}`,
    '--no-enable-error-reporting',
    '--output=json',
    `--output-path=${output}`,
    ...options,
  ]);
  return JSON.parse(readFileSync(output, 'utf8'));
}

const scoreOf = (report, category) => Math.round((report.categories[category].score ?? 0) * 100);

/** The audits for which a category loses points, with their figures. */
const faultsOf = (report, category) =>
  report.categories[category].auditRefs
    .filter(({ weight, id }) => weight > 0 && report.audits[id].score !== null && report.audits[id].score < 0.98)
    .map(({ id }) => `${id} ${report.audits[id].displayValue ?? ''}`.trim());

install();
const folder = mkdtempSync(join(tmpdir(), 'bindery-lighthouse-'));
const program = await start(folder);
try {
  const more = await publishMore(program);
  const demo = program.demo.url;
  const wanted = process.argv.slice(2);
  const pages = Object.entries({
    'start page with a picture': demo,
    'long guide': `${demo}/guides/published-site`,
    'tables and code': `${demo}/reference/configuration`,
    'API reference': `${more}/operations`,
    diagrams: more,
  }).filter(([name]) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  console.log('| page | device | performance | accessibility | best practices | SEO | LCP | blocked | shift | bytes |');
  console.log('|---|---|---|---|---|---|---|---|---|---|');
  const speeds = [];
  const faults = [];
  for (const [name, url] of pages) {
    // Readers of a page that was read before are many, those of one that is made for them few.
    await fetch(url);
    for (const [device, options] of Object.entries(DEVICES)) {
      const reports = [];
      while (reports.length < RUNS) reports.push(await audit(url, options, folder));
      speeds.push(...reports.map(({ environment }) => environment.benchmarkIndex));
      reports.sort((a, b) => scoreOf(a, 'performance') - scoreOf(b, 'performance'));
      const middle = reports[Math.floor(RUNS / 2)];
      const scores = Object.keys(GOALS).map((category) => scoreOf(middle, category));
      const said = ['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'].map(
        (id) => middle.audits[id].displayValue,
      );
      const bytes = Math.round(middle.audits['total-byte-weight'].numericValue / 1000);
      console.log(`| ${[name, device, ...scores, ...said, `${bytes} kB`].join(' | ')} |`);
      for (const [category, goal] of Object.entries(GOALS))
        if (scoreOf(middle, category) < goal)
          faults.push(`${name}, ${device}: ${faultsOf(middle, category).join(', ')}`);
    }
  }
  console.log(
    `\nLighthouse ${VERSION}; this machine's benchmark index was ${Math.round(Math.min(...speeds))} to ${Math.round(Math.max(...speeds))}`,
  );
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  program.child.kill('SIGTERM');
  await once(program.child, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
