import pg from 'pg';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../src/kernel/platform/embedded-postgres/embedded-postgres.js';
import { Api } from './api.js';
import { createDatabase, withClient } from './databases.js';
import { LoadGenerator } from './load.js';
import { addOrganizations, furnish, type Installation, manySection, measureMany } from './many-organizations.js';
import { measureNeighbours } from './neighbours.js';
import { pagesFor, type PageSource } from './pages.js';
import { comparisonsOf, measureProducts, peersSection } from './peers/compare.js';
import { faultsSection, fillPeers, missingSection } from './peers/fill.js';
import { findPeers } from './peers/found.js';
import { ourProduct } from './peers/product.js';
import { measurePublished } from './published.js';
import { neighboursSection, publishedSection } from './report.js';
import { Server } from './server.js';
import type { PARTS, Settings } from './settings.js';
import { measureSize, sizeSection, type SizeFindings } from './size.js';
import { buildSpace } from './spaces.js';
import type { Undo } from './undo.js';
import { measureVectors, vectorsSection } from './vectors.js';

const PEER_CONNECTIONS = 16;
/** Bytes of the pages whose size is measured. */
const SHORT_PAGE = 2000;

/** What the parts that are measured alone are given. */
export interface Stage {
  readonly settings: Settings;
  readonly source: PageSource;
  /** A folder that is removed at the end. */
  readonly folder: string;
  /** The first account's token. */
  readonly token: string;
  readonly undo: Undo;
  readonly say: (line: string) => void;
}

async function startDatabase({ folder, undo, say }: Stage): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({ dataDir: folder, log: say });
  undo.push(() => database.stop());
  return database;
}

/** The server is stopped at the end, even where that comes before it has started. */
async function startServer({ folder, token, undo }: Stage, databaseUrl: string): Promise<Server> {
  const starting = Server.start({ folder, token, databaseUrl });
  undo.push(() =>
    starting.then(
      (server) => server.stop(),
      () => undefined,
    ),
  );
  return starting;
}

async function connect({ undo }: Stage, databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  undo.push(() => client.end());
  return client;
}

/** The report about a part that is measured alone, and its figures. */
export interface Alone {
  readonly text: string;
  readonly figures: object;
}

/** Published pages of the largest space, and nothing else. */
async function measurePublishedAlone(stage: Stage): Promise<Alone> {
  const {
    settings: { sizes, seconds },
    source,
    folder,
    token,
    undo,
    say,
  } = stage;
  const database = await startDatabase(stage);
  const server = await startServer(stage, database.url);
  const api = new Api(server.port, token);
  const load = LoadGenerator.start();
  undo.push(() => load.stop());
  const organizationId = await api.organizationId();
  const size = Math.max(...sizes);
  const subject = await buildSpace(api, organizationId, String(size), size, source);
  say(`built a space of ${size} pages in ${(subject.buildMs / 1000).toFixed(1)} s`);
  const published = await measurePublished({
    server,
    api,
    organizationId,
    subject,
    source,
    load,
    databasePid: database.pid,
    seconds,
    folder,
  });
  api.close();
  return { text: publishedSection(published), figures: { published } };
}

/** Two organizations on one server, and nothing else. */
async function measureNeighboursAlone(stage: Stage): Promise<Alone> {
  const {
    settings: { sizes, seconds },
    source,
    token,
    undo,
  } = stage;
  const database = await startDatabase(stage);
  const client = await connect(stage, database.url);
  const server = await startServer(stage, database.url);
  const [greedy, modest] = [LoadGenerator.start({ standsBack: true }), LoadGenerator.start()];
  undo.push(() => Promise.all([greedy.stop(), modest.stop()]));
  const api = new Api(server.port, token);
  const organizationId = await api.organizationId();
  api.close();
  const neighbours = await measureNeighbours({
    server,
    client,
    token,
    organizationId,
    source,
    greedy,
    modest,
    seconds,
    size: Math.min(...sizes),
  });
  return { text: neighboursSection(neighbours), figures: { neighbours } };
}

/** The search by meaning in the largest space, and nothing else. */
async function measureVectorsAlone(stage: Stage): Promise<Alone> {
  const {
    settings: { sizes },
    source,
    folder,
    token,
    say,
  } = stage;
  const database = await startDatabase(stage);
  const client = await connect(stage, database.url);
  const options = { folder, token, databaseUrl: database.url };
  const vectors = await measureVectors(options, client, source, Math.max(...sizes), say);
  return { text: vectorsSection(vectors), figures: { vectors } };
}

/** The size of pages of 2 kB in the database: in a space of each size, and in spaces of ten pages; each in a database of its own. */
async function measureSizeAlone(stage: Stage): Promise<Alone> {
  const {
    settings: { sizes, seed },
    token,
    say,
  } = stage;
  const source = pagesFor(seed, SHORT_PAGE);
  const database = await startDatabase(stage);
  const measured: SizeFindings[] = [];
  for (const [spaces, pages] of [
    ...sizes.map((size) => [1, size] as const),
    [Math.ceil(Math.max(...sizes) / 10), 10] as const,
  ]) {
    const databaseUrl = await createDatabase(database.url, `size_${spaces}_${pages}`);
    const server = await startServer(stage, databaseUrl);
    const api = new Api(server.port, token);
    measured.push(await withClient(databaseUrl, (client) => measureSize(api, client, source, spaces, pages)));
    api.close();
    await server.stop();
    say(`measured the size of ${spaces} x ${pages} pages`);
  }
  return { text: sizeSection(measured), figures: { measured } };
}

/** The same space in a database of one organization and in one of many. */
async function measureOrganizationsAlone(stage: Stage): Promise<Alone> {
  const {
    settings: { sizes, seconds, organizations },
    source,
    token,
    undo,
    say,
  } = stage;
  const database = await startDatabase(stage);
  const pages = Math.max(...sizes);
  const start = async (count: number): Promise<Installation> => {
    const databaseUrl = await createDatabase(database.url, `organizations_${count}`);
    const client = await connect(stage, databaseUrl);
    const server = await startServer(stage, databaseUrl);
    if (count > 1) {
      const rows = await addOrganizations(client, server, source, count - 1);
      say(`added ${count - 1} organizations of ${rows} rows`);
    }
    return furnish(count === 1 ? '1 organization' : `${count} organizations`, server, client, token, pages, source);
  };
  const installations = [await start(1), await start(organizations)] as const;
  say(`built a space of ${pages} pages in both`);
  const load = LoadGenerator.start();
  undo.push(() => load.stop());
  const many = await measureMany(installations, { source, load, databasePid: database.pid, seconds, say });
  for (const { api } of installations) api.close();
  return { text: manySection(many), figures: { many } };
}

/** Other products beside ours with the pages of the largest space, or what has to be there for that. */
async function measurePeersAlone(stage: Stage): Promise<Alone> {
  const {
    settings: { sizes, seconds },
    source,
    folder,
    token,
    undo,
    say,
  } = stage;
  const found = await findPeers(process.env['BENCH_PEERS'] || undefined, process.env['PATH'] ?? '');
  if (found.peers.length === 0) return { text: missingSection(found), figures: { needs: found.needs } };
  const database = await startDatabase(stage);
  const count = Math.max(...sizes);
  const { products, faults } = await fillPeers(found.peers, {
    folder,
    redis: found.redis,
    undo,
    databaseUrl: (name) => createDatabase(database.url, name),
    source,
    count,
    say,
  });
  if (faults.length > 0) process.exitCode = 1;
  const rest = missingSection(found) + faultsSection(faults);
  if (products.length === 0) return { text: rest, figures: { needs: found.needs, faults } };
  const server = await startServer(stage, database.url);
  const api = new Api(server.port, token);
  const ours = await ourProduct({ server, databaseUrl: database.url }, api, await api.organizationId(), source, count);
  api.close();
  const load = LoadGenerator.start();
  undo.push(() => load.stop());
  const measured = await measureProducts([ours, ...products], PEER_CONNECTIONS, load, database.pid, seconds);
  return {
    text: peersSection(measured) + rest,
    figures: { measured, comparisons: comparisonsOf(measured), needs: found.needs, faults },
  };
}

/** Measures one part and nothing else. */
export const ALONE: Readonly<Record<(typeof PARTS)[number], (stage: Stage) => Promise<Alone>>> = {
  published: measurePublishedAlone,
  neighbours: measureNeighboursAlone,
  vectors: measureVectorsAlone,
  size: measureSizeAlone,
  peers: measurePeersAlone,
  organizations: measureOrganizationsAlone,
};
