import { afterEach, describe, expect, it } from '@jest/globals';
import { readUserAgent } from '../src/publishing/sites/domain/user-agent.js';
import { aggregation } from '../src/publishing/sites/insights/aggregation.js';
import { COLUMN_NAMES, COLUMNS } from '../src/publishing/sites/insights/columns.js';
import { EVENTS_EXAMPLE, trackedEvents } from '../src/publishing/sites/insights/events.schema.js';
import { Insights } from '../src/publishing/sites/insights/insights.service.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import type { Answer, Client } from './client.js';

const app = useApp({ INSIGHTS_BATCHES_PER_MINUTE: '50', INSIGHTS_RETENTION_DAYS: '300' });
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

interface Result {
  columns: { column: string; values: unknown[] }[];
}
interface Refusal {
  error: { details?: { path: string }[] };
}

afterEach(() => app.current.setTime(undefined));

const pathsAt = (answer: Answer<Refusal>): string[] => (answer.body.error.details ?? []).map(({ path }) => path);

async function buildSite(): Promise<{ workspace: Workspace; api: Client; site: string; path: string }> {
  const workspace = await buildOrganization(app.current);
  const { api } = workspace.admin;
  const { body } = await api.post<{ id: string }>(`/orgs/${workspace.id}/sites`, { title: 'Manual' });
  return { workspace, api, site: body.id, path: `/orgs/${workspace.id}/sites/${body.id}/insights/events` };
}

function event(
  type: string,
  more: {
    visitor?: string;
    session?: string;
    url?: string;
    page?: string;
    agent?: string;
    referrer?: string;
    claims?: object;
    at?: string;
    [name: string]: unknown;
  } = {},
): object {
  const {
    visitor = 'v1',
    session = `s-${visitor}`,
    url = 'https://docs.example.com/',
    page = null,
    agent = FIREFOX,
    referrer = null,
    claims,
    at,
    ...rest
  } = more;
  return {
    type,
    session: {
      visitorId: visitor,
      sessionId: session,
      cookies: { secret: 'cookie' },
      userAgent: agent,
      language: 'en',
      referrer,
      ip: '192.0.2.1',
      visitorAuthToken: 'a-visitor-token',
      ...(claims && { visitorAuthClaims: claims }),
    },
    location: {
      url,
      siteSection: null,
      siteSpace: 'space-1',
      siteShareKey: 'a-secret-key',
      space: 'content-1',
      revision: null,
      page,
    },
    ...(at !== undefined && { timestamp: at }),
    ...rest,
  };
}

/** The answer as rows. */
async function ask(api: Client, path: string, query: object): Promise<unknown[][]> {
  const answer = await api.post<Result>(`${path}/aggregate`, query);
  expect([answer.status, answer.body]).toEqual([200, { columns: expect.any(Array) }]);
  const [first] = answer.body.columns;
  return (first?.values ?? []).map((_, row) => answer.body.columns.map(({ values }) => values[row]));
}

const by = (column: string) => ({
  select: [{ column }, { column: 'eventsCount' }],
  groupBy: [{ column }],
  range: 'last7Days',
});

describe('what readers do', () => {
  it('is counted by pages, people, programs, searches, feedback, links and claims', async () => {
    const { api, path } = await buildSite();
    const phone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
    const events = [
      event('page_view', {
        page: 'p1',
        url: 'https://docs.example.com/a?jwt_token=abc&utm_source=mail#x',
        claims: { beta: true, plan: 'pro', unsigned: { lang: 'de' }, deep: { no: 1 } },
      }),
      event('page_view', { page: 'p1', visitor: 'v2', agent: phone, referrer: 'https://search.example.org/?q=secret' }),
      event('page_view', { page: 'p2', session: 'other', agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }),
      event('search_type_query', { query: 'install' }),
      event('search_open_result', { query: 'install', result: { spaceId: 'content-1', pageId: 'p1' } }),
      event('page_post_feedback', { page: 'p1', feedback: { rating: 'good' } }),
      event('page_post_feedback_comment', { page: 'p1', feedback: { rating: 'bad', comment: 'Too short' } }),
      event('link_click', { link: { target: { kind: 'url', url: 'https://shop.example.com/x' }, position: 'header' } }),
      event('ask_rate_response', { query: 'why', rating: -1, responseId: 'r' }),
      event('api_client_request', { operation: { path: '/pets', method: 'get' } }),
      event('trademark_click', { placement: 'footer' }),
      event('ad_display', { ad: { domain: 'ads.example.com', zoneId: 'z', placement: 'aside' } }),
    ];
    expect((await api.post(path, { events })).status).toBe(204);
    expect(await ask(api, path, { ...by('page'), where: [{ column: 'eventType', values: ['page_view'] }] })).toEqual([
      [{ page: 'p1', space: 'content-1' }, 2],
      [{ page: 'p2', space: 'content-1' }, 1],
    ]);
    expect(
      await ask(api, path, {
        select: [{ column: 'eventsCount' }, { column: 'visitorsCount' }, { column: 'sessionsCount' }],
        range: 'last24Hours',
      }),
    ).toEqual([[12, 2, 3]]);
    expect(await ask(api, path, by('url'))).toEqual([
      ['https://docs.example.com/', 11],
      ['https://docs.example.com/a', 1],
    ]);
    expect(await ask(api, path, by('visitorBrowser'))).toEqual([
      ['firefox', 10],
      ['unknown', 1],
      ['safari', 1],
    ]);
    expect(await ask(api, path, { ...by('visitorDevice'), where: [{ column: 'visitorBot', values: [null] }] })).toEqual(
      [
        ['desktop', 10],
        ['mobile', 1],
      ],
    );
    expect(
      await ask(api, path, {
        ...by('visitorBot'),
        where: [{ column: 'visitorBot', values: [null], operator: 'notIn' }],
      }),
    ).toEqual([['googlebot', 1]]);
    expect(await ask(api, path, by('eventSearchQuery'))).toEqual([
      ['install', 2],
      ['why', 1],
    ]);
    expect(
      await ask(api, path, {
        select: [{ column: 'pageFeedbackRating' }, { column: 'askResponseRating' }],
        range: 'last7Days',
      }),
    ).toEqual([
      [
        { ok: 0, good: 1, bad: 0 },
        { positive: 0, negative: 1 },
      ],
    ]);
    expect(await ask(api, path, by('eventPageFeedbackComment'))).toEqual([['Too short', 1]]);
    expect(await ask(api, path, by('eventLinkTargetValue'))).toEqual([
      [{ kind: 'url', url: 'https://shop.example.com/x' }, 1],
    ]);
    expect(
      await ask(api, path, {
        ...by('eventLinkTargetDomain'),
        where: [{ column: 'eventLinkTargetDomain', values: ['shop.example.com'] }],
      }),
    ).toEqual([['shop.example.com', 1]]);
    expect(await ask(api, path, by('eventAskResponseRating'))).toEqual([[-1, 1]]);
    expect(await ask(api, path, by('referrerDomain'))).toEqual([
      ['', 11],
      ['search.example.org', 1],
    ]);
    expect(await ask(api, path, { ...by('utmSource'), where: [{ column: 'utmSource', values: ['mail'] }] })).toEqual([
      ['mail', 1],
    ]);
    expect(await ask(api, path, by('visitorClaimProperty'))).toEqual([
      ['beta', 1],
      ['plan', 1],
      ['unsigned.lang', 1],
    ]);
    expect(
      await ask(api, path, {
        select: [{ column: 'visitorClaim', claim: 'plan' }, { column: 'eventsCount' }],
        range: 'last7Days',
      }),
    ).toEqual([['pro', 1]]);
    expect(await ask(api, path, by('visitorGeoCountry'))).toEqual([[null, 12]]);
    const ordered = { ...by('eventType'), order: { by: { column: 'eventsCount' }, direction: 'asc' }, limit: 2 };
    expect(await ask(api, path, ordered)).toEqual([
      ['search_type_query', 1],
      ['search_open_result', 1],
    ]);
    expect(
      await ask(api, path, {
        ...by('eventType'),
        where: [{ column: 'eventsCount', values: [2], operator: 'greaterThan' }],
      }),
    ).toEqual([['page_view', 3]]);
    const wherePage = { column: 'page', values: [{ page: 'p1', space: 'content-1' }, null] };
    expect(
      await ask(api, path, {
        groupBy: [{ column: 'eventType' }],
        where: [wherePage, { column: 'eventType', values: ['page_view'] }],
        range: 'last7Days',
      }),
    ).toEqual([['page_view', 2]]);
  });

  it('is told by language and place, and by claims', async () => {
    const { api, path, site } = await buildSite();
    const location = {
      url: 'https://docs.example.com/',
      displayContext: 'embed',
      siteSection: 'section-1',
      siteSpace: 'space-2',
      siteShareKey: null,
      space: 'content-1',
      revision: 'revision-1',
      page: 'p1',
    };
    await api.post(path, {
      events: [
        event('page_view', { claims: { plan: 'pro' } }),
        event('ask_rate_response', {
          claims: { plan: 'basic' },
          location,
          query: 'why',
          rating: 1,
          responseId: 'response-1',
        }),
        event('ad_click', { location, ad: { domain: 'ads.example.com', zoneId: 'zone-1', placement: 'aside' } }),
      ],
    });
    for (const [column, rows] of [
      ['visitorLanguage', [['en', 3]]],
      [
        'displayContext',
        [
          ['embed', 2],
          ['site', 1],
        ],
      ],
      [
        'siteSection',
        [
          ['section-1', 2],
          [null, 1],
        ],
      ],
      [
        'siteSpace',
        [
          ['space-2', 2],
          ['space-1', 1],
        ],
      ],
      [
        'siteShareKey',
        [
          [null, 2],
          [expect.stringMatching(/^[0-9a-f]{16}$/), 1],
        ],
      ],
    ] as const)
      expect([column, await ask(api, path, by(column))]).toEqual([column, rows]);
    const claim = { column: 'visitorClaim', claim: 'plan' };
    const claimed = { select: [claim, { column: 'eventsCount' }], groupBy: [claim], range: 'last7Days' };
    const ordered = { ...claimed, order: { by: claim, direction: 'asc' } };
    expect(await ask(api, path, ordered)).toEqual([
      ['basic', 1],
      ['pro', 1],
    ]);
    expect(await ask(api, path, { ...claimed, where: [{ ...claim, values: ['pro'] }] })).toEqual([['pro', 1]]);
    const day = { column: 'datetime', interval: 'month' };
    const monthly = { select: [day, { column: 'eventsCount' }], groupBy: [day], range: 'last24Hours' };
    expect(await ask(api, path, { ...monthly, order: { by: day, direction: 'desc' } })).toEqual([
      [expect.stringMatching(/-01T00:00:00\.000Z$/), 3],
    ]);
    const point = { column: 'visitorGeoPoint', precision: 3 };
    const located = { select: [point], groupBy: [point], range: 'last7Days', order: { by: point, direction: 'asc' } };
    expect(await ask(api, path, located)).toEqual([[null]]);
    const stored = await app.current.database.query('SELECT * FROM site_insight WHERE site_id = $1', [site]);
    expect(JSON.stringify(stored)).not.toMatch(/(?:revision|response|zone)-1/);
  });

  it('keeps no key, cookie, address or query of anybody', async () => {
    const { api, path, site } = await buildSite();
    await api.post(path, {
      events: [
        event('page_view', {
          url: 'https://docs.example.com/a?jwt_token=abc.def',
          referrer: 'https://x.example.com/?session=xyz',
        }),
      ],
    });
    const rows = await app.current.database.query('SELECT * FROM site_insight WHERE site_id = $1', [site]);
    expect(rows).toHaveLength(1);
    for (const secret of ['a-secret-key', 'a-visitor-token', 'cookie', '192.0.2.1', 'abc.def', 'xyz', 'v1', 'Gecko'])
      expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('is told by time, within a range', async () => {
    const { api, path } = await buildSite();
    app.current.setTime(new Date('2026-03-10T12:00:00.000Z'));
    const at = (time: string) => event('page_view', { at: time });
    await api.post(path, {
      events: [
        at('2026-03-09T23:30:00.000Z'),
        at('2026-03-10T01:00:00.000+02:00'),
        at('2026-03-10T08:00:00.000Z'),
        at('2026-04-01T00:00:00.000Z'),
        event('page_view'),
      ],
    });
    const daily = {
      select: [{ column: 'datetime', interval: 'day' }, { column: 'eventsCount' }],
      range: { from: '2026-03-01T00:00:00.000Z', to: '2026-03-31T00:00:00.000Z' },
    };
    expect(await ask(api, path, daily)).toEqual([
      ['2026-03-09T00:00:00.000Z', 2],
      ['2026-03-10T00:00:00.000Z', 3],
    ]);
    expect(
      await ask(api, path, { ...daily, range: { from: '2026-03-10T00:00:00.000Z', to: '2026-03-10T12:00:00.000Z' } }),
    ).toEqual([['2026-03-10T00:00:00.000Z', 1]]);
    expect(
      await ask(api, path, {
        ...daily,
        where: [{ column: 'datetime', values: ['2026-03-10T00:00:00.000Z'], operator: 'lessThan' }],
      }),
    ).toEqual([['2026-03-09T00:00:00.000Z', 2]]);
    expect(
      await ask(api, path, {
        ...daily,
        select: [{ column: 'datetime', interval: 'month' }, { column: 'eventsCount' }],
        range: 'last3Months',
      }),
    ).toEqual([['2026-03-01T00:00:00.000Z', 5]]);
  });

  it('is taken in bounded batches of whole events, by members and no faster than allowed', async () => {
    const { workspace, api, path } = await buildSite();
    const bad: readonly (readonly [object, string])[] = [
      [{}, 'events'],
      [{ events: [{ type: 'page_view' }] }, 'events.0.session'],
      [{ events: [event('unknown')] }, 'events.0.type'],
      [{ events: [event('page_post_feedback', { feedback: { rating: 'great' } })] }, 'events.0.feedback.rating'],
      [
        { events: [event('page_post_feedback_comment', { feedback: { rating: 'ok', comment: '' } })] },
        'events.0.feedback.comment',
      ],
      [{ events: [event('page_view', { url: 'not an address' })] }, 'events.0.location.url'],
      [{ events: [event('page_view', { at: 'yesterday' })] }, 'events.0.timestamp'],
      [{ events: [event('page_view', { at: '0000-01-01T00:00:00Z' })] }, 'events.0.timestamp'],
      [{ events: Array.from({ length: 101 }, () => event('page_view')) }, 'events'],
    ];
    for (const [body, at] of bad) {
      const answer = await api.post<Refusal>(path, body);
      expect([answer.status, pathsAt(answer)]).toEqual([400, expect.arrayContaining([at])]);
    }
    expect((await (await workspace.member('read')).api.post(path, EVENTS_EXAMPLE)).status).toBe(204);
    expect((await (await workspace.member('none')).api.post(path, EVENTS_EXAMPLE)).status).toBe(404);
    expect(
      (await (await buildOrganization(app.current)).admin.api.post(`${path}/aggregate`, { range: 'last7Days' })).status,
    ).toBe(404);
    // In one minute that stands still, however long the requests take: the batch of before belongs to another one.
    const minute = (Math.floor(Date.now() / 60_000) + 2) * 60_000;
    app.current.setTime(new Date(minute + 20_000));
    const answers = await Promise.all(Array.from({ length: 60 }, () => api.post(path, { events: [] })));
    const refused = answers.filter(({ status }) => status === 429);
    expect([answers.filter(({ status }) => status === 204).length, refused.length]).toEqual([50, 10]);
    expect(refused[0]?.headers.get('retry-after')).toBe('40');
    expect((await api.post(`${path}/aggregate`, { range: 'last7Days' })).status).toBe(200);
    app.current.setTime(new Date(minute + 60_000));
    expect((await api.post(path, { events: [] })).status).toBe(204);
  });

  it('refuses questions that make no sense', async () => {
    const { api, path } = await buildSite();
    const bad: readonly (readonly [object, string])[] = [
      [{}, 'range'],
      [{ range: 'forever' }, 'range'],
      [{ range: { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' } }, 'range.to'],
      [{ range: 'lastYear', select: [{ column: 'nothing' }] }, 'select.0.column'],
      [{ range: 'lastYear', select: [{ column: 'visitorClaim' }] }, 'groupBy.claim'],
      [{ range: 'lastYear', groupBy: [{ column: 'eventsCount' }] }, 'groupBy.0.column'],
      [{ range: 'lastYear', order: { by: { column: 'url' }, direction: 'asc' } }, 'order.by.column'],
      [{ range: 'lastYear', where: [{ column: 'eventType', values: ['walked'] }] }, 'where.0.values.0'],
      [{ range: 'lastYear', where: [{ column: 'url', values: [7] }] }, 'where.0.values.0'],
      [{ range: 'lastYear', where: [{ column: 'datetime', values: ['soon'] }] }, 'where.0.values.0'],
      [
        { range: 'lastYear', where: [{ column: 'eventsCount', values: [1, 2], operator: 'lessThan' }] },
        'where.0.values',
      ],
      [
        { range: 'lastYear', where: [{ column: 'visitorOS', values: ['linux'], operator: 'lessThan' }] },
        'where.0.operator',
      ],
      [{ range: 'lastYear', limit: 1001 }, 'limit'],
    ];
    for (const [query, at] of bad) {
      const answer = await api.post<Refusal>(`${path}/aggregate`, query);
      expect([query, answer.status, pathsAt(answer)]).toEqual([query, 400, expect.arrayContaining([at])]);
    }
  });

  it('answers every column, alone and as a condition', async () => {
    const { api, path } = await buildSite();
    await api.post(path, { events: [event('page_view'), event('search_type_query', { query: `it's "quoted"; --` })] });
    for (const column of COLUMN_NAMES)
      expect([
        column,
        (await api.post(`${path}/aggregate`, { select: [{ column, claim: 'x' }], range: 'last7Days' })).status,
      ]).toEqual([column, 200]);
    const samples = {
      text: `it's "quoted"; --`,
      number: 1,
      time: '2026-01-01T00:00:00Z',
      json: { page: 'p', space: 's' },
    } as const;
    for (const column of COLUMN_NAMES) {
      const { names, type } = COLUMNS[column] as { names?: readonly string[]; type: keyof typeof samples };
      const query = {
        range: 'last7Days',
        where: [{ column, claim: 'x', values: [names?.[0] ?? samples[type], null], operator: 'notIn' }],
      };
      expect([column, (await api.post(`${path}/aggregate`, query)).status]).toEqual([column, 200]);
    }
  });

  it('comes from published pages in bulk, and goes when it is old or its site is gone', async () => {
    const { api, path, site } = await buildSite();
    const insights = app.current.get(Insights);
    const { events } = trackedEvents.parse(EVENTS_EXAMPLE);
    for (let time = 0; time < 30; time++) insights.record(site, events);
    await insights.flush();
    expect(await ask(api, path, { range: 'last24Hours' })).toEqual([[30]]);
    const removedAfter = async (days: number): Promise<number> => {
      await app.current.database.execute(
        `UPDATE site_insight SET at = now() - $2 * interval '1 day' WHERE site_id = $1`,
        [site, days],
      );
      return insights.removeStale();
    };
    expect(await removedAfter(299)).toBe(0);
    expect(await removedAfter(301)).toBe(30);
    await insights.store(site, events);
    await api.delete(path.replace('/insights/events', ''));
    const queued = await app.current.database.query<{ data: { payload: { site: string } } }>(
      `SELECT data FROM jobs.job WHERE name = 'insights.forget'`,
    );
    expect(queued.map(({ data }) => data.payload)).toContainEqual({ site });
  });

  it('is read from what programs say of themselves', () => {
    const chrome =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
    expect(readUserAgent(chrome)).toEqual({ browser: 'chrome', device: 'desktop', os: 'windows' });
    expect(readUserAgent(`${chrome} Edg/140.0`)).toMatchObject({ browser: 'edge' });
    expect(
      readUserAgent('Mozilla/5.0 (Linux; Android 15; Pixel) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'),
    ).toEqual({ browser: 'chrome', device: 'mobile', os: 'android' });
    expect(readUserAgent('Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Version/18.0 Safari/604.1')).toEqual({
      browser: 'safari',
      device: 'tablet',
      os: 'ios',
    });
    expect(readUserAgent('Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) Version/18.0 Safari/605.1.15')).toEqual({
      browser: 'safari',
      device: 'desktop',
      os: 'macos',
    });
    expect([
      readUserAgent('ClaudeBot/1.0').bot,
      readUserAgent('GPTBot/1.2').bot,
      readUserAgent('curl/8').bot,
      readUserAgent('').browser,
    ]).toEqual(['anthropic', 'chatgpt', 'unknown', 'unknown']);
    const { text } = aggregation('s', { range: 'lastYear', limit: 5, select: [{ column: 'page' }] }, new Date());
    expect(text).not.toContain('undefined');
  });
});

describe('the segments of visitors', () => {
  it('are the visitors of 30 days by their claims, page by page', async () => {
    const { workspace, api, path } = await buildSite();
    const segments = path.replace('events', 'visitor-segments');
    const pro = { plan: 'pro', beta: true, unsigned: { region: 'eu' } };
    const old = new Date(Date.now() - 31 * 24 * 3600 * 1000).toISOString();
    const events = [
      event('page_view', { claims: pro }),
      event('page_view', { claims: pro, visitor: 'v2' }),
      event('search_open', { claims: pro, visitor: 'v2', session: 'later' }),
      event('page_view', { visitor: 'v3' }),
      event('page_view', { visitor: 'v4', claims: { plan: 'free' } }),
      event('page_view', { visitor: 'v4', claims: { plan: 'free' } }),
      event('page_view', { visitor: 'v5', claims: { plan: 'gone' }, at: old }),
    ];
    expect((await api.post(path, { events })).status).toBe(204);
    interface Segments {
      items: object[];
      count: number;
      next?: { page: string };
    }
    const { status, body } = await api.get<Segments>(segments);
    expect([status, body]).toEqual([
      200,
      {
        count: 3,
        items: [
          {
            title: 'beta: true, plan: pro, unsigned.region: eu',
            claims: { beta: 'true', plan: 'pro', unsigned: { region: 'eu' } },
            events: 3,
            visitors: 2,
            sessions: 3,
          },
          { title: 'plan: free', claims: { plan: 'free' }, events: 2, visitors: 1, sessions: 1 },
          { title: 'Without claims', claims: {}, events: 1, visitors: 1, sessions: 1 },
        ],
      },
    ]);
    const first = await api.get<Segments>(segments, { query: { limit: 2 } });
    const rest = await api.get<Segments>(segments, { query: { limit: 2, page: first.body.next?.page } });
    expect([...first.body.items, ...rest.body.items]).toEqual(body.items);
    const [guest, stranger] = [await workspace.member('none'), (await buildOrganization(app.current)).admin];
    expect([(await guest.api.get(segments)).status, (await stranger.api.get(segments)).status]).toEqual([404, 404]);
  });
});
