import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { tarGzOf } from '../archives.js';
import { useSpecificationServer } from '../specification-server.js';
import { inWholeRuns } from '../whole.js';
import { Caller } from './kill-clients.js';
import { analysed, decide, findBrokenConversations, ingest, undoDecisions } from './kill-conversations.js';
import { KilledServer } from './kill-server.js';
import { findBrokenSpecifications, registerSpecifications, specificationsRead } from './kill-specifications.js';

/*
 * Imports over HTTP, translations, specifications, and conversations that are read and clustered, whose server is killed at a
 * random moment: the next server finishes them, and they are done once.
 */

const ROUNDS = Number(process.env['ROUNDS'] ?? 1);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const TOKEN = 'kill-token-kill-token-kill-token-kill-token';
const PAGES = 150;
const CONVERSATIONS = 120;
const PATIENCE_MS = 60_000;
const KINDS = ['archive', 'file', 'website'] as const;
type Kind = (typeof KINDS)[number];

/** The lease of the killed server is over after a minute, the next attempt begins some seconds later: here both at once. */
const CUT_OFF = `name IN ('imports.run', 'translations.follow', 'translations.correct', 'conversations.derive', 'conversations.rebuild', 'openapi.process')`;
const END_LEASES = `UPDATE jobs.job SET started_on = now() - interval '3 hours', expire_in = interval '1 second' WHERE ${CUT_OFF} AND state = 'active'`;
const END_WAITING = `UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE ${CUT_OFF} AND state < 'active'`;
/** The revisions of a translated space once a text on all of its pages is corrected: each corrects 50 of them. */
const CORRECTED_REVISIONS = 2 + PAGES / 50;
/** Texts that a translation sends before it keeps what was said of them. */
const SENT_AT_ONCE = 200;

interface Run {
  readonly id: string;
  readonly status: string;
  readonly error?: string;
  readonly changed?: boolean;
  readonly revision?: string;
  readonly pages: readonly object[];
}
interface Translation {
  readonly id: string;
  readonly status: string;
  readonly error?: string;
  readonly result: { readonly space: string; readonly revision: string };
  readonly stats: { readonly runs: number; readonly latestPages: number };
}
interface PageNode {
  readonly title: string;
  readonly pages?: readonly PageNode[];
}

const titles = (nodes: readonly PageNode[]): string[] =>
  nodes.flatMap(({ title, pages = [] }) => [title, ...titles(pages)]);
const WANTED = Array.from({ length: PAGES }, (_, index) => `Chapter ${String(index).padStart(3, '0')}`);
const next = (title: string): number => (WANTED.indexOf(title) + 1) % PAGES;
const ARCHIVE = tarGzOf(
  Object.fromEntries(
    WANTED.map((title, index) => [
      `chapter-${index}.md`,
      `# ${title}\n\nSee [the next](chapter-${next(title)}.md).\n\n${'And so on. '.repeat(100)}\n`,
    ]),
  ),
);

describe(`3b-37 kill -9 while work is done in the background (ROUNDS=${ROUNDS} SEED=${SEED})`, () => {
  let folder: string;
  let server: KilledServer;
  const specifications = useSpecificationServer();
  let website: Server;
  let engine: Server;
  /** What the engine was sent, in order. */
  const sent: string[] = [];
  let organization: string;
  let state = SEED % 2_147_483_647 || 1;
  /** Park and Miller: the same numbers for the same seed. */
  const chance = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const caller = (): Caller => new Caller(server.url, TOKEN);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-kill-runs-'));
    await chmod(folder, 0o755);
    website = createServer((request, response) => {
      const title =
        request.url === '/' ? undefined : WANTED[Number(/^\/chapter-(\d+)$/.exec(request.url ?? '')?.[1] ?? -1)];
      const links =
        title === undefined
          ? WANTED.map((each, index) => `<a href="/chapter-${index}">${each}</a>`).join(' ')
          : `<a href="/chapter-${next(title)}">The next</a>`;
      response
        .writeHead(title === undefined && request.url !== '/' ? 404 : 200, { 'Content-Type': 'text/html' })
        .end(`<main><h1>${title ?? 'Contents'}</h1><p>${links}</p></main>`);
    });
    await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
    engine = createServer(
      (request, response) => void answer(request).then((body) => response.end(JSON.stringify(body))),
    );
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
    const libretranslate = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
    server = new KilledServer(join(folder, 'data'), TOKEN, {
      OUTBOUND_ALLOW: '127.0.0.1',
      LIBRETRANSLATE_URL: libretranslate,
    });
    await server.start();
    const { items } = await caller().call<{ items: { id: string }[] }>('GET', '/orgs');
    organization = items[0]?.id ?? '';
  }, 120_000);

  /** As LibreTranslate answers; every word ends otherwise. */
  async function answer(request: IncomingMessage): Promise<object> {
    let body = '';
    for await (const part of request) body += String(part);
    if (request.url === '/languages') return [{ code: 'en', targets: ['es'] }];
    const { q } = JSON.parse(body) as { q: string[] };
    await pause(20);
    sent.push(...q);
    return { translatedText: q.map((text) => text.replace(/[A-Za-z]+(?![^<]*>)/g, (word) => `${word}ix`)) };
  }

  afterAll(async () => {
    await server.stop();
    await server.clear();
    website.closeAllConnections();
    website.close();
    engine.closeAllConnections();
    engine.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  async function send(url: string, method: string, type: string): Promise<Run | undefined> {
    const response = await fetch(url, {
      method,
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': type },
      body: new Uint8Array(ARCHIVE),
    });
    expect([response.ok, response.status]).toEqual([true, response.status]);
    return response.status === 204 ? undefined : ((await response.json()) as Run);
  }

  async function begin(kind: Kind, space: string): Promise<Run> {
    if (kind === 'archive') {
      const run = await send(`${server.url}/spaces/${space}/import`, 'POST', 'application/gzip');
      if (run) return run;
    }
    const start = (source: object): Promise<Run> =>
      caller().call('POST', `/org/${organization}/imports`, { source, target: { space } });
    if (kind === 'website')
      return start({ type: 'website', url: `http://127.0.0.1:${(website.address() as AddressInfo).port}/` });
    const { url, key } = await caller().call<{ url: string; key: string }>(
      'POST',
      `/orgs/${organization}/storage/upload`,
      { kind: 'import_file', file: { name: 'docs.tar.gz', type: 'application/gzip', size: ARCHIVE.length } },
    );
    await send(url, 'PUT', 'application/gzip');
    return start({ type: 'file', files: [key] });
  }

  const runOf = (id: string): Promise<Run> => caller().call('GET', `/org/${organization}/imports/${id}`);

  async function inDatabase(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: await server.databaseUrl() });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  }

  async function ended(id: string): Promise<Run> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const run = await runOf(id);
      if (!['pending', 'in-progress'].includes(run.status) || Date.now() > deadline) return run;
      await pause(300);
    }
  }

  /** Imports without a kill, to know how long it takes. */
  async function timed(kind: Kind, space: string): Promise<number> {
    const started = performance.now();
    expect(await ended((await begin(kind, space)).id)).toMatchObject({ status: 'completed', changed: true });
    return performance.now() - started;
  }

  const newSpace = async (): Promise<string> =>
    (
      await caller().call<{ id: string }>('POST', `/orgs/${organization}/spaces`, {
        title: 'Killed',
        empty: true,
        editMode: 'live',
      })
    ).id;

  inWholeRuns(
    'conversations are read and clustered by the next server, once',
    async () => {
      let [took, cut] = [4000, 0];
      for (let round = 0; round < ROUNDS; round++) {
        const begin = performance.now();
        await ingest(caller(), organization, `integration:kill:${round}`, CONVERSATIONS);
        await pause(chance() * took);
        await server.kill();
        await server.start();
        await inDatabase(END_LEASES);
        const waiting = setInterval(() => void inDatabase(END_WAITING).catch(() => undefined), 1000);
        const { atOnce } = await analysed(caller(), organization).finally(() => clearInterval(waiting));
        if (!atOnce) cut++;
        took = Math.min(took, performance.now() - begin);
        expect({
          round,
          faults: await findBrokenConversations(caller(), organization, (round + 1) * CONVERSATIONS),
        }).toEqual({ round, faults: [] });
      }
      process.stdout.write(
        `kill -9 while conversations are read: ${ROUNDS} rounds, seed ${SEED}, ${cut} of them cut off, all read and clustered once\n`,
      );
    },
    120_000 + ROUNDS * 90_000,
  );

  inWholeRuns(
    'a merge and a split of clusters are made as a whole or not at all',
    async () => {
      const { id } = await caller().call<{ id: string }>('POST', '/orgs', { title: 'Decisions' });
      await ingest(caller(), id, 'integration:kill:decisions', CONVERSATIONS);
      await analysed(caller(), id);
      let [made, took] = [0, 0];
      for (let round = 0; round < 2 * ROUNDS + 2; round++) {
        const send = await decide(caller(), id, round % 2 === 0 ? 'merge' : 'split');
        const begin = performance.now();
        const sending = send().catch(() => undefined);
        // The first two are not cut off, to know how long they take.
        await (round < 2 ? sending : pause(chance() * took));
        if (round < 2) took = Math.max(took, performance.now() - begin);
        await server.kill();
        await sending;
        await server.start();
        const broken = await findBrokenConversations(caller(), id, CONVERSATIONS);
        const { count, faults } = await undoDecisions(caller(), id);
        made += count;
        const left = await findBrokenConversations(caller(), id, CONVERSATIONS);
        expect({ round, faults: [...broken, ...faults, ...left] }).toEqual({ round, faults: [] });
      }
      expect(made).toBeGreaterThanOrEqual(2);
      process.stdout.write(
        `kill -9 while clusters are merged and split: ${2 * ROUNDS} rounds, seed ${SEED}, ${made - 2} of them made, all as a whole\n`,
      );
    },
    240_000 + ROUNDS * 60_000,
  );

  it(
    'the import is finished by the next server, once',
    async () => {
      const took = new Map<Kind, number>();
      let cut = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const kind = KINDS[(SEED + round) % KINDS.length] ?? 'archive';
        if (!took.has(kind)) took.set(kind, await timed(kind, await newSpace()));
        const space = await newSpace();
        const { id } = await begin(kind, space);
        await pause(chance() * (took.get(kind) ?? 0));
        await server.kill();
        await server.start();
        if ((await runOf(id)).status !== 'completed') cut++;
        await inDatabase(END_LEASES);
        const waiting = setInterval(() => void inDatabase(END_WAITING).catch(() => undefined), 1000);
        const run = await ended(id).finally(() => clearInterval(waiting));
        const { pages } = await caller().call<{ pages: PageNode[] }>('GET', `/spaces/${space}/content/pages`);
        const { items } = await caller().call<{ items: { id: string }[] }>(
          'GET',
          `/spaces/${space}/revisions?limit=10`,
        );
        const found = titles(pages)
          .filter((title) => title !== 'Contents')
          .sort();
        expect({
          round,
          kind,
          status: run.status,
          error: run.error,
          found,
          revisions: items.length,
          head: items[0]?.id,
        }).toEqual({
          round,
          kind,
          status: 'completed',
          error: undefined,
          found: WANTED,
          revisions: 2,
          head: run.revision,
        });
        if (kind === 'archive')
          expect(await ended((await begin(kind, space)).id)).toMatchObject({
            status: 'completed',
            changed: false,
            revision: run.revision,
          });
      }
      process.stdout.write(
        `kill -9 of imports: ${ROUNDS} rounds, seed ${SEED}, ${cut} of them cut off, all completed once\n`,
      );
    },
    120_000 + ROUNDS * 90_000,
  );

  inWholeRuns(
    'specifications are read by the next server, once',
    async () => {
      let [took, cut] = [2000, 0];
      for (let round = 1; round <= ROUNDS; round++) {
        const words = `Round ${round}`;
        const begin = performance.now();
        await registerSpecifications(caller(), organization, specifications, words);
        await pause(chance() * took);
        await server.kill();
        await server.start();
        await inDatabase(END_LEASES);
        const waiting = setInterval(() => void inDatabase(END_WAITING).catch(() => undefined), 1000);
        const { atOnce } = await specificationsRead(caller(), organization).finally(() => clearInterval(waiting));
        if (!atOnce) cut++;
        took = Math.min(took, performance.now() - begin);
        expect({ round, faults: await findBrokenSpecifications(caller(), organization, words, round) }).toEqual({
          round,
          faults: [],
        });
      }
      process.stdout.write(
        `kill -9 while specifications are read: ${ROUNDS} rounds, seed ${SEED}, ${cut} of them cut off, all read once\n`,
      );
    },
    120_000 + ROUNDS * 90_000,
  );

  const translationOf = (id: string): Promise<Translation> =>
    caller().call('GET', `/orgs/${organization}/translations/${id}`);

  async function translated(id: string): Promise<Translation> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const translation = await translationOf(id);
      if (translation.status === 'completed' || Date.now() > deadline) return translation;
      await pause(300);
    }
  }

  inWholeRuns(
    'the translation is finished by the next server, once, and nothing that was said before is asked for again',
    async () => {
      const source = await newSpace();
      await ended((await begin('archive', source)).id);
      let took = 0;
      let cut = 0;
      for (let round = 0; round <= ROUNDS; round++) {
        sent.length = 0;
        // Without a kill at first, to know how long it takes; the memory goes with the translation and an hour, so each has a source of its own.
        const space = (await caller().call<{ id: string }>('POST', `/spaces/${source}/duplicate`, {})).id;
        const began = performance.now();
        const { id, result } = await caller().call<Translation>('POST', `/orgs/${organization}/translations`, {
          source: { space, language: 'en' },
          language: 'es',
        });
        if (round > 0) {
          await pause(chance() * took);
          await server.kill();
          await server.start();
          if ((await translationOf(id)).status !== 'completed') cut++;
          await inDatabase(END_LEASES);
        }
        const waiting = setInterval(() => void inDatabase(END_WAITING).catch(() => undefined), 1000);
        const translation = await translated(id).finally(() => clearInterval(waiting));
        if (round === 0) took = performance.now() - began;
        const { pages } = await caller().call<{ pages: PageNode[] }>('GET', `/spaces/${result.space}/content/pages`);
        const { items } = await caller().call<{ items: { id: string }[] }>(
          'GET',
          `/spaces/${result.space}/revisions?limit=10`,
        );
        const found = titles(pages).sort();
        const wanted = {
          round,
          status: 'completed',
          error: undefined,
          runs: 1,
          latestPages: PAGES,
          found: WANTED.map((title) => title.replace('Chapter', 'Chapterix')),
          revisions: 2,
          head: items[0]?.id,
        };
        expect({
          round,
          status: translation.status,
          error: translation.error,
          ...translation.stats,
          found,
          revisions: items.length,
          head: translation.result.revision,
        }).toMatchObject(wanted);
        expect(sent.length - new Set(sent).size).toBeLessThanOrEqual(round === 0 ? 0 : SENT_AT_ONCE);
      }
      process.stdout.write(
        `kill -9 of translations: ${ROUNDS} rounds, seed ${SEED}, ${cut} of them cut off, all completed once\n`,
      );
    },
    120_000 + ROUNDS * 90_000,
  );

  /** What is not as a correction of a text on all pages has it. */
  async function findUncorrected({ id, result }: Translation, target: string): Promise<string[]> {
    const { items } = await caller().call<{ items: { id: string }[] }>(
      'GET',
      `/spaces/${result.space}/revisions?limit=50`,
    );
    const { pages } = await caller().call<{ pages: { id: string }[] }>('GET', `/spaces/${result.space}/content/pages`);
    const faults = items.length > CORRECTED_REVISIONS ? [`${items.length} revisions`] : [];
    if (pages.length !== PAGES) faults.push(`${pages.length} pages`);
    for (const page of pages) {
      const { markdown } = await caller().call<{ markdown: string }>(
        'GET',
        `/spaces/${result.space}/content/page/${page.id}?format=markdown`,
      );
      if (markdown.split(target).length !== 2 || markdown.includes('Andix')) faults.push(`${page.id} says ${markdown}`);
    }
    const { status, error, stats } = await translationOf(id);
    return status === 'completed' && error === undefined && stats.runs === 1
      ? faults
      : [...faults, `${status} ${error ?? ''} after ${stats.runs} runs`];
  }

  inWholeRuns(
    'what people have said is on all pages by the next server, once, and asks no engine',
    async () => {
      const source = await newSpace();
      await ended((await begin('archive', source)).id);
      let [took, cut] = [0, 0];
      for (let round = 0; round <= ROUNDS; round++) {
        const space = (await caller().call<{ id: string }>('POST', `/spaces/${source}/duplicate`, {})).id;
        const translations = `/orgs/${organization}/translations`;
        const body = { source: { space, language: 'en' }, language: 'es' };
        const { id } = await caller().call<Translation>('POST', translations, body);
        const translation = await translated(id);
        sent.length = 0;
        const { items } = await caller().call<{ items: { id: string; source: string }[] }>(
          'GET',
          `${translations}/${id}/segments?limit=10`,
        );
        const segment = items.find(({ source: text }) => text.startsWith('And so on.'));
        const target = `Etcétera ${round}.`;
        const began = performance.now();
        await caller().call('PATCH', `${translations}/${id}/segments/${segment?.id ?? ''}`, { target });
        const waiting = async (): Promise<number> => {
          const client = new pg.Client({ connectionString: await server.databaseUrl() });
          await client.connect();
          const { rows } = await client
            .query<{ count: number }>('SELECT count(*)::int AS count FROM translation_segment WHERE NOT published')
            .finally(() => client.end());
          return rows[0]?.count ?? 0;
        };
        if (round > 0) {
          await pause(chance() * took);
          await server.kill();
          await server.start();
          if ((await waiting()) > 0) cut++;
          await inDatabase(END_LEASES);
        }
        const hurry = setInterval(() => void inDatabase(END_WAITING).catch(() => undefined), 1000);
        for (const end = Date.now() + PATIENCE_MS; (await waiting()) > 0 && Date.now() < end;) await pause(100);
        clearInterval(hurry);
        if (round === 0) took = performance.now() - began;
        expect({ round, faults: await findUncorrected(translation, target), waiting: await waiting(), sent }).toEqual({
          ...{ round, faults: [], waiting: 0, sent: [] },
        });
      }
      process.stdout.write(
        `kill -9 of corrections: ${ROUNDS} rounds, seed ${SEED}, ${cut} of them cut off, all on their pages once\n`,
      );
    },
    120_000 + ROUNDS * 90_000,
  );
});
