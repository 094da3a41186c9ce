import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConversationEngine } from '../src/insight/conversations/engine/engine.js';
import { continueClusters, type KnownCluster } from '../src/insight/conversations/domain/cluster-continuity.js';
import { decidedBy, divideByDecisions, type Decision } from '../src/insight/conversations/domain/decided-clusters.js';
import { newId } from '../src/kernel/common/ids.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { clusterByTopics } from './topic-engine.js';

const app = useApp();
beforeAll(() => clusterByTopics(app.current));

interface Cluster {
  id: string;
  label: string;
  theme?: string;
  mergedInto?: string;
  reviewed: boolean;
  stats: { issues: number };
}
interface Made {
  id: string;
  kind: string;
  cluster: string;
  other: string;
  otherLabel: string;
  issues: number;
}
interface Issue {
  issue: { id: string; title: string; cluster?: string };
}
interface Failure {
  error: { message: string };
}
interface List<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}

const at = ({ id }: Workspace, path: string) => `/orgs/${id}/conversations${path}`;
const sql = <Row extends Record<string, unknown>>(text: string, values: readonly unknown[] = []) =>
  app.current.database.query<Row>(text, values);

const WORDS = { export: 6, log: 4, invoice: 3 } as const;
const asks = (word: string, index: number) => ({
  id: `${word}${index}`,
  parts: [{ type: 'message', role: 'user', body: `How do I use the ${word} here, please? (${index})` }],
});

async function ingest({ admin, id }: Workspace, body: object): Promise<void> {
  expect((await admin.api.post(`/orgs/${id}/conversations`, body)).status).toBe(204);
}

/** Does all that is due, or will be, in the background. */
async function settle(): Promise<void> {
  for (;;) {
    await sql(
      `UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE name LIKE 'conversations.%' AND state < 'active'`,
    );
    if ((await app.current.get(Jobs).drain()) === 0) return;
  }
}

const clustersOf = async (own: Workspace): Promise<Cluster[]> =>
  (await own.admin.api.get<List<Cluster>>(at(own, '-clusters'), { query: { orderBy: 'issues' } })).body.items;
const sizesOf = async (own: Workspace) => (await clustersOf(own)).map(({ id, stats }) => [id, stats.issues]);
const clusterOf = async (own: Workspace, id: string): Promise<Cluster> =>
  (await own.admin.api.get<Cluster>(at(own, `-clusters/${id}`))).body;
const issuesOf = async (own: Workspace, cluster: string): Promise<string[]> =>
  (await own.admin.api.get<List<Issue>>(at(own, '-issues'), { query: { cluster } })).body.items.map(
    ({ issue }) => issue.id,
  );
const decisionsOf = async (own: Workspace, query: Record<string, string> = {}): Promise<Made[]> =>
  (await own.admin.api.get<List<Made>>(at(own, '-decisions'), { query })).body.items;
const merge = (own: Workspace, into: string, cluster: string) =>
  own.admin.api.post<Made & Failure>(at(own, `-clusters/${into}/merge`), { cluster });
const split = (own: Workspace, from: string, body: object) =>
  own.admin.api.post<Made & Failure>(at(own, `-clusters/${from}/split`), body);
const undo = (own: Workspace, { id }: { id: string }) => own.admin.api.delete<Failure>(at(own, `-decisions/${id}`));

/** Has everything built anew: with another conversation, which is like no other. */
async function rebuild(own: Workspace): Promise<void> {
  await sql('UPDATE conversation_analysis SET engine_version = 0 WHERE organization_id = $1', [own.id]);
  const before = await builtOf(own);
  await app.current.get(Jobs).enqueue('conversations.maintain', {});
  await settle();
  expect(await builtOf(own)).toBeGreaterThan(before);
}
async function builtOf({ id }: Workspace): Promise<number> {
  const [row] = await sql<{ version: number }>(
    'SELECT model_version AS version FROM conversation_analysis WHERE organization_id = $1',
    [id],
  );
  return row?.version ?? 0;
}

describe('decisions of people about clusters', () => {
  let own: Workspace;
  let [exports, logs, invoices] = ['', '', ''];
  beforeEach(async () => {
    own = await buildOrganization(app.current);
    await ingest(
      own,
      Object.entries(WORDS).flatMap(([word, count]) => Array.from({ length: count }, (_, index) => asks(word, index))),
    );
    await settle();
    [exports = '', logs = '', invoices = ''] = (await clustersOf(own)).map(({ id }) => id);
  }, 60_000);

  it('merge two, which stay one with new issues of both until it is undone', async () => {
    const mine = await issuesOf(own, logs);
    const made = await merge(own, exports, logs);
    expect(made).toMatchObject({
      status: 201,
      body: { kind: 'merge', cluster: exports, other: logs, otherLabel: 'log', issues: 4 },
    });
    expect(await sizesOf(own)).toEqual([
      [exports, 10],
      [invoices, 3],
    ]);
    expect(await clusterOf(own, logs)).toMatchObject({ label: 'log', mergedInto: exports, stats: { issues: 0 } });
    // The model of the last rebuild still names the merged cluster.
    await ingest(own, asks('log', 7));
    await app.current.get(Jobs).drain();
    expect(await sizesOf(own)).toEqual([
      [exports, 11],
      [invoices, 3],
    ]);
    await rebuild(own);
    await ingest(own, [asks('log', 8), asks('export', 8)]);
    await settle();
    await rebuild(own);
    expect(await sizesOf(own)).toEqual([
      [exports, 13],
      [invoices, 3],
    ]);
    expect(await decisionsOf(own)).toEqual([made.body]);
    expect((await own.admin.api.get(at(own, `-decisions/${made.body.id}`))).body).toEqual(made.body);
    expect((await undo(own, made.body)).status).toBe(204);
    expect((await undo(own, made.body)).status).toBe(204);
    expect((await issuesOf(own, logs)).sort()).toEqual(mine.sort());
    await rebuild(own);
    expect(await sizesOf(own)).toEqual([
      [exports, 7],
      [logs, 6],
      [invoices, 3],
    ]);
    expect(await decisionsOf(own)).toEqual([]);
    expect((await own.admin.api.get(at(own, `-decisions/${made.body.id}`))).status).toBe(404);
  });

  it('split issues off, which stay apart until it is undone', async () => {
    const chosen = (await issuesOf(own, exports)).slice(0, 2);
    const made = await split(own, exports, { issues: chosen, label: ' Export to Word ' });
    expect(made).toMatchObject({ status: 201, body: { kind: 'split', other: exports, issues: 2 } });
    const part = made.body.cluster;
    expect(await clusterOf(own, part)).toMatchObject({ label: 'Export to Word', reviewed: true });
    for (const build of [() => Promise.resolve(), () => rebuild(own), () => rebuild(own)]) {
      await build();
      expect((await issuesOf(own, part)).sort()).toEqual([...chosen].sort());
      expect(await sizesOf(own)).toEqual([
        [exports, 4],
        [logs, 4],
        [invoices, 3],
        [part, 2],
      ]);
    }
    expect((await undo(own, made.body)).status).toBe(204);
    expect((await own.admin.api.get(at(own, `-clusters/${part}`))).status).toBe(404);
    await rebuild(own);
    expect(await sizesOf(own)).toEqual([
      [exports, 6],
      [logs, 4],
      [invoices, 3],
    ]);
    const unnamed = await split(own, exports, { issues: chosen });
    expect(await clusterOf(own, unnamed.body.cluster)).toMatchObject({ reviewed: false });
    expect((await clusterOf(own, unnamed.body.cluster)).label).toContain('How do I use the export');
    await rebuild(own);
    expect((await clusterOf(own, unnamed.body.cluster)).label).toBe('export');
  });

  it('build on each other, and are undone in turn', async () => {
    const first = (await merge(own, exports, logs)).body;
    const second = (await split(own, exports, { issues: await issuesOf(own, exports).then((all) => all.slice(0, 3)) }))
      .body;
    const third = (await merge(own, invoices, exports)).body;
    expect(await clusterOf(own, logs)).toMatchObject({ mergedInto: exports });
    await ingest(own, asks('log', 9));
    await settle();
    await rebuild(own);
    expect(await sizesOf(own)).toEqual([
      [invoices, 11],
      [second.cluster, 3],
    ]);
    expect((await decisionsOf(own)).map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
    const paged = await own.admin.api.get<List<Made>>(at(own, '-decisions'), { query: { limit: 2 } });
    expect(paged.body.items.map(({ id }) => id)).toEqual([third.id, second.id]);
    expect((await decisionsOf(own, { page: paged.body.next?.page ?? '' })).map(({ id }) => id)).toEqual([first.id]);
    expect((await decisionsOf(own, { cluster: logs })).map(({ id }) => id)).toEqual([first.id]);
    const early = await undo(own, first);
    expect([early.status, early.body.error.message]).toEqual([
      409,
      `Decision ${third.id} is later and about the same clusters: undo it first`,
    ]);
    for (const decision of [third, second, first]) expect((await undo(own, decision)).status).toBe(204);
    await rebuild(own);
    expect(await sizesOf(own)).toEqual([
      [exports, 6],
      [logs, 5],
      [invoices, 3],
    ]);
  });

  it('are kept by a rebuild that was running when they were made', async () => {
    const engine = app.current.get(ConversationEngine);
    const original = engine.rebuild.bind(engine);
    let rebuilds = 0;
    engine.rebuild = async (...given) => {
      if (rebuilds++ === 0) expect((await merge(own, exports, logs)).status).toBe(201);
      return original(...given);
    };
    try {
      await rebuild(own);
    } finally {
      engine.rebuild = original;
    }
    expect(rebuilds).toBe(2);
    expect(await sizesOf(own)).toEqual([
      [exports, 10],
      [invoices, 3],
    ]);
  });

  it('are made one at a time by two people, and not on what another one has changed', async () => {
    const both = await Promise.all([merge(own, exports, logs), merge(own, logs, exports)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const [kept] = await clustersOf(own);
    const gone = kept?.id === exports ? logs : exports;
    expect(kept?.stats.issues).toBe(10);
    expect((await merge(own, invoices, gone)).body.error.message).toBe(
      'cluster: is not a cluster of this organization',
    );
    const old = { headers: { 'If-Match': '"1.0"' } };
    expect((await own.admin.api.post(at(own, `-clusters/${kept?.id}/merge`), { cluster: invoices }, old)).status).toBe(
      412,
    );
    expect((await own.admin.api.post(at(own, `-clusters/${gone}/split`), { issues: ['x'] })).status).toBe(409);
    const issues = await issuesOf(own, invoices);
    const twice = await Promise.all([1, 2].map(() => split(own, invoices, { issues: issues.slice(0, 2) })));
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 400]);
  });

  it('leave everything as it was where the server dies in the middle', async () => {
    const before = await sizesOf(own);
    const [issue = ''] = await issuesOf(own, logs);
    await app.current.database.transaction(async () => {
      // The merge waits for this row, after it has recorded its decision and the issues that it holds.
      await app.current.database.query('SELECT FROM conversation_issue WHERE id = $1 FOR NO KEY UPDATE', [issue]);
      const { base, token = '' } = own.admin.api;
      // Not by the client, which takes a server error for a fault.
      const merging = fetch(new URL(`/v1${at(own, `-clusters/${exports}/merge`)}`, base), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
        body: JSON.stringify({ cluster: logs }),
      });
      await killWaiting();
      const { status, headers } = await merging;
      expect([status, headers.has('retry-after')]).toEqual([503, true]);
    });
    expect(await sizesOf(own)).toEqual(before);
    expect(await decisionsOf(own)).toEqual([]);
    expect(await sql('SELECT FROM issues_hold WHERE organization_id = $1', [own.id])).toEqual([]);
    expect((await merge(own, exports, logs)).status).toBe(201);
  });

  /** Ends the connection that waits to move issues, as the death of its server does. */
  async function killWaiting(): Promise<void> {
    for (;;) {
      await sql('SELECT pg_stat_clear_snapshot()');
      const killed = await sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE conversation_issue SET cluster_id%'`,
      );
      if (killed.length > 0) return;
      await pause(20);
    }
  }

  it('outlive what a server of a release without decisions does to clusters', async () => {
    const chosen = (await issuesOf(own, exports)).slice(0, 2);
    const { cluster: part } = (await split(own, exports, { issues: chosen })).body;
    const merged = (await merge(own, exports, logs)).body;
    // It moves issues by their words only, and removes clusters that it finds empty or replaced.
    await sql(
      `UPDATE conversation_issue SET cluster_id = CASE WHEN text LIKE '%log%' THEN $2 ELSE $3 END WHERE organization_id = $1 AND cluster_id IN ($3, $4)`,
      [own.id, logs, exports, part],
    );
    const gone = await sql('DELETE FROM issues_cluster WHERE organization_id = $1 AND id = ANY ($2) RETURNING id', [
      own.id,
      [part, logs, invoices],
    ]);
    expect(gone).toEqual([{ id: invoices }]);
    await rebuild(own);
    expect((await sizesOf(own)).slice(0, 1)).toEqual([[exports, 8]]);
    expect((await issuesOf(own, part)).sort()).toEqual([...chosen].sort());
    expect((await decisionsOf(own)).map(({ id }) => id)).toContain(merged.id);
    // They go with their organization.
    const other = newId();
    await sql(
      `INSERT INTO organization SELECT (jsonb_populate_record(o, jsonb_build_object('id', $2::text, 'hostname', null))).* FROM organization o WHERE id = $1`,
      [own.id, other],
    );
    await sql(
      `WITH made AS (INSERT INTO issues_cluster (id, organization_id, label, icon, summary, created_at, updated_at)
         SELECT $1 || n, $1, 'Cluster', 'circle', '', now(), now() FROM generate_series(1, 2) n RETURNING id)
       INSERT INTO issues_decision (organization_id, id, number, kind, cluster_id, other_id, created_at)
       SELECT $1, $1, 1, 'merge', $1 || 1, $1 || 2, now() FROM made LIMIT 1`,
      [other],
    );
    await sql('DELETE FROM organization WHERE id = $1', [other]);
    expect(await sql('SELECT FROM issues_cluster WHERE organization_id = $1', [other])).toEqual([]);
  });

  it('are so many at most, and say so', async () => {
    await sql(
      `INSERT INTO issues_decision (organization_id, id, number, kind, cluster_id, other_id, created_at)
       SELECT $1, 'd' || n, n, 'split', $2, $3, now() FROM generate_series(1, 4999) n`,
      [own.id, logs, exports],
    );
    const last = await merge(own, exports, invoices);
    expect(last.status).toBe(201);
    const refused = await merge(own, exports, logs);
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'An organization has at most 5000 merges and splits: undo one first',
    ]);
    const issues = await issuesOf(own, logs);
    expect((await split(own, logs, { issues: issues.slice(1) })).status).toBe(409);
    expect((await undo(own, last.body)).status).toBe(204);
    expect((await split(own, logs, { issues: issues.slice(1) })).status).toBe(201);
  });

  it('bring the change requests of a merged cluster along', async () => {
    const { admin } = own;
    const space = await admin.api.post<{ id: string }>(`/orgs/${own.id}/spaces`, { title: 'Help' });
    const request = await admin.api.post<{ id: string }>(`/spaces/${space.body.id}/change-requests`, {
      conversationsIssuesCluster: logs,
    });
    expect(request.status).toBe(201);
    expect((await merge(own, exports, logs)).status).toBe(201);
    const coverage = await admin.api.get<{ changeRequests: { id: string }[] }>(
      at(own, `-clusters/${exports}/coverage`),
    );
    expect(coverage.body.changeRequests.map(({ id }) => id)).toEqual([request.body.id]);
  });

  it('tell what is wrong with a request', async () => {
    const logged = await issuesOf(own, logs);
    for (const [answer, message] of [
      [merge(own, exports, exports), 'cluster: is the cluster that it would be merged into'],
      [merge(own, exports, 'AbCdEfGh0123456789Xy'), 'cluster: is not a cluster of this organization'],
      [split(own, exports, { issues: [logged[0], 'AbC'] }), 'issues.0: is not an issue of the cluster; issues.1'],
      [split(own, logs, { issues: logged }), 'issues: are all issues of the cluster'],
      [split(own, logs, { issues: [] }), 'issues'],
      [split(own, logs, { issues: logged.slice(1), label: ' ' }), 'label: must not be blank'],
    ] as const)
      expect(await answer).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining(message) } },
      });
    expect((await merge(own, 'AbCdEfGh0123456789Xy', logs)).status).toBe(404);
    const other = await buildOrganization(app.current);
    expect((await merge(other, exports, logs)).status).toBe(404);
    const [made] = [(await merge(own, exports, logs)).body];
    expect((await other.admin.api.get(at(other, `-decisions/${made.id}`))).status).toBe(404);
    expect((await other.admin.api.delete(at(own, `-decisions/${made.id}`))).status).toBe(404);
    expect((await undo(other, made)).status).toBe(204);
    expect(await decisionsOf(own)).toHaveLength(1);
  });

  it('go with the issues of a source, and keep their clusters', async () => {
    await merge(own, exports, logs);
    expect((await own.admin.api.delete(at(own, '-sources/integration:api:default'))).status).toBe(204);
    await settle();
    expect(await sizesOf(own)).toEqual([[exports, 0]]);
    expect(await sql('SELECT FROM issues_hold WHERE organization_id = $1', [own.id])).toEqual([]);
    await ingest(own, [asks('log', 0), asks('log', 1)]);
    await settle();
    expect((await clustersOf(own)).map(({ label }) => label)).toContain('export');
  });
});

describe('the effect of decisions', () => {
  const decision = (kind: Decision['kind'], clusterId: string, otherId: string): Decision => ({
    kind,
    clusterId,
    otherId,
  });
  const known = (id: string, issueIds: string, more: Partial<KnownCluster> = {}): KnownCluster => ({
    id,
    isPinned: false,
    issueIds: [...issueIds],
    ...more,
  });
  const built = (groups: string[], clusters: readonly KnownCluster[]) => {
    const divided = divideByDecisions(
      groups.map((group) => [...group]),
      clusters,
    );
    return [...continueClusters(divided.groups, divided.known), ...divided.decided].map(({ id, issueIds }) => [
      id,
      issueIds.join(''),
    ]);
  };

  it('follows merges to the last one, and knows what is apart', () => {
    const { mergedInto, apartFrom } = decidedBy([
      decision('merge', 'b', 'a'),
      decision('split', 'n', 'b'),
      decision('merge', 'c', 'b'),
    ]);
    expect(mergedInto).toEqual(
      new Map([
        ['a', 'c'],
        ['b', 'c'],
      ]),
    );
    expect([...apartFrom]).toEqual([
      ['c', ['n']],
      ['n', ['c']],
    ]);
    expect([...decidedBy([decision('split', 'n', 'b'), decision('merge', 'b', 'n')]).apartFrom]).toEqual([['b', []]]);
  });

  it('ends where the merges of an archive lead back', () => {
    const { mergedInto } = decidedBy([decision('merge', 'b', 'a'), decision('merge', 'a', 'b')]);
    expect([...mergedInto.keys()].sort()).toEqual(['a', 'b']);
  });

  it('is known in a time that grows with the decisions only', () => {
    const timed = (count: number): number => {
      const decisions = [
        ...Array.from({ length: count }, (_, n) => decision('split', `n${n}`, 'all')),
        ...Array.from({ length: count }, (_, n) => decision('merge', `m${n + 1}`, `m${n}`)),
      ];
      const groups = Array.from({ length: count }, (_, n) => Array.from({ length: 4 }, (_issue, at) => `${n}-${at}`));
      const before = process.cpuUsage();
      const { mergedInto, apartFrom } = decidedBy(decisions);
      expect(mergedInto.get('m0')).toBe(`m${count}`);
      const clusters = groups.map((issueIds, n) => ({
        ...known(`n${n}`, ''),
        issueIds,
        apartFrom: apartFrom.get(`n${n}`) ?? [],
        heldIds: issueIds.slice(0, 1),
      }));
      const divided = divideByDecisions(groups, clusters);
      expect([divided.decided.length, divided.groups]).toEqual([count, []]);
      return process.cpuUsage(before).user / 1e6;
    };
    timed(500);
    expect(timed(5000)).toBeLessThan(1);
  });

  it('joins all groups of a merged cluster, with their new issues', () => {
    const merged = known('b', 'abcdef', { apartFrom: [], heldIds: [...'abcdef'] });
    expect(built(['abcx', 'defy', 'zw'], [merged])).toEqual([
      [undefined, 'zw'],
      ['b', 'abcxdefy'],
    ]);
    // Few issues among many others are kept, and bring no others.
    expect(
      built(
        ['abcdefgh', 'klmn'],
        [known('b', 'ak', { apartFrom: [], heldIds: ['a', 'k'] }), known('g', 'bcdefgh'), known('h', 'lmn')],
      ),
    ).toEqual([
      ['g', 'bcdefgh'],
      ['h', 'lmn'],
      ['b', 'ak'],
    ]);
  });

  it('keeps what was split off apart, with what has joined it since', () => {
    const [part, rest] = [
      known('n', 'abx', { apartFrom: ['c'], heldIds: ['a', 'b'] }),
      known('c', 'cde', { isPinned: true }),
    ];
    expect(built(['abxcdey'], [part, rest])).toEqual([
      ['c', 'cdey'],
      ['n', 'abx'],
    ]);
    // Its own group takes new issues, and none of the cluster that it was split off from.
    expect(built(['abxcy', 'de'], [part, rest])).toEqual([
      ['c', 'de'],
      ['n', 'abxy'],
    ]);
    expect(built(['ab', 'xcde'], [part, rest])).toEqual([
      ['c', 'xcde'],
      ['n', 'ab'],
    ]);
  });
});
