import 'reflect-metadata';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/kernel/platform/embedded-postgres/embedded-postgres.js';
import { ALONE } from './alone.js';
import { Api } from './api.js';
import { cpuShares } from './cpu-shares.js';
import { GitPeer } from './git-peer.js';
import { measureHeld } from './held.js';
import { type Findings, type StartFigures, growthOf } from './judge.js';
import { Limits } from './limits.js';
import { LoadGenerator } from './load.js';
import { type Measured, measure, middle } from './measure.js';
import { buildOrganizations, listTargets } from './organizations.js';
import { pagesFor, type PageSource } from './pages.js';
import { cpuOf, memoryOf } from './processes.js';
import { measurePublished, type PublishedFindings } from './published.js';
import { limitTargets, pageRequestsOf, readTargets, uncachedTargets } from './reads.js';
import { reportOf } from './report.js';
import { RowCounter } from './rows.js';
import { Server } from './server.js';
import { readSettings, type Settings } from './settings.js';
import { buildSpace, editPages, type Subject } from './spaces.js';
import { verdictsOf } from './targets.js';
import { Undo } from './undo.js';
import {
  measureMovedMerges,
  measureUncachedReads,
  measureWrites,
  MERGED_PAGES,
  type WriteMeasured,
  type WriteScene,
  writeTargets,
} from './writes.js';

const TOKEN = 'bench-token-bench-token-bench-token-bench-token';
/** There are many lists. */
const LIST_SHARE = 0.5;

const begin = performance.now();
function say(line: string): void {
  process.stderr.write(`${((performance.now() - begin) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);
}

const undo = new Undo();

// Further signals wait for the same end: nobody else would end what runs in a group of its own.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void undo.all().finally(() => process.exit(130)));

/** Builds the spaces, and one more with the smallest number of pages and many revisions. */
async function buildSubjects(
  api: Api,
  organizationId: string,
  source: PageSource,
  { sizes, history }: Settings,
): Promise<Subject[]> {
  const subjects: Subject[] = [];
  const [smallest = 100] = sizes;
  for (const size of sizes) {
    const subject = await buildSpace(api, organizationId, String(size), size, source);
    say(`built a space of ${size} pages in ${(subject.buildMs / 1000).toFixed(1)} s`);
    subjects.push(subject);
  }
  if (history > 0) {
    const subject = await buildSpace(api, organizationId, `${smallest} + ${history} edits`, smallest, source);
    for (let edit = 0; edit < history; edit++)
      await editPages(api, subject, source, [subject.leaves[edit % subject.leaves.length] ?? 0], `h${edit}`);
    say(`made ${history} revisions of a space of ${smallest} pages`);
    subjects.push(subject);
  }
  return subjects;
}

/** All measurements while the server runs. */
class Run {
  private readonly load = LoadGenerator.start();

  constructor(
    private readonly settings: Settings,
    private readonly source: PageSource,
    private readonly server: Server,
    private readonly limits: Limits,
    private readonly databasePid: number,
    private readonly client: pg.Client,
    private readonly api: Api,
  ) {}

  async measureReads(subjects: readonly Subject[]): Promise<Measured[]> {
    const targets = await limitTargets(this.limits);
    for (const subject of subjects) targets.push(...(await readTargets(this.server, TOKEN, subject)));
    return measure(targets, this.load, this.databasePid, this.settings.seconds);
  }

  async measureUncachedReads(subject: Subject): Promise<Measured[]> {
    return measure(
      await uncachedTargets(this.server, this.api, subject, this.source, this.limits),
      this.load,
      this.databasePid,
      this.settings.seconds,
    );
  }

  /** Lists of a small and of a large organization, in alternation. */
  async measureLists(): Promise<Pick<Findings, 'lists' | 'listSizes'>> {
    const [small, large] = await buildOrganizations(this.client);
    if (small === undefined || large === undefined) throw new Error('there is no organization to measure');
    say('built the organizations');
    const targets = [...(await listTargets(this.server, small)), ...(await listTargets(this.server, large))];
    return {
      lists: await measure(targets, this.load, this.databasePid, this.settings.seconds * LIST_SHARE),
      listSizes: [small.label, large.label],
    };
  }

  private scene(subject: Subject): WriteScene {
    const { api, source } = this;
    return {
      api,
      subject,
      source,
      counter: new RowCounter(this.client, api, subject.spaceId),
      share: Math.min(1, this.settings.seconds),
      say,
    };
  }

  /** Writes of all spaces, and git with the pages of the largest, in alternation. */
  async measureWrites(subjects: readonly Subject[], git: GitPeer | undefined): Promise<WriteMeasured[]> {
    const scenes = subjects.map((subject) => this.scene(subject));
    return [
      ...(await measureUncachedReads(scenes)),
      ...(await measureWrites(scenes, git)),
      ...(await measureMovedMerges(
        scenes.filter(({ subject }) => subject.pages >= 10 * MERGED_PAGES),
        git,
      )),
    ];
  }

  async measureParallelWrites(subject: Subject): Promise<Measured[]> {
    return measure(
      await writeTargets(this.scene(subject), this.server, this.limits),
      this.load,
      this.databasePid,
      this.settings.seconds,
    );
  }

  measureHeld(subject: Subject): Promise<Findings['held']> {
    return measureHeld(this.scene(subject), this.server.port, this.load);
  }

  /** Pages of a site, in `folder` beside the files of a static server. */
  measurePublished(organizationId: string, subject: Subject, folder: string): Promise<PublishedFindings> {
    const {
      server,
      api,
      source,
      load,
      databasePid,
      settings: { seconds },
    } = this;
    return measurePublished({ server, api, organizationId, subject, source, load, databasePid, seconds, folder });
  }

  stop(): Promise<void> {
    return this.load.stop();
  }
}

/** The results once the server has been measured, and the requests for measuring its parts. */
type Running = Omit<Findings, 'starts' | 'shares'> & { readonly pageRequests: readonly string[] };

async function measureServer(
  settings: Settings,
  source: PageSource,
  server: Server,
  limits: Limits,
  databasePid: number,
  client: pg.Client,
  folder: string,
): Promise<Running> {
  const api = new Api(server.port, TOKEN);
  const organizationId = await api.organizationId();
  const subjects = await buildSubjects(api, organizationId, source, settings);
  await client.query('VACUUM ANALYZE');
  const run = new Run(settings, source, server, limits, databasePid, client, api);
  try {
    const [smallest, largest] = [subjects[0], subjects[settings.sizes.length - 1]];
    if (smallest === undefined || largest === undefined) throw new Error('there is no space to measure');
    const reads = [...(await run.measureReads(subjects)), ...(await run.measureUncachedReads(largest))];
    const memory = memoryOf(server.pid);
    say('measured the reads');
    const published = await run.measurePublished(organizationId, largest, folder);
    say('measured published pages');
    const lists = await run.measureLists();
    say('measured the lists');
    const git = await GitPeer.create(join(folder, 'git'), source, largest.pages, MERGED_PAGES);
    say('built a repository of git');
    const writes = await run.measureWrites(subjects, git);
    const parallelWrites = await run.measureParallelWrites(largest);
    say('measured the writes of 16 connections');
    const held = await run.measureHeld(largest);
    say('measured what holds others');
    const memoryAtEnd = memoryOf(server.pid);
    const edited = subjects[settings.sizes.length]?.label;
    return {
      smallest: smallest.label,
      largest: largest.label,
      ...(edited !== undefined && { edited }),
      reads,
      ...lists,
      published,
      writes,
      ...(git && { git: git.figures }),
      parallelWrites,
      held,
      ...(memory && { memory }),
      ...(memoryAtEnd && { memoryAtEnd }),
      pageRequests: pageRequestsOf(TOKEN, largest),
    };
  } finally {
    await run.stop();
    api.close();
  }
}

/**
 * The shares of the parts of the server in a page read by 16 connections: of a profiled server, which is a little
 * slower.
 */
async function measureShares(
  options: Parameters<typeof Server.start>[0],
  requests: readonly string[],
  seconds: number,
): Promise<Findings['shares']> {
  const profile = await mkdtemp(join(options.folder, 'profile-'));
  const server = await Server.start({ ...options, profile });
  undo.push(() => server.stop());
  const load = LoadGenerator.start();
  const order = { port: server.port, connections: 16, lanes: [requests], expect: [200] };
  await load.run({ ...order, milliseconds: 1000 });
  const from = Number(process.hrtime.bigint()) / 1e6;
  await load.run({ ...order, milliseconds: 4000 * seconds });
  const to = Number(process.hrtime.bigint()) / 1e6;
  await Promise.all([load.stop(), server.stop()]);
  return cpuShares(profile, from, to);
}

/** Starts the server a few times, and measures what each start takes up to the first answer. */
async function measureStart(options: Parameters<typeof Server.start>[0]): Promise<StartFigures> {
  const starts: StartFigures[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const server = await Server.start(options);
    undo.push(() => server.stop());
    starts.push({ ms: server.startMs, cpuMs: cpuOf(server.pid), memoryMb: memoryOf(server.pid)?.nowMb ?? 0 });
    await server.stop();
  }
  return {
    ms: middle(starts.map(({ ms }) => ms)),
    cpuMs: middle(starts.map(({ cpuMs }) => cpuMs)),
    memoryMb: middle(starts.map(({ memoryMb }) => memoryMb)),
  };
}

async function measureAll(settings: Settings, source: PageSource, folder: string): Promise<Findings> {
  const database = await startEmbeddedPostgres({ dataDir: folder, log: say });
  undo.push(() => database.stop());
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  undo.push(() => client.end());
  const options = { folder, token: TOKEN, databaseUrl: database.url };
  const limits = await Limits.start(database.url, source, Math.max(...settings.sizes));
  undo.push(() => limits.stop());
  const server = await Server.start(options);
  undo.push(() => server.stop());
  say(`the server runs (its first start took ${(server.startMs / 1000).toFixed(1)} s)`);
  const { pageRequests, ...running } = await measureServer(
    settings,
    source,
    server,
    limits,
    database.pid,
    client,
    folder,
  );
  await Promise.all([server.stop(), limits.stop()]);
  const shares = await measureShares(options, pageRequests, settings.seconds);
  say('measured the parts of a read');
  const external = await measureStart(options);
  await client.end();
  await database.stop();
  const embedded = await measureStart({ folder, token: TOKEN });
  return { ...running, shares, starts: { external, embedded } };
}

/** Prints the results, and writes them to a file if requested. */
async function report(
  { json }: Settings,
  facts: Record<string, unknown>,
  text: string,
  everything: object,
): Promise<void> {
  process.stdout.write(
    `${Object.entries(facts)
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join('\n')}\n${text}`,
  );
  if (json !== undefined) await writeFile(json, `${JSON.stringify({ facts, ...everything }, null, 2)}\n`);
  say('done');
}

function factsOf(settings: Settings, source: PageSource): Record<string, unknown> {
  const [cpu] = cpus();
  return {
    at: new Date().toISOString(),
    machine: `${cpus().length} x ${cpu?.model ?? 'unknown'}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, Linux ${release()}, Node ${process.version}`,
    pages: source.name,
    ...settings,
  };
}

async function main(): Promise<void> {
  const settings = readSettings();
  const source = pagesFor(settings.seed);
  const facts = factsOf(settings, source);
  const folder = await mkdtemp(join(tmpdir(), 'bindery-bench-'));
  // For root, the database runs as another user, who must be able to enter.
  await chmod(folder, 0o755);
  undo.push(() => rm(folder, { recursive: true, force: true }));
  try {
    if (settings.part !== undefined) {
      const { text, figures } = await ALONE[settings.part]({ settings, source, folder, token: TOKEN, undo, say });
      return await report(settings, facts, text, figures);
    }
    const findings = await measureAll(settings, source, folder);
    await report(settings, facts, reportOf(findings), {
      ...findings,
      growth: growthOf(findings),
      targets: verdictsOf(findings),
    });
  } finally {
    await undo.all();
  }
}

await main();
