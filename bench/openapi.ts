import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Api } from './api.js';
import { Connection, requestText } from './connection.js';
import { Server } from './server.js';

const TOKEN = 'bnd_of_the_evaluation_of_specifications_00';
/** Characters of a text that a body of the service may have, with room for its escapes. */
const MAX_TEXT = 9_000_000;
const WAIT_SECONDS = 180;
const REPORT = new URL('engines.md', import.meta.url);
const [BEGIN, END] = ['<!-- openapi -->', '<!-- /openapi -->'];

/** The result for one specification. */
interface Outcome {
  readonly file: string;
  readonly state: 'accepted' | 'warned' | 'refused' | 'too large';
  /** Of a refused one, the first fault; of others, what is wrong with its pages. */
  readonly note?: string;
  readonly readMs: number;
  readonly pages: readonly SeenPage[];
  readonly pageCount: number;
}

interface SeenPage {
  readonly path: string;
  readonly bytes: number;
  readonly ms: number;
  readonly status: number;
}

interface Spec {
  readonly processingState: string;
  readonly lastVersion?: string;
  readonly lastProcessErrorCode?: string;
  readonly lastProcessedErrors?: readonly { readonly message: string }[];
  readonly lastProcessedWarnings?: readonly unknown[];
}

interface PageNode {
  readonly path: string;
  readonly type: string;
  readonly pages?: readonly PageNode[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    report: { type: 'boolean', default: false },
    /** Specifications, and pages of each, spread evenly. */
    limit: { type: 'string', default: '500' },
    pages: { type: 'string', default: '12' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name the folder with specifications.');

/** Those of a list at even distances, the first and the last among them. */
function spread<Each>(all: readonly Each[], count: number): Each[] {
  const step = Math.max(1, (all.length - 1) / Math.max(1, count - 1));
  return [
    ...new Set(Array.from({ length: Math.min(count, all.length) }, (_, index) => Math.round(index * step))),
  ].flatMap((index) => all[index] ?? []);
}

const filesOf = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ya?ml)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /["']?(openapi|swagger)["']?\s*:/.test(readFileSync(file, 'utf8')))
    .sort();

const documentsOf = (pages: readonly PageNode[]): PageNode[] =>
  pages.flatMap((page) => [...(page.type === 'document' ? [page] : []), ...documentsOf(page.pages ?? [])]);

/** Registers specifications one after another, and reads pages of each on a published site as its first reader. */
class Evaluation {
  private constructor(
    private readonly api: Api,
    private readonly organization: string,
    private readonly space: string,
    private readonly site: string,
    private readonly publicPort: number,
  ) {}

  static async begin(server: Server, api: Api): Promise<Evaluation> {
    const { id: organization } = await api.post<{ id: string }>('/v1/orgs', { title: 'Specifications' });
    const { id: space } = await api.post<{ id: string }>(`/v1/orgs/${organization}/spaces`, { title: 'API' });
    await api.call('PATCH', `/v1/spaces/${space}`, { editMode: 'live' });
    const sites = `/v1/orgs/${organization}/sites`;
    const { id } = await api.post<{ id: string }>(sites, { title: 'APIs', spaces: [space] });
    await api.call('PATCH', `${sites}/${id}`, { visibility: 'public' });
    const { urls } = await api.post<{ urls: { published: string } }>(`${sites}/${id}/publish`);
    return new Evaluation(
      api,
      organization,
      space,
      new URL(urls.published).pathname.replace(/\/$/, ''),
      server.publicPort,
    );
  }

  async of(file: string, root: string, pageCount: number): Promise<Outcome> {
    const text = readFileSync(file, 'utf8');
    const name = relative(root, file);
    const none = { file: name, pages: [], pageCount: 0, readMs: 0 };
    if (text.length > MAX_TEXT) return { ...none, state: 'too large' };
    const address = `/v1/orgs/${this.organization}/openapi/api`;
    const begin = performance.now();
    const { status, body } = await this.api.reply('PUT', address, { source: { text, tolerant: true } });
    if (status >= 300) return { ...none, state: 'refused', note: `${status} ${body.toString().slice(0, 200)}` };
    const spec = await this.processed(address);
    const readMs = performance.now() - begin;
    const { lastVersion, lastProcessErrorCode, lastProcessedErrors = [], lastProcessedWarnings = [] } = spec;
    const seen = lastVersion === undefined ? { pages: [], pageCount: 0 } : await this.pages(pageCount);
    await this.api.call('DELETE', address);
    if (lastVersion === undefined)
      return {
        ...none,
        readMs,
        state: 'refused',
        note: `${lastProcessErrorCode}: ${lastProcessedErrors[0]?.message ?? ''}`,
      };
    const bad = seen.pages.find((page) => page.status !== 200);
    return {
      file: name,
      state: lastProcessedWarnings.length > 0 ? 'warned' : 'accepted',
      readMs,
      ...seen,
      ...(bad && { note: `${bad.path} answers ${bad.status}` }),
      ...(seen.pages.length === 0 && { note: 'no page' }),
    };
  }

  private async processed(address: string): Promise<Spec> {
    for (const until = performance.now() + WAIT_SECONDS * 1000; performance.now() < until; await setTimeout(50)) {
      const spec = await this.api.get<Spec>(address);
      if (spec.processingState === 'complete') return spec;
    }
    return { processingState: 'progress', lastProcessErrorCode: 'TIMEOUT' };
  }

  private async pages(count: number): Promise<Pick<Outcome, 'pages' | 'pageCount'>> {
    const content = `/v1/spaces/${this.space}/content`;
    const source = {
      type: 'builtin:openapi',
      props: { models: true },
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'api' } } },
    };
    await this.api.post(content, {
      changes: [{ operation: 'insert_page', type: 'computed', title: 'API', computed: source }],
    });
    const { pages: stored } = await this.api.get<{ pages: { id: string }[] }>(`${content}/pages?computed=false`);
    const { pages } = await this.api.get<{ pages: PageNode[] }>(`${content}/pages`);
    const documents = documentsOf(pages);
    const seen: SeenPage[] = [];
    for (const { path } of spread(documents, count)) {
      // A connection of its own: a response that ends one would be taken for a fault of the next page.
      const connection = await Connection.open(this.publicPort);
      const address = `${this.site}/${path.split('/').map(encodeURIComponent).join('/')}`;
      const begin = performance.now();
      const { status, body } = await this.followed(connection, address);
      seen.push({ path, status, bytes: body.length, ms: performance.now() - begin });
      connection.close();
    }
    await this.api.post(content, { changes: stored.map(({ id }) => ({ operation: 'delete_page', page: id })) });
    return { pages: seen, pageCount: documents.length };
  }

  /** The first page of a site has the address of the site itself. */
  private async followed(connection: Connection, address: string): Promise<{ status: number; body: Buffer }> {
    const reply = await connection.send(requestText('GET', address, ''));
    const target = [301, 302, 303, 307, 308].includes(reply.status)
      ? /\r\nlocation: *([^\r]+)/i.exec(reply.head)?.[1]
      : undefined;
    return target === undefined
      ? reply
      : connection.send(requestText('GET', new URL(target, 'http://127.0.0.1').pathname, ''));
  }
}

const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

function tableOf(outcomes: readonly Outcome[]): string {
  const count = (state: Outcome['state']): number => outcomes.filter((each) => each.state === state).length;
  const pages = outcomes.flatMap((each) => each.pages);
  const times = pages.map(({ ms }) => ms).sort((one, other) => one - other);
  const reads = outcomes
    .map(({ readMs }) => readMs)
    .filter((ms) => ms > 0)
    .sort((one, other) => one - other);
  const largest = pages.reduce((most, { bytes }) => Math.max(most, bytes), 0);
  const rows: [string, string | number][] = [
    ['Specifications', outcomes.length],
    ['accepted without a warning', count('accepted')],
    ['accepted with warnings', count('warned')],
    ['refused', count('refused')],
    ['too large to be sent as a text', count('too large')],
    ['Pages of those accepted', outcomes.reduce((sum, { pageCount }) => sum + pageCount, 0)],
    ['pages read', pages.length],
    ['other answers than 200', pages.filter(({ status }) => status !== 200).length],
    ['5xx', pages.filter(({ status }) => status >= 500).length],
    ['bytes of HTML of the largest page', largest],
    ['pages above 300 kB', pages.filter(({ bytes }) => bytes > 300_000).length],
    ['ms of the first reader of a page, p50', share(times, 0.5).toFixed(0)],
    ['ms of the first reader of a page, p95', share(times, 0.95).toFixed(0)],
    ['ms of the first reader of a page, most', share(times, 1).toFixed(0)],
    ['ms until a specification is read, p50', share(reads, 0.5).toFixed(0)],
    ['ms until a specification is read, p95', share(reads, 0.95).toFixed(0)],
  ];
  return ['| | |', '| --- | ---: |', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}

const dataDir = mkdtempSync(join(tmpdir(), 'bindery-openapi-'));
const server = await Server.start({ folder: dataDir, token: TOKEN });
const api = new Api(server.port, TOKEN);
try {
  const evaluation = await Evaluation.begin(server, api);
  const outcomes: Outcome[] = [];
  for (const file of spread(filesOf(folder), Number(values.limit))) {
    const outcome = await evaluation.of(file, folder, Number(values.pages));
    outcomes.push(outcome);
    const most = outcome.pages.reduce((bytes, page) => Math.max(bytes, page.bytes), 0);
    const slow = outcome.pages.reduce((ms, page) => Math.max(ms, page.ms), 0);
    process.stdout.write(
      `${outcome.file}: ${outcome.state}, ${outcome.pageCount} pages, ${most} bytes, ${slow.toFixed(0)} ms${outcome.note === undefined ? '' : `, ${outcome.note}`}\n`,
    );
  }
  const table = tableOf(outcomes);
  process.stdout.write(`\n${table}\n`);
  if (values.report) {
    const before = readFileSync(REPORT, 'utf8');
    const [start, end] = [before.indexOf(BEGIN), before.indexOf(END)];
    if (start < 0 || end < start) throw new Error('The report has no place for the table.');
    writeFileSync(REPORT, `${before.slice(0, start + BEGIN.length)}\n\n${table}\n\n${before.slice(end)}`);
  }
  if (outcomes.some(({ pages }) => pages.some(({ status }) => status !== 200))) process.exitCode = 1;
} finally {
  api.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
