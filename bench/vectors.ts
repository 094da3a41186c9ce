import type pg from 'pg';
import { Api } from './api.js';
import { memoryOf } from './processes.js';
import { figure, section, table } from './report.js';
import { Server, type ServerOptions } from './server.js';
import { buildSpace } from './spaces.js';
import type { PageSource } from './pages.js';

const SEARCHES = 300;
const POLL_MS = 1000;

interface SearchTimes {
  /** Milliseconds. */
  readonly median: number;
  readonly p95: number;
}

/** The cost of finding pages by what they mean. */
export interface VectorFindings {
  readonly pages: number;
  readonly sections: number;
  /** From the first page to the last one, in the background. */
  readonly seconds: number;
  readonly tableMb: number;
  /** Of the server with the thread of the model, where `/proc` tells. */
  readonly memoryMb?: { readonly without: number; readonly working: number; readonly searching: number };
  readonly searches: Readonly<Record<'words' | 'first' | 'again', SearchTimes>>;
}

/** Waits until the vectors of all pages are made. */
export async function vectorsAreMade(port: number, poll = POLL_MS): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    if (/^bindery_search_pages_due 0$/m.test(metrics)) return;
    await new Promise((resolve) => setTimeout(resolve, poll));
  }
}

/** Queries of three words of the space, always the same. */
async function queriesOf(client: pg.Client, spaceId: string): Promise<string[]> {
  const { rows } = await client.query<{ word: string }>(
    `SELECT DISTINCT md5(w.word), w.word FROM space_vocabulary k CROSS JOIN LATERAL string_to_table(k.words, chr(10)) AS w (word)
      WHERE k.space_id = $1 AND w.word ~ '^[a-z]{4,12}$' ORDER BY 1 LIMIT $2`,
    [spaceId, 3 * SEARCHES],
  );
  return Array.from({ length: Math.floor(rows.length / 3) }, (_, at) =>
    rows
      .slice(3 * at, 3 * at + 3)
      .map(({ word }) => word)
      .join(' '),
  );
}

async function searchTimes(api: Api, spaceId: string, queries: readonly string[]): Promise<SearchTimes> {
  const times: number[] = [];
  for (const query of queries) {
    const begin = performance.now();
    await api.get(`/v1/spaces/${spaceId}/search?limit=10&query=${encodeURIComponent(query)}`);
    times.push(performance.now() - begin);
  }
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
}

/** Measures one space of `size` pages: its searches by words alone, the making of its vectors, and searches with them. */
export async function measureVectors(
  options: ServerOptions,
  client: pg.Client,
  source: PageSource,
  size: number,
  say: (line: string) => void,
): Promise<VectorFindings> {
  const plain = await Server.start(options);
  const builder = new Api(plain.port, options.token);
  try {
    const { items } = await builder.get<{ items: readonly { id: string }[] }>('/v1/orgs');
    const { spaceId, pages } = await buildSpace(builder, items[0]?.id ?? '', String(size), size, source);
    say(`built a space of ${size} pages`);
    await client.query('VACUUM ANALYZE');
    const queries = await queriesOf(client, spaceId);
    await searchTimes(builder, spaceId, queries.slice(0, 20));
    const words = await searchTimes(builder, spaceId, queries);
    const without = memoryOf(plain.pid)?.nowMb;
    await plain.stop();
    const server = await Server.start({ ...options, searchVectors: 'model' });
    const api = new Api(server.port, options.token);
    try {
      const begin = performance.now();
      await vectorsAreMade(server.port);
      const seconds = (performance.now() - begin) / 1000;
      const working = memoryOf(server.pid)?.peakMb;
      say(`made its vectors in ${seconds.toFixed(0)} s`);
      await client.query('VACUUM ANALYZE');
      const [first, again] = [await searchTimes(api, spaceId, queries), await searchTimes(api, spaceId, queries)];
      const searching = memoryOf(server.pid)?.nowMb;
      const { rows } = await client.query<{ sections: string; bytes: string }>(
        `SELECT (SELECT count(*) FROM section_current WHERE space_id = $1) AS sections, pg_total_relation_size('page_embedding') AS bytes`,
        [spaceId],
      );
      return {
        pages,
        sections: Number(rows[0]?.sections),
        seconds,
        tableMb: Number(rows[0]?.bytes) / 1024 ** 2,
        ...(without !== undefined &&
          working !== undefined &&
          searching !== undefined && { memoryMb: { without, working, searching } }),
        searches: { words, first, again },
      };
    } finally {
      api.close();
      await server.stop();
    }
  } finally {
    builder.close();
    await plain.stop();
  }
}

/** Vectors of all pages, and searches with and without them. */
export function vectorsSection({ pages, sections, seconds, tableMb, memoryMb, searches }: VectorFindings): string {
  const rows = [
    ['words alone', searches.words],
    ['with vectors, a query for the first time', searches.first],
    ['with vectors, a query that was asked before', searches.again],
  ] as const;
  const memory =
    memoryMb === undefined
      ? []
      : [
          `memory of the server: ${memoryMb.without.toFixed(0)} MB without vectors, at most ${memoryMb.working.toFixed(0)} MB while they are made, ${memoryMb.searching.toFixed(0)} MB after the searches`,
        ];
  return section(
    'Finding pages by what they mean',
    [
      `${pages} pages of ${sections} sections: ${seconds.toFixed(0)} s in the background, ${(sections / seconds).toFixed(0)} sections a second; ${tableMb.toFixed(1)} MB in the database`,
      ...memory,
      '',
      table(
        ['search of three words, 1 connection', 'p50 ms', 'p95 ms'],
        rows.map(([name, { median, p95 }]) => [name, figure(median), figure(p95)]),
      ),
    ].join('\n'),
  );
}
