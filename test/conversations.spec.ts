import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { PREPARE_CONVERSATIONS } from '../src/insight/conversations/conversation-tasks.js';
import { ConversationEngine } from '../src/insight/conversations/engine/engine.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { WorkerPool } from '../src/kernel/platform/workers/worker-pool.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';
import { clusterByTopics } from './topic-engine.js';

const app = useApp();
beforeAll(() => clusterByTopics(app.current));

interface Conversation {
  id: string;
  externalId?: string;
  subject?: string;
  createdAt: string;
  processedAt?: string;
  source: string;
  urls: { location: string; source?: string };
}
interface Whole {
  conversation: Conversation;
  parts: { type: string; role: string; body: string }[];
  metadata: { url?: string; attributes?: Record<string, string>; createdAt?: string };
}
interface Issue {
  issue: {
    id: string;
    title: string;
    summary: string;
    createdAt: string;
    ingestedAt: string;
    conversation: string;
    cluster?: string;
  };
  conversation: Conversation;
}
interface Cluster {
  id: string;
  label: string;
  icon: string;
  summary: string;
  updatedAt: string;
  weeklyPulse: number[];
  sources: Record<string, number>;
  theme?: string;
  impact: { share: number; recentIssues: number; earlierIssues: number; growth?: number };
  stats: { issues: number; conversations: number; tasksTotal: number };
}
interface Theme {
  id: string;
  weeklyPulse: number[];
  stats: { issues: number; conversations: number; topics: number };
  topics: { id: string; stats: { issues: number; conversations: number } }[];
}
interface List<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}

const at = ({ id }: Workspace, path: string) => `/orgs/${id}/conversations${path}`;
const says = (body: string, role = 'user') => ({ type: 'message', role, body });
const sql = <Row extends Record<string, unknown>>(text: string, values: readonly unknown[] = []) =>
  app.current.database.query<Row>(text, values);
const DESK = 'integration:desk:one';

async function ingest({ admin, id }: Workspace, body: object, source?: string): Promise<void> {
  expect((await admin.api.post(`/orgs/${id}/conversations`, body, { query: { source } })).status).toBe(204);
}

async function all<Item>({ admin }: Workspace, path: string, query: Record<string, string> = {}): Promise<Item[]> {
  const items: Item[] = [];
  let page: string | undefined;
  do {
    const { body } = await admin.api.get<List<Item>>(path, {
      query: { limit: path.endsWith('-clusters') ? 2 : 7, ...query, page },
    });
    items.push(...body.items);
    page = body.next?.page;
    if (page === undefined) expect(items).toHaveLength(body.count);
  } while (page !== undefined);
  return items;
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

/** Questions about four things, each asked in many words. */
const TOPICS = [
  'export the handbook to PDF',
  'log in with the identity provider',
  'pay the invoice by credit card',
  'find a page in the search',
];
const QUESTIONS = [
  'How can I %s? It fails with an error every time.',
  'I tried to %s but nothing happens at all.',
  'We cannot %s since yesterday, please help us.',
  'Why is it not possible to %s any more?',
  'Since the last update it is broken when we %s.',
  'Every attempt to %s ends with a blank page.',
];
const question = (topic: number, way: number) =>
  (QUESTIONS[way % QUESTIONS.length] ?? '').replace('%s', TOPICS[topic] ?? '');
const asked = (count: number, topics = TOPICS.length) =>
  Array.from({ length: count }, (_, index) => ({
    id: `t${index}`,
    parts: [says(question(index % topics, Math.floor(index / topics))), says('We are looking into it.', 'team-member')],
  }));

afterEach(() => app.current.setTime(undefined));

describe('ingestion', () => {
  it('takes one conversation, which is listed and read', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const createdAt = '2026-11-01T10:00:00.000Z';
    const body = {
      id: 'ticket-1',
      subject: 'Export',
      metadata: { url: 'https://desk.example.com/1', attributes: { plan: 'pro' }, createdAt },
      parts: [says('The **export** fails.'), says('It works again.', 'assistant')],
    };
    await ingest(workspace, body, DESK);
    const { items } = (await api.get<List<Conversation>>(at(workspace, ''))).body;
    expect(items).toEqual([
      {
        object: 'conversation',
        id: expect.stringMatching(/^[A-Za-z]\w{19}$/),
        subject: 'Export',
        createdAt,
        source: DESK,
        urls: { location: expect.stringContaining('/conversations/'), source: 'https://desk.example.com/1' },
      },
    ]);
    const whole = await api.get<Whole>(at(workspace, `/${items[0]?.id}`));
    expect(whole.body).toEqual({ conversation: items[0], parts: body.parts, metadata: body.metadata });
    expect(
      (await api.get<List<Conversation>>(at(workspace, ''), { query: { externalId: 'ticket-1' } })).body.items,
    ).toEqual(items);
    expect(
      (await api.get<List<Conversation>>(at(workspace, ''), { query: { externalId: 'ticket-1', source: 'email' } }))
        .body.count,
    ).toBe(0);
    expect((await api.get(at(workspace, '/AbCdEfGh0123456789Xy'))).status).toBe(404);
  });

  it('replaces conversations by their ids, source by source, and writes nothing where nothing is new', async () => {
    const workspace = await buildOrganization(app.current);
    const [first, second] = [
      { id: '1', subject: 'A', parts: [says('First words')] },
      { id: '2', parts: [] },
    ];
    await ingest(workspace, [first, second, { ...first, subject: 'B' }]);
    await ingest(workspace, first, 'email');
    const listed = await all<Conversation>(workspace, at(workspace, ''));
    expect(listed.map(({ subject, source }) => [subject, source]).sort()).toEqual([
      [undefined, 'integration:api:default'],
      ['A', 'email'],
      ['B', 'integration:api:default'],
    ]);
    const state = () =>
      sql('SELECT c.*, xmin FROM conversation c WHERE organization_id = $1 ORDER BY id', [workspace.id]);
    const events = () =>
      sql<{ payload: object }>(
        `SELECT payload FROM event WHERE organization_id = $1 AND type = 'conversations_ingested' ORDER BY at, id`,
        [workspace.id],
      );
    const before = await state();
    await ingest(workspace, [{ ...first, subject: 'B' }, second]);
    await ingest(workspace, []);
    expect(await state()).toEqual(before);
    await ingest(workspace, { ...second, metadata: { attributes: { plan: 'free' } } });
    expect((await events()).map(({ payload }) => payload)).toEqual([
      { source: 'integration:api:default', created: 2, updated: 0 },
      { source: 'email', created: 1, updated: 0 },
      { source: 'integration:api:default', created: 0, updated: 1 },
    ]);
  });

  it('has sources, which are listed by their names until they are deleted', async () => {
    const workspace = await buildOrganization(app.current);
    for (const source of [DESK, 'email', 'integration:api:default'])
      await ingest(workspace, { id: '1', parts: [says('Words')] }, source);
    const path = at(workspace, '-sources');
    const names = async () => (await all<{ name: string }>(workspace, path, { limit: '2' })).map(({ name }) => name);
    expect(await names()).toEqual(['email', 'integration:api:default', DESK]);
    expect((await workspace.admin.api.delete(`${path}/email`)).status).toBe(204);
    expect(await names()).toEqual(['integration:api:default', DESK]);
    expect((await (await workspace.member('comment')).api.get(path)).status).toBe(403);
    expect((await (await buildOrganization(app.current)).admin.api.get(path)).status).toBe(404);
  });

  it('names what is wrong by its place, and takes nothing of it', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const good = { id: '1', parts: [says('Words')] };
    const refused = async (body: unknown, query: Record<string, string> = {}) => {
      const answer = await api.post<{ error: { details: { path: string }[] } }>(at(workspace, ''), body, { query });
      expect(answer.status).toBe(400);
      return answer.body.error.details.map(({ path }) => path);
    };
    expect(await refused({ parts: [] })).toEqual(['id']);
    expect(await refused([good, { id: '', parts: [says('x', 'robot')] }])).toEqual(['1.id', '1.parts.0.role']);
    expect(await refused({ ...good, subject: 'x'.repeat(513) })).toEqual(['subject']);
    expect(await refused({ ...good, id: 'x'.repeat(256) })).toEqual(['id']);
    expect(await refused({ ...good, parts: [says('x'.repeat(100_001))] })).toEqual(['parts.0.body']);
    expect(await refused({ ...good, parts: Array.from({ length: 501 }, () => says('x')) })).toEqual(['parts']);
    expect(await refused(Array.from({ length: 1000 }, () => ({})))).toHaveLength(100);
    expect(await refused({ ...good, metadata: { createdAt: 'yesterday', attributes: { a: 1 } } })).toEqual([
      'metadata.attributes.a',
      'metadata.createdAt',
    ]);
    expect(
      await refused({
        ...good,
        metadata: { attributes: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`a${index}`, ''])) },
      }),
    ).toEqual(['metadata.attributes']);
    expect(await refused(Array.from({ length: 1001 }, (_, index) => ({ ...good, id: `${index}` })))).toEqual(['']);
    for (const createdAt of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59'])
      expect(await refused({ ...good, metadata: { createdAt } })).toEqual(['metadata.createdAt']);
    expect(await refused(good, { source: 'twitter' })).toEqual(['source']);
    expect((await api.get<List<Conversation>>(at(workspace, ''))).body.count).toBe(0);
    await sql(
      `INSERT INTO conversation_source (id, organization_id, name, created_at) SELECT $1 || n, $1, 'integration:desk:' || n, now() FROM generate_series(1, 100) n`,
      [workspace.id],
    );
    expect((await api.post(at(workspace, ''), good)).status).toBe(409);
    await ingest(workspace, good, 'integration:desk:7');
    await ingest(workspace, { ...good, metadata: { createdAt: '2026-01-01T12:00:00.25+23:59' } }, 'integration:desk:7');
    expect((await api.get<List<Conversation>>(at(workspace, ''))).body.items).toMatchObject([
      { createdAt: '2025-12-31T12:01:00.250Z' },
    ]);
  });

  it('refuses a text that takes too long by its place, and keeps nothing of the request', async () => {
    const workspace = await buildOrganization(app.current);
    const workers = app.current.get(WorkerPool);
    const run = workers.run.bind(workers);
    // Other tasks of the same request, such as reading its body, keep their own limits.
    workers.run = (task, input, options) =>
      run(task.name === PREPARE_CONVERSATIONS.name ? { ...task, seconds: 0.5 } : task, input, options);
    const parts = Array.from({ length: 20 }, () => says(`<p>${'<i>word</i> '.repeat(8_000)}`));
    try {
      const many = await workspace.admin.api.post(at(workspace, ''), [
        { id: 'a', parts: [says('short')] },
        { id: 'b', parts: [says('short'), ...parts] },
      ]);
      expect(many.status).toBe(422);
      expect(many.body).toMatchObject({
        error: {
          details: [
            {
              path: expect.stringMatching(/^[01]\.parts\.\d+\.body$/),
              message: 'takes more than 0.5 seconds to process',
            },
          ],
        },
      });
      const one = await workspace.admin.api.post(at(workspace, ''), { id: 'b', parts });
      expect(one.body).toMatchObject({ error: { details: [{ path: expect.stringMatching(/^parts\.\d+\.body$/) }] } });
    } finally {
      workers.run = run;
    }
    expect(await all(workspace, at(workspace, ''))).toEqual([]);
  });

  it('holds up nobody else while it reads hostile text', async () => {
    const workspace = await buildOrganization(app.current);
    const delays = monitorEventLoopDelay({ resolution: 10 });
    delays.enable();
    const { status } = await workspace.admin.api.post(at(workspace, ''), {
      id: 'a',
      parts: [says('<b><p>'.repeat(2_000))],
    });
    delays.disable();
    expect([204, 422]).toContain(status);
    expect(delays.max / 1e6).toBeLessThan(1_000);
  });

  it('keeps neither HTML nor personal data, nowhere', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const secrets = ['jane.roe@mail.example', '4111 1111 1111 1111', '+49 170 1234567', 'Ottoline', 'Vandermeer'];
    const [email, card, phone, first, last] = secrets;
    const body = {
      id: 'p1',
      subject: `Question of ${first} <${email}>`,
      metadata: {
        url: `https://desk.example.com/?user=${encodeURIComponent(email ?? '')}`,
        attributes: { customer_name: `${first} ${last}`, email: email ?? '', plan: 'pro' },
      },
      parts: [
        says(
          `<p>Hello team,</p><p>my card <b>${card}</b> was charged twice, call me at ${phone} or <a href="mailto:${email}">write</a>.</p><script>steal()</script><p>Best regards<br>${first} ${last}</p>`,
        ),
        says(`Hi ${first},\n\nwe have written to ${email}.`, 'team-member'),
      ],
    };
    const path = at(workspace, '');
    for (let i = 0; i < 2; i++)
      expect((await api.post(path, body, { headers: { 'Idempotency-Key': 'personal' } })).status).toBe(204);
    expect((await api.post(path, { ...body, parts: [says(`${email}`, 'robot')] })).status).toBe(400);
    const { id } = (await api.get<List<Conversation>>(path)).body.items[0] ?? { id: '' };
    const whole = (await api.get<Whole>(`${path}/${id}`)).body;
    expect(whole).toMatchObject({
      conversation: { subject: 'Question of [name] <[email]>', urls: { location: expect.anything() } },
      parts: [
        {
          role: 'user',
          body: 'Hello team,\n\nmy card **[card]** was charged twice, call me at [phone] or write.\n\nBest regards\\\n[name]',
        },
        { role: 'team-member', body: 'Hi [name],\n\nwe have written to [email].' },
      ],
      metadata: { attributes: { customer_name: '[name]', email: '[email]', plan: 'pro' } },
    });
    expect(whole.metadata.url).toBeUndefined();
    await settle();
    const tables = await sql<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'jobs')`,
    );
    for (const { name } of tables) {
      const [found] = await sql<{ count: string }>(
        `SELECT count(*) AS count FROM ${name} t WHERE t::text LIKE ANY ($1)`,
        [secrets.map((secret) => `%${secret}%`)],
      );
      expect([name, found?.count]).toEqual([name, '0']);
    }
  });

  it('keeps what was said where the organization wants it so', async () => {
    const workspace = await buildOrganization(app.current);
    const settings = at(workspace, '-settings');
    const { api } = workspace.admin;
    expect((await api.get(settings)).body).toMatchObject({
      redaction: true,
      retentionDays: null,
      analysis: { status: 'idle', waiting: 0 },
    });
    const changed = await api.patch(settings, { redaction: false });
    expect(changed.body).toMatchObject({ redaction: false, retentionDays: null });
    expect((await api.get(settings)).body).toMatchObject({ redaction: false });
    expect((await api.patch(settings, { redaction: true }, { headers: { 'If-Match': '"0.x"' } })).status).toBe(412);
    for (const body of [{ retentionDays: 0 }, { redaction: 'yes' }])
      expect((await api.patch(settings, body)).status).toBe(400);
    await ingest(workspace, { id: '1', parts: [says('<p>Hi Ottoline,</p><p>write to me@mail.example</p>')] });
    const [{ id } = { id: '' }] = await all<Conversation>(workspace, at(workspace, ''));
    expect((await api.get<Whole>(at(workspace, `/${id}`))).body.parts).toEqual([
      says('Hi Ottoline,\n\nwrite to me\\@mail.example'),
    ]);
  });

  it('masks what was prepared before masking was switched on, and is stored after that', async () => {
    const workspace = await buildOrganization(app.current);
    await workspace.admin.api.patch(at(workspace, '-settings'), { redaction: false });
    const path = at(workspace, '');
    const send = (id: string, headers = {}) =>
      workspace.admin.api.post(path, { id, parts: [says('write to me@mail.example')] }, { headers });
    const sent = await app.current.database.transaction(async () => {
      await sql('UPDATE conversation_settings SET redact = true WHERE organization_id = $1', [workspace.id]);
      const calls = app.current.database.apart(async () => [send('1'), send('2', { 'Idempotency-Key': 'prepared' })]);
      // Until both wait for the row that is held here.
      for (let waiting = 0; waiting < 2; await pause(20)) {
        const [found] = await app.current.database.apart(() =>
          sql<{ waiting: number }>(
            `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%conversation_settings%FOR SHARE%'`,
          ),
        );
        waiting = found?.waiting ?? 0;
      }
      return calls;
    });
    for (const call of sent) expect((await call).status).toBe(204);
    const stored = await sql<{ parts: object[] }>('SELECT parts FROM conversation WHERE organization_id = $1', [
      workspace.id,
    ]);
    expect(stored.map(({ parts }) => parts)).toEqual(
      Array.from({ length: 2 }, () => [{ role: 'user', body: 'write to [email]' }]),
    );
  });

  it('makes the same of 50 parallel calls as of one', async () => {
    const workspace = await buildOrganization(app.current);
    const batches = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? asked(40) : asked(40).reverse()));
    const answers = await Promise.all(batches.map((batch) => workspace.admin.api.post(at(workspace, ''), batch)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await all(workspace, at(workspace, ''))).toHaveLength(40);
    expect(
      await sql('SELECT max(version) AS version FROM conversation WHERE organization_id = $1', [workspace.id]),
    ).toEqual([{ version: 1 }]);
    expect(
      await sql(
        `SELECT count(*)::int AS jobs FROM jobs.job WHERE name = 'conversations.derive' AND state < 'active' AND data -> 'payload' ->> 'organization' = $1`,
        [workspace.id],
      ),
    ).toEqual([{ jobs: 1 }]);
  });
});

describe('issues and clusters', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await buildOrganization(app.current);
    await ingest(workspace, asked(40), 'email');
    await ingest(
      workspace,
      [{ id: 'late', metadata: { createdAt: '2020-01-01T00:00:00.000Z' }, parts: [says(question(0, 1))] }],
      DESK,
    );
    expect((await workspace.admin.api.get(at(workspace, '-settings'))).body).toMatchObject({
      analysis: { status: 'pending', waiting: 41 },
    });
    await settle();
    expect((await workspace.admin.api.get(at(workspace, '-settings'))).body).toMatchObject({
      analysis: { status: 'idle', waiting: 0, clusteredAt: expect.any(String) },
    });
  }, 60_000);

  it('are found in all conversations, and listed by conversation and cluster', async () => {
    const conversations = await all<Conversation>(workspace, at(workspace, ''));
    expect(conversations.filter(({ processedAt }) => processedAt === undefined)).toEqual([]);
    expect(await all<Conversation>(workspace, at(workspace, ''), { source: DESK })).toHaveLength(1);
    const issues = await all<Issue>(workspace, at(workspace, '-issues'));
    expect(issues.length).toBeGreaterThanOrEqual(41);
    expect(new Set(issues.map(({ issue }) => issue.conversation))).toEqual(new Set(conversations.map(({ id }) => id)));
    const [first] = issues;
    const { api } = workspace.admin;
    expect((await api.get<Issue>(at(workspace, `-issues/${first?.issue.id}`))).body).toEqual(first);
    expect(first?.conversation).toEqual(
      (await api.get<Whole>(at(workspace, `/${first?.issue.conversation}`))).body.conversation,
    );
    const ofOne = await all<Issue>(workspace, at(workspace, '-issues'), {
      conversation: first?.issue.conversation ?? '',
    });
    expect(ofOne.map(({ issue }) => issue.conversation)).toEqual(ofOne.map(() => first?.issue.conversation));
    expect((await api.get(at(workspace, '-issues/AbCdEfGh0123456789Xy'))).status).toBe(404);
    expect((await api.get(at(workspace, '-clusters/AbCdEfGh0123456789Xy'))).status).toBe(404);
  });

  it('add up', async () => {
    const issues = await all<Issue>(workspace, at(workspace, '-issues'));
    const clusters = await all<Cluster>(workspace, at(workspace, '-clusters'));
    expect(clusters.length).toBeGreaterThan(1);
    for (const cluster of clusters) {
      const own = issues.filter(({ issue }) => issue.cluster === cluster.id);
      expect(
        (await all<Issue>(workspace, at(workspace, '-issues'), { cluster: cluster.id })).map(({ issue }) => issue.id),
      ).toEqual(own.map(({ issue }) => issue.id));
      const late = own.filter(({ conversation }) => conversation.source === DESK).length;
      expect(cluster.weeklyPulse).toEqual([...Array.from({ length: 12 }, () => 0), own.length - late]);
      expect(cluster.sources).toEqual({
        ...(own.length > late && { email: own.length - late }),
        ...(late > 0 && { [DESK]: late }),
      });
      expect(cluster.stats).toEqual({
        issues: own.length,
        conversations: new Set(own.map(({ issue }) => issue.conversation)).size,
        tasksTotal: 0,
        tasksBacklog: 0,
        tasksStarted: 0,
        tasksCompleted: 0,
        tasksCancelled: 0,
      });
      const recent = cluster.weeklyPulse.slice(-4).reduce((sum, week) => sum + week, 0);
      expect(cluster.impact).toEqual({
        share: Math.round((1000 * own.length) / issues.length) / 1000,
        recentIssues: recent,
        earlierIssues: 0,
      });
      expect((await workspace.admin.api.get<Cluster>(at(workspace, `-clusters/${cluster.id}`))).body).toEqual(cluster);
    }
    for (const order of ['issues', 'conversations'] as const) {
      const listed = await all<Cluster>(workspace, at(workspace, '-clusters'), { orderBy: order, order: 'asc' });
      expect(listed.map(({ stats }) => stats[order])).toEqual(
        clusters.map(({ stats }) => stats[order]).sort((a, b) => a - b),
      );
    }
    for (const orderBy of ['tasksTotal', 'tasksBacklog', 'tasksStarted'])
      expect((await all<Cluster>(workspace, at(workspace, '-clusters'), { orderBy })).length).toBe(clusters.length);
    const [busy] = [...clusters].sort((a, b) => b.stats.issues - a.stats.issues);
    app.current.setTime(new Date(Date.now() + 3 * 7 * 24 * 3600 * 1000));
    const { weeklyPulse } = (await workspace.admin.api.get<Cluster>(at(workspace, `-clusters/${busy?.id}`))).body;
    expect(weeklyPulse).toEqual([...(busy?.weeklyPulse.slice(3) ?? []), 0, 0, 0]);
  });

  it('have themes, which are listed with their clusters and keep their ids', async () => {
    const { api } = workspace.admin;
    const clusters = await all<Cluster>(workspace, at(workspace, '-clusters'));
    const themes = await all<Theme>(workspace, at(workspace, '-themes'), { limit: '1' });
    expect(themes.length).toBe(2);
    expect(themes.map(({ stats }) => stats.issues)).toEqual(
      themes.map(({ stats }) => stats.issues).sort((a, b) => b - a),
    );
    for (const theme of themes) {
      const own = await all<Cluster>(workspace, at(workspace, '-clusters'), { theme: theme.id });
      expect(own.map(({ id }) => id).sort()).toEqual(
        clusters.flatMap((cluster) => (cluster.theme === theme.id ? [cluster.id] : [])).sort(),
      );
      expect(theme.topics.map(({ id, stats }) => [id, stats.issues]).sort()).toEqual(
        own.map(({ id, stats }) => [id, stats.issues]).sort(),
      );
      const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
      expect([theme.stats.topics, theme.stats.issues]).toEqual([own.length, sum(own.map(({ stats }) => stats.issues))]);
      expect(theme.weeklyPulse).toHaveLength(13);
      expect((await api.get<Theme>(at(workspace, `-themes/${theme.id}`))).body).toEqual(theme);
    }
    expect(themes.flatMap(({ topics }) => topics).length).toBe(clusters.length);
    expect((await api.get(at(workspace, '-themes/AbCdEfGh0123456789Xy'))).status).toBe(404);
    const other = await buildOrganization(app.current);
    expect((await other.admin.api.get(at(workspace, '-themes'))).status).toBe(404);
    expect((await other.admin.api.get(at(other, `-themes/${themes[0]?.id}`))).status).toBe(404);
    await ingest(workspace, [{ id: 'of a theme', parts: [says(question(0, 0))] }], 'email');
    await settle();
    expect((await all<Theme>(workspace, at(workspace, '-themes'))).map(({ id }) => id).sort()).toEqual(
      themes.map(({ id }) => id).sort(),
    );
    expect(
      (
        await api.delete(
          at(
            workspace,
            `/${(await all<Conversation>(workspace, at(workspace, ''), { source: 'email' })).find(({ externalId }) => externalId === 'of a theme')?.id}`,
          ),
        )
      ).status,
    ).toBe(204);
    await settle();
  });

  it.each([
    ['an older engine', 'engine_version = 0'],
    ['an older replica', 'model_version = model_version + 1'],
  ])('are built again after a rebuild by %s, without a new issue', async (_, state) => {
    const themes = (await all<Theme>(workspace, at(workspace, '-themes'))).length;
    await sql('UPDATE issues_cluster SET theme_id = NULL WHERE organization_id = $1', [workspace.id]);
    await sql('DELETE FROM issues_theme WHERE organization_id = $1', [workspace.id]);
    await sql(`UPDATE conversation_analysis SET ${state} WHERE organization_id = $1`, [workspace.id]);
    expect(await all<Theme>(workspace, at(workspace, '-themes'))).toEqual([]);
    await app.current.get(Jobs).enqueue('conversations.maintain', {});
    await settle();
    expect(await all<Theme>(workspace, at(workspace, '-themes'))).toHaveLength(themes);
    const [built] = await sql<{ isDone: boolean }>(
      'SELECT engine_version > 0 AND engine_model_version = model_version AS "isDone" FROM conversation_analysis WHERE organization_id = $1',
      [workspace.id],
    );
    expect(built).toEqual({ isDone: true });
  });

  it('take new issues into the clusters that are there, and keep these when they are built anew', async () => {
    const before = await all<Cluster>(workspace, at(workspace, '-clusters'));
    await ingest(
      workspace,
      [0, 1, 2, 3].map((topic) => ({ id: `new${topic}`, parts: [says(`Please tell me: ${question(topic, 0)}`)] })),
      'email',
    );
    await app.current.get(Jobs).drain();
    const sizes = (clusters: readonly Cluster[]) => clusters.map(({ id, stats }) => [id, stats.issues]).sort();
    const grown = before.map(({ id, stats }) => [id, stats.issues + 1]).sort();
    const placed = await all<Cluster>(workspace, at(workspace, '-clusters'));
    expect(sizes(placed)).toEqual(grown);
    for (const cluster of placed)
      expect(Date.parse(cluster.updatedAt)).toBeGreaterThan(
        Date.parse(before.find(({ id }) => id === cluster.id)?.updatedAt ?? ''),
      );
    await settle();
    expect(sizes(await all<Cluster>(workspace, at(workspace, '-clusters')))).toEqual(grown);
    await ingest(
      workspace,
      Array.from({ length: 21 }, (_, index) => ({
        id: `other${index}`,
        parts: [says(`There is a wish for something else, number ${index}`)],
      })),
      'email',
    );
    await app.current.get(Jobs).drain();
    const loose = (await all<Issue>(workspace, at(workspace, '-issues'))).filter(
      ({ issue }) => issue.cluster === undefined,
    );
    expect(loose).toHaveLength(21);
    await settle();
    expect(
      sizes(await all<Cluster>(workspace, at(workspace, '-clusters')))
        .map(([, size]) => size)
        .sort(),
    ).toEqual([...grown.map(([, size]) => size), 21].sort());
  });

  it('keep their ids where a conversation says the same as before, and lose what is not said any more', async () => {
    const own = await buildOrganization(app.current);
    await ingest(own, { id: '1', parts: [says(question(0, 0))] });
    await settle();
    const [first] = await all<Issue>(own, at(own, '-issues'));
    expect((await own.admin.api.get<Issue>(at(own, `-issues/${first?.issue.id}`))).body).toEqual(first);
    expect(first?.issue.summary).toBe(question(0, 0));
    await ingest(own, { id: '1', subject: 'Named', parts: [says(question(0, 0))] });
    await settle();
    const [second] = await all<Issue>(own, at(own, '-issues'));
    expect([second?.issue.id, second?.conversation.subject]).toEqual([first?.issue.id, 'Named']);
    await ingest(own, { id: '1', parts: [says('Thank you!')] });
    await settle();
    expect(await all(own, at(own, '-issues'))).toEqual([]);
    expect(await all(own, at(own, '-clusters'))).toEqual([]);
  });

  it('are reviewed, renamed and linked with change requests, and stay then', async () => {
    const own = await buildOrganization(app.current);
    const { api } = own.admin;
    await ingest(own, asked(40));
    await settle();
    const [reviewed, linked, loose] = await all<Cluster>(own, at(own, '-clusters'), { orderBy: 'issues' });
    const path = at(own, `-clusters/${reviewed?.id}`);
    const etag = (await api.get(path)).headers.get('etag') ?? '';
    const changed = await api.patch<Cluster>(
      path,
      { label: 'Exports', icon: 'file-pdf' },
      { headers: { 'If-Match': etag } },
    );
    expect(changed.body).toMatchObject({
      label: 'Exports',
      icon: 'file-pdf',
      summary: reviewed?.summary,
      reviewed: true,
    });
    expect((await api.get<Cluster>(path)).body).toEqual(changed.body);
    expect((await api.patch(path, { label: 'Other' }, { headers: { 'If-Match': etag } })).status).toBe(412);
    for (const [body, message] of [
      [{ label: ' ' }, 'blank'],
      [{ icon: 'No icon' }, 'name of an icon'],
    ] as const) {
      expect(await api.patch(path, body)).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining(message) } },
      });
    }
    expect((await api.patch(at(own, '-clusters/AbCdEfGh0123456789Xy'), { reviewed: true })).status).toBe(404);
    const space = (await api.post<{ id: string }>(`/orgs/${own.id}/spaces`, { title: 'Docs', empty: true })).body.id;
    const requests = `/spaces/${space}/change-requests`;
    const request = await api.post<{ id: string; conversationsIssuesCluster?: string }>(requests, {
      subject: 'Explain it',
      conversationsIssuesCluster: linked?.id,
    });
    expect(request).toMatchObject({ status: 201, body: { conversationsIssuesCluster: linked?.id } });
    const unlinked = await api.post<{ id: string }>(requests, { conversationsIssuesCluster: loose?.id });
    expect(
      (await api.patch(`${requests}/${unlinked.body.id}`, { conversationsIssuesCluster: null })).body,
    ).not.toHaveProperty('conversationsIssuesCluster');
    for (const place of [requests, `/orgs/${own.id}/change-requests`]) {
      const query = { status: 'draft', conversationsIssuesCluster: linked?.id };
      expect((await api.get<List<{ id: string }>>(place, { query })).body.items.map(({ id }) => id)).toEqual([
        request.body.id,
      ]);
    }
    const other = await buildOrganization(app.current);
    const foreign = (
      await other.admin.api.post<{ id: string }>(`/orgs/${other.id}/spaces`, { title: 'Docs', empty: true })
    ).body.id;
    for (const cluster of [linked?.id, 'AbCdEfGh0123456789Xy']) {
      const refused = await other.admin.api.post<{ error: { message: string } }>(`/spaces/${foreign}/change-requests`, {
        conversationsIssuesCluster: cluster,
      });
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        'conversationsIssuesCluster: is not a cluster of this organization',
      ]);
    }
    expect((await api.delete(`/orgs/${own.id}/conversations-sources/integration:api:default`)).status).toBe(204);
    await settle();
    const left = await all<Cluster>(own, at(own, '-clusters'));
    expect(left.map(({ id, stats }) => [id, stats.issues]).sort()).toEqual(
      [
        [linked?.id, 0],
        [reviewed?.id, 0],
      ].sort(),
    );
    expect(left.find(({ id }) => id === reviewed?.id)?.label).toBe('Exports');
    expect((await api.get(`${requests}/${request.body.id}`)).body).toMatchObject({
      conversationsIssuesCluster: linked?.id,
    });
  });
});

describe('two servers', () => {
  it('read each conversation once and cluster once at a time, however many calls there are', async () => {
    const second = await TestApp.start({}, app.current.databaseUrl);
    try {
      clusterByTopics(second);
      const read: string[] = [];
      let [running, rebuilds, most] = [0, 0, 0];
      for (const server of [app.current, second]) {
        const engine = server.get(ConversationEngine);
        const [derive, rebuild] = [engine.derive.bind(engine), engine.rebuild.bind(engine)];
        engine.derive = async (texts) => {
          read.push(...texts.map(({ subject }) => subject ?? ''));
          await pause(20);
          return derive(texts);
        };
        engine.rebuild = async (issues, known) => {
          most = Math.max(most, ++running);
          rebuilds++;
          await pause(50);
          running--;
          return rebuild(issues, known);
        };
      }
      const workspace = await buildOrganization(app.current);
      const ids = Array.from({ length: 12 }, (_, index) => `${index}`);
      const drain = () => Promise.all([app.current, second].map((server) => server.get(Jobs).drain()));
      const calls = ids.map(async (id) => {
        await ingest(workspace, { id, subject: id, parts: [says(question(Number(id), 0))] });
        await drain();
      });
      await Promise.all(calls);
      await settle();
      await drain();
      expect([read.sort(), most]).toEqual([[...ids].sort(), 1]);
      expect(rebuilds).toBeGreaterThan(0);
      expect(
        (await all<Cluster>(workspace, at(workspace, '-clusters'))).reduce((sum, { stats }) => sum + stats.issues, 0),
      ).toBe(12);
    } finally {
      await second.close();
      clusterByTopics(app.current);
    }
  });
});

describe('what cannot be read', () => {
  it('is left out, alone, and what fails for a while is tried again', async () => {
    Logger.overrideLogger(false);
    const workspace = await buildOrganization(app.current);
    const engine = app.current.get(ConversationEngine);
    const derive = engine.derive.bind(engine);
    engine.derive = (texts) =>
      texts.some(({ subject }) => subject === 'poison') ? Promise.reject(new Error('unreadable')) : derive(texts);
    await ingest(workspace, [...asked(5), { id: 'x', subject: 'poison', parts: [says(question(0, 0))] }]);
    await settle();
    expect(await all(workspace, at(workspace, '-issues'))).toHaveLength(5);
    expect(
      (await all<Conversation>(workspace, at(workspace, ''))).filter(({ processedAt }) => processedAt === undefined),
    ).toEqual([]);
    engine.derive = () => Promise.reject(new Error('nothing works'));
    await ingest(workspace, { id: 'y', parts: [says(question(1, 1))] });
    await settle();
    const settings = () => workspace.admin.api.get(at(workspace, '-settings'));
    expect((await settings()).body).toMatchObject({
      analysis: { status: 'idle', waiting: 1, problem: 'Conversations could not be read: it is tried again' },
    });
    engine.derive = derive;
    await app.current.get(Jobs).enqueue('conversations.maintain', {});
    await settle();
    expect((await settings()).body).toMatchObject({ analysis: { status: 'idle', waiting: 0 } });
    expect((await settings()).body).not.toMatchObject({ analysis: { problem: expect.anything() } });
    expect(await all(workspace, at(workspace, '-issues'))).toHaveLength(6);
  });
});

describe('what is removed', () => {
  const counts = async (workspace: Workspace) => {
    const clusters = await all<Cluster>(workspace, at(workspace, '-clusters'));
    const issues = await all<Issue>(workspace, at(workspace, '-issues'));
    for (const { id, stats, sources, weeklyPulse } of clusters) {
      const own = issues.filter(({ issue }) => issue.cluster === id);
      const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
      expect([stats.issues, stats.conversations, sum(Object.values(sources)), sum(weeklyPulse)]).toEqual([
        own.length,
        new Set(own.map(({ issue }) => issue.conversation)).size,
        own.length,
        own.length,
      ]);
    }
    return {
      conversations: (await all(workspace, at(workspace, ''))).length,
      issues: issues.length,
      clusters: clusters.length,
    };
  };

  it('is gone with its issues, at once and everywhere', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    await ingest(workspace, asked(24));
    await ingest(workspace, asked(12), DESK);
    await settle();
    const before = await counts(workspace);
    expect(before.conversations).toBe(36);
    const [one] = await all<Conversation>(workspace, at(workspace, ''));
    const path = at(workspace, `/${one?.id}`);
    const [issue] = await all<Issue>(workspace, at(workspace, '-issues'), { conversation: one?.id ?? '' });
    for (let i = 0; i < 2; i++) expect((await api.delete(path)).status).toBe(204);
    expect((await api.get(path)).status).toBe(404);
    expect((await api.get(at(workspace, `-issues/${issue?.issue.id}`))).status).toBe(404);
    const after = await counts(workspace);
    expect([after.conversations, after.issues < before.issues]).toEqual([35, true]);
    const source = `/orgs/${workspace.id}/conversations-sources/${DESK}`;
    for (let i = 0; i < 2; i++) expect((await api.delete(source)).status).toBe(204);
    expect(await all(workspace, at(workspace, ''), { source: DESK })).toEqual([]);
    expect((await counts(workspace)).conversations).toBeLessThanOrEqual(24);
    // The name is free again, before the rows are gone and after.
    await ingest(workspace, asked(1), DESK);
    expect(await all(workspace, at(workspace, ''), { source: DESK })).toHaveLength(1);
    await settle();
    expect(await all(workspace, at(workspace, ''), { source: DESK })).toHaveLength(1);
    await counts(workspace);
    expect(
      await sql('SELECT count(*)::int AS rows FROM conversation_source WHERE organization_id = $1', [workspace.id]),
    ).toEqual([{ rows: 2 }]);
  });

  it('is not kept for ever by a time in the future', async () => {
    const workspace = await buildOrganization(app.current);
    await ingest(workspace, [{ ...asked(1)[0], id: 'future', metadata: { createdAt: '2999-01-01T00:00:00.000Z' } }]);
    const [future] = await all<{ createdAt: string }>(workspace, at(workspace, ''));
    expect(Date.parse(future?.createdAt ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it('is what the organization keeps no longer', async () => {
    const workspace = await buildOrganization(app.current);
    const old = {
      ...asked(1)[0],
      id: 'old',
      metadata: { createdAt: new Date(Date.now() - 40 * 24 * 3600 * 1000).toISOString() },
    };
    await ingest(workspace, [old, ...asked(5)]);
    await settle();
    const tend = async () => {
      await app.current.get(Jobs).enqueue('conversations.maintain', {});
      await settle();
    };
    await tend();
    expect((await counts(workspace)).conversations).toBe(6);
    expect((await workspace.admin.api.patch(at(workspace, '-settings'), { retentionDays: 30 })).body).toMatchObject({
      redaction: true,
      retentionDays: 30,
    });
    await tend();
    expect((await counts(workspace)).conversations).toBe(5);
    expect((await workspace.admin.api.patch(at(workspace, '-settings'), { retentionDays: null })).body).toMatchObject({
      retentionDays: null,
    });
    expect(
      await sql(`SELECT payload FROM event WHERE organization_id = $1 AND type = 'conversations_removed'`, [
        workspace.id,
      ]),
    ).toEqual([{ payload: { count: 1 } }]);
  });
});

describe('conversations of others', () => {
  it('are never seen or changed', async () => {
    const [workspace, other] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    await ingest(workspace, asked(8));
    await settle();
    const [conversation] = await all<Conversation>(workspace, at(workspace, ''));
    const [issue] = await all<Issue>(workspace, at(workspace, '-issues'));
    const [cluster] = await all<Cluster>(workspace, at(workspace, '-clusters'));
    const { api } = other.admin;
    const commenter = await workspace.member('comment');
    for (const path of [
      '',
      '-issues',
      '-clusters',
      '-settings',
      `/${conversation?.id}`,
      `-issues/${issue?.issue.id}`,
      `-clusters/${cluster?.id}`,
    ]) {
      expect([
        path,
        (await api.get(at(workspace, path))).status,
        (await commenter.api.get(at(workspace, path))).status,
      ]).toEqual([path, 404, 403]);
    }
    for (const path of [
      `/${conversation?.id}`,
      `-issues/${issue?.issue.id}`,
      ...(cluster ? [`-clusters/${cluster.id}`] : []),
    ]) {
      const [foreign, unknown] = [
        await api.get(at(other, path)),
        await api.get(at(other, path.replace(/\w{20}$/, 'AbCdEfGh0123456789Xy'))),
      ];
      expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
    }
    expect((await api.delete(at(other, `/${conversation?.id}`))).status).toBe(204);
    expect(
      (
        await api.get<List<Issue>>(at(other, '-issues'), {
          query: { conversation: conversation?.id, cluster: cluster?.id },
        })
      ).body,
    ).toEqual({ items: [], count: 0 });
    expect((await workspace.admin.api.get(at(workspace, `/${conversation?.id}`))).status).toBe(200);
    await ingest(other, asked(8));
    expect(await all(workspace, at(workspace, ''))).toHaveLength(8);
    expect((await api.delete(`/orgs/${other.id}/conversations-sources/integration:api:default`)).status).toBe(204);
    expect(await all(workspace, at(workspace, ''))).toHaveLength(8);
  });

  it('are read by those who write documentation, and ingested by administrators', async () => {
    const workspace = await buildOrganization(app.current);
    const may = async (person: Person) => [
      (await person.api.get(at(workspace, ''))).status,
      (await person.api.post(at(workspace, ''), [])).status,
    ];
    for (const [role, wanted] of [
      ['none', [403, 403]],
      ['comment', [403, 403]],
      ['edit', [200, 403]],
      ['admin', [200, 204]],
    ] as const)
      expect([role, await may(await workspace.member(role))]).toEqual([role, wanted]);
  });
});
