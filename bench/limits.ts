import type { ChildProcess } from 'node:child_process';
import { requestText } from './connection.js';
import { createDatabase, withClient } from './databases.js';
import { SERIAL_MARK } from './load.js';
import { FREQUENT_WORD, pageText, type PageSource } from './pages.js';
import { endProcess, forkTypescript, messageOf } from './processes.js';

const TABLES = `
  CREATE TABLE page (id text COLLATE "C" PRIMARY KEY, title text NOT NULL, description text NOT NULL, body text NOT NULL,
    vector tsvector NOT NULL, updated_at timestamptz NOT NULL DEFAULT now()) WITH (fillfactor = 80);
  CREATE TABLE revision (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, page_id text NOT NULL, body text NOT NULL, at timestamptz NOT NULL DEFAULT now());`;
const DATABASE = 'bench_limits';
const BATCH = 500;

export interface LimitServer {
  readonly pid: number;
  readonly port: number;
}

/** A bare server and one on Express over separate tables with the same pages, and the requests to them. */
export class Limits {
  private constructor(
    private readonly children: readonly ChildProcess[],
    readonly bare: LimitServer,
    readonly express: LimitServer,
    readonly pageRequests: readonly string[],
    readonly listRequests: readonly string[],
    readonly headlineRequests: readonly string[],
    readonly updateRequests: readonly string[],
  ) {}

  static async start(databaseUrl: string, pages: PageSource, count: number): Promise<Limits> {
    const url = await createTables(databaseUrl, pages, count);
    const env = { ...process.env, LIMIT_DATABASE_URL: url, NODE_ENV: 'production' };
    const children = ['bare', 'express'].map((kind) => forkTypescript('./limit-server.ts', [kind], { env }));
    const [bare, express] = await Promise.all(
      children.map(async (child) => ({ pid: child.pid ?? 0, port: (await messageOf<{ port: number }>(child)).port })),
    );
    if (bare === undefined || express === undefined) throw new Error('the servers of the limits did not start');
    const ids = Array.from({ length: Math.min(count, 500) }, (_, index) =>
      pageId(Math.floor((index * count) / Math.min(count, 500))),
    );
    return new Limits(
      children,
      bare,
      express,
      ids.map((id) => requestText('GET', `/page/${id}`, '')),
      ids.slice(0, Math.max(1, ids.length - 100)).map((id) => requestText('GET', `/list/${id}`, '')),
      [requestText('GET', `/headline/${FREQUENT_WORD}`, '')],
      ids.map((id, index) =>
        requestText('POST', `/update/${id}`, '', { body: pageText(pages, index, SERIAL_MARK).markdown }),
      ),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.children.map((child) => endProcess(child)));
  }
}

const pageId = (index: number): string => `P${String(index).padStart(19, '0')}`;

async function createTables(databaseUrl: string, pages: PageSource, count: number): Promise<string> {
  const url = await createDatabase(databaseUrl, DATABASE);
  await withClient(url, async (client) => {
    await client.query(TABLES);
    for (let from = 0; from < count; from += BATCH) {
      const texts = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => ({
        id: pageId(from + index),
        ...pageText(pages, from + index),
      }));
      await client.query(
        `INSERT INTO page (id, title, description, body, vector)
         SELECT id, title, 'What ' || title || ' says', markdown, to_tsvector('english', markdown)
           FROM jsonb_to_recordset($1) AS t(id text, title text, markdown text)`,
        [JSON.stringify(texts)],
      );
    }
    await client.query('CREATE INDEX page_vector_idx ON page USING gin (vector)');
    await client.query('VACUUM ANALYZE');
  });
  return url;
}
