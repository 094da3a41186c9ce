import type pg from 'pg';
import { Api } from './api.js';
import { requestText } from './connection.js';
import { hostileRequests } from './hostile-texts.js';
import type { LoadGenerator, LoadResult } from './load.js';
import { middle } from './measure.js';
import type { PageSource } from './pages.js';
import { pageRequestsOf } from './reads.js';
import type { Server } from './server.js';
import { buildSpace, type Subject } from './spaces.js';

const GREEDY_CONNECTIONS = 32;
const TURNS = 5;
const MODEST_TOKEN = 'bench-token-of-the-modest-organization-of-the-benchmark';
const MODEST = 'OmodestModestModest0';

/** The performance of one organization with a single connection while another is idle, and at full load. */
export interface NeighbourFindings {
  readonly of: string;
  readonly alone: Pick<LoadResult, 'medianMs' | 'p99Ms'>;
  readonly beside: Pick<LoadResult, 'medianMs' | 'p99Ms'>;
  readonly greedyPerSecond: number;
}

interface Scene {
  readonly server: Server;
  readonly client: pg.Client;
  readonly token: string;
  readonly organizationId: string;
  readonly source: PageSource;
  readonly greedy: LoadGenerator;
  readonly modest: LoadGenerator;
  readonly seconds: number;
  readonly size: number;
}

/** Requests of both organizations, and the responses to the greedy one. */
interface Load {
  readonly theirs: readonly string[];
  readonly ours: readonly string[];
  readonly answers?: readonly number[];
}

/** An organization beside that of the benchmark, with an administrator of its own. */
async function addOrganization(client: pg.Client): Promise<void> {
  const user = MODEST.replace('O', 'U');
  await client.query(
    `INSERT INTO account (id, display_name, email, email_verified, created_at) VALUES ($1, 'Modest', 'modest@example.com', true, now())`,
    [user],
  );
  await client.query(`INSERT INTO organization (id, title, created_at) VALUES ($1, 'Modest', now())`, [MODEST]);
  await client.query(
    `INSERT INTO member (organization_id, user_id, role, joined_at, last_seen_at) VALUES ($1, $2, 'admin', now(), now())`,
    [MODEST, user],
  );
  await client.query(
    `INSERT INTO api_token (id, user_id, name, hash, hint, created_at) VALUES ($1, $2, 'bench', sha256(convert_to($3, 'UTF8')), 'bench', now())`,
    [MODEST.replace('O', 'T'), user, MODEST_TOKEN],
  );
}

/** Edits of a page of a space with live edits. */
function editsOf(token: string, { spaceId, pageIds, leaves }: Subject): string[] {
  return leaves.slice(0, 20).map((leaf, at) =>
    requestText('POST', `/v1/spaces/${spaceId}/content`, token, {
      changes: [{ operation: 'update_page', page: pageIds[leaf], description: `Edit ${at} @@@@@@@@` }],
    }),
  );
}

/** Measures reads and edits in alternation with and without the neighbour, and returns the medians. */
export async function measureNeighbours({
  server,
  client,
  token,
  organizationId,
  source,
  greedy,
  modest,
  seconds,
  size,
}: Scene): Promise<NeighbourFindings[]> {
  await addOrganization(client);
  const [api, modestApi] = [new Api(server.port, token), new Api(server.port, MODEST_TOKEN)];
  const [large, small] = [
    await buildSpace(api, organizationId, 'greedy', size, source),
    await buildSpace(modestApi, MODEST, 'modest', 100, source),
  ];
  api.close();
  modestApi.close();
  const order = { port: server.port, milliseconds: seconds * 4000, expect: [200] };
  const reads = pageRequestsOf(MODEST_TOKEN, small);
  const loads: Readonly<Record<string, Load>> = {
    reads: { theirs: pageRequestsOf(token, large), ours: reads },
    edits: { theirs: editsOf(token, large), ours: editsOf(MODEST_TOKEN, small) },
    'reads beside hostile texts': {
      theirs: hostileRequests(token, organizationId, large),
      ours: reads,
      answers: [200, 204, 400, 413, 422, 429],
    },
  };
  const findings: NeighbourFindings[] = [];
  for (const [of, { theirs, ours, answers = order.expect }] of Object.entries(loads)) {
    const alone: LoadResult[] = [];
    const beside: LoadResult[] = [];
    const full: LoadResult[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      alone.push(await modest.run({ ...order, connections: 1, lanes: [ours] }));
      const [loaded, load] = await Promise.all([
        modest.run({ ...order, connections: 1, lanes: [ours] }),
        greedy.run({ ...order, connections: GREEDY_CONNECTIONS, lanes: [theirs], expect: answers }),
      ]);
      beside.push(loaded);
      full.push(load);
    }
    const failures = [...alone, ...beside, ...full].flatMap((result) => Object.entries(result.failures));
    if (failures.length > 0) throw new Error(`requests failed: ${JSON.stringify(failures)}`);
    const times = (results: readonly LoadResult[]) => ({
      medianMs: middle(results.map((each) => each.medianMs)),
      p99Ms: middle(results.map((each) => each.p99Ms)),
    });
    findings.push({
      of,
      alone: times(alone),
      beside: times(beside),
      greedyPerSecond: middle(full.map((each) => each.perSecond)),
    });
  }
  return findings;
}
