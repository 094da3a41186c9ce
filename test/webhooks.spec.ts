import { afterEach, describe, expect, it } from '@jest/globals';
import { newId } from '../src/kernel/common/ids.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { retryDecisionOf, type AttemptOutcome } from '../src/operations/webhooks/domain/retry-decision.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { useReceiver, verified } from './webhook-receiver.js';

const app = useApp();
const receiver = useReceiver();

interface Hook {
  id: string;
  url: string;
  events: string[];
  spaces: string[] | null;
  active: boolean;
  secret: string;
  disabled?: { reason: string; at: string };
  previousSecretUntil?: string;
  lastDelivery?: { id: string; status: string; responseStatus?: number };
}
interface Sent {
  id: string;
  eventId: string;
  type: string;
  status: string;
  attempts: number;
  nextAttemptAt?: string;
  response?: { status: number; excerpt: string };
  problem?: string;
  payload: Record<string, unknown>;
}

let paths = 0;
afterEach(() => {
  receiver.answer = (response) => response.end('ok');
  app.current.setTime(undefined);
});

const hooks = ({ id }: Workspace) => `/orgs/${id}/webhooks`;

/** A webhook with a receiving address of its own. */
async function hook(workspace: Workspace, more: object = {}) {
  const path = `/hook-${++paths}`;
  const made = await workspace.admin.api.post<Hook>(hooks(workspace), {
    url: receiver.url(path),
    events: ['*'],
    ...more,
  });
  expect(made.status).toBe(201);
  const one = `${hooks(workspace)}/${made.body.id}`;
  return {
    ...made.body,
    one,
    got: () => receiver.at(path),
    sent: async (status?: string) =>
      (await workspace.admin.api.get<{ items: Sent[] }>(`${one}/deliveries`, { query: { status } })).body.items,
    get: async () => (await workspace.admin.api.get<Hook>(one)).body,
    ping: async () => (await workspace.admin.api.post<Sent>(`${one}/ping`)).body,
  };
}

const space = async ({ id, admin }: Workspace, title = 'Space') =>
  (await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title, empty: true })).body.id;
const rename = async ({ admin }: Workspace, id: string, title: string) =>
  expect((await admin.api.patch(`/spaces/${id}`, { title })).status).toBe(200);
const sql = (text: string, values: unknown[] = []) => app.current.database.execute(text, values);

/** Does all that is due in the background. */
async function settle(): Promise<void> {
  await app.current.get(OutboxRelay).drain();
  await app.current.get(Jobs).drain();
}

/** Lets `seconds` pass for deliveries and the jobs that wait for them: by the clock, which tells how old something is, and in the database, which tells what is due. */
async function later(seconds: number): Promise<void> {
  app.current.setTime(new Date(new Date().getTime() + seconds * 1000));
  await sql(`UPDATE webhook_delivery SET due_at = due_at - $1 * interval '1 second' WHERE status = 'pending'`, [
    seconds,
  ]);
  await sql(
    `UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE name LIKE 'webhooks.%' AND state < 'active'`,
  );
  await settle();
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 15_000; !(await condition());) {
    if (Date.now() > end) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a webhook', () => {
  it('is made with a secret that is shown once, read, listed, changed and deleted', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const made = await api.post<Hook>(hooks(workspace), {
      url: 'https://hooks.example.com/a',
      events: ['space_updated', 'space_updated'],
      description: 'First',
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        object: 'webhook',
        events: ['space_updated'],
        spaces: null,
        active: true,
        description: 'First',
        createdBy: workspace.admin.id,
      },
    });
    expect(made.body.secret).toMatch(/^whsec_[A-Za-z0-9]{40}$/);
    const path = new URL(made.headers.get('location') ?? '').pathname.replace('/v1', '');
    const read = await api.get<Hook>(path);
    const { secret, ...shown } = made.body;
    expect(read.body).toEqual(shown);
    expect((await api.get<{ items: Hook[] }>(hooks(workspace))).body).toMatchObject({ count: 1, items: [shown] });
    expect(
      await app.current.database.query('SELECT w::text AS row FROM webhook w WHERE id = $1', [made.body.id]),
    ).not.toEqual([{ row: expect.stringContaining(secret) }]);
    const etag = read.headers.get('etag') ?? '';
    const target = await space(workspace);
    const changed = await api.patch<Hook>(
      path,
      { events: ['*'], spaces: [target], description: '' },
      { headers: { 'If-Match': etag } },
    );
    expect(changed).toMatchObject({ status: 200, body: { events: ['*'], spaces: [target], description: '' } });
    const renamed = await api.patch<Hook & { description: string }>(path, { description: 'Second' });
    expect(renamed.body.description).toBe('Second');
    expect((await api.get<{ items: Hook[] }>(hooks(workspace))).body.items).toEqual([renamed.body]);
    expect((await api.patch(path, { active: false }, { headers: { 'If-Match': etag } })).status).toBe(412);
    expect((await api.patch<Hook>(path, { spaces: null })).body.spaces).toBeNull();
    for (let i = 0; i < 2; i++) expect((await api.delete(path)).status).toBe(204);
    expect((await api.get(path)).status).toBe(404);
    expect((await api.patch(path, {})).status).toBe(404);
    const told = await app.current.database.query<{ type: string; payload: object }>(
      'SELECT type, payload FROM event WHERE target = $1 ORDER BY at, id',
      [made.body.id],
    );
    expect(told).toEqual([
      { type: 'webhook_created', payload: {} },
      { type: 'webhook_updated', payload: { fields: ['events', 'spaces', 'description'] } },
      { type: 'webhook_updated', payload: { fields: ['description'] } },
      { type: 'webhook_updated', payload: { fields: ['spaces'] } },
      { type: 'webhook_deleted', payload: {} },
    ]);
  });

  it('names what is wrong with it', async () => {
    const [workspace, other] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const foreign = await space(other);
    const url = 'https://hooks.example.com/';
    for (const [body, path] of [
      [{ url, events: ['space_updated', 'space_flown'] }, 'events.1'],
      [{ url, events: ['token_created'] }, 'events.0'],
      [{ url, events: [] }, 'events'],
      [{ url, events: ['*'], spaces: [await space(workspace), foreign] }, 'spaces.1'],
      [{ url: 'hooks.example.com', events: ['*'] }, 'url'],
    ] as const) {
      expect(await workspace.admin.api.post(hooks(workspace), body)).toMatchObject({
        status: 400,
        body: { error: { details: [{ path }] } },
      });
    }
  });

  it.each([
    'http://10.0.0.1/',
    'https://192.168.0.1/',
    'https://169.254.169.254/latest/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'http://8.8.8.8/',
    'https://100.64.0.1/',
    'https://0x0a.1/',
    'https://167772161/',
    'https://user:pass@hooks.example.com/',
  ])('3b-22 it never goes to %s', async (url) => {
    const workspace = await buildOrganization(app.current);
    expect(await workspace.admin.api.post(hooks(workspace), { url, events: ['*'] })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'url' }] } },
    });
    const { one, ping, sent } = await hook(workspace, { events: ['space_removed'] });
    expect((await workspace.admin.api.patch(one, { url })).status).toBe(400);
    // As after a change of OUTBOUND_ALLOW, or of what a name leads to.
    await sql('UPDATE webhook SET url = $2 WHERE organization_id = $1', [workspace.id, url]);
    await ping();
    await settle();
    expect(await sent()).toEqual([
      expect.objectContaining({ status: 'failed', attempts: 1, problem: expect.any(String) }),
    ]);
  });

  it('is one of fifty at most, and none of another organization', async () => {
    const [workspace, other] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const { one, ping } = await hook(workspace);
    const { id } = await ping();
    const inOther = one.replace(workspace.id, other.id);
    for (const path of [inOther, `${inOther}/deliveries`, `${inOther}/deliveries/${id}`])
      expect((await other.admin.api.get(path)).status).toBe(404);
    for (const path of [`${inOther}/ping`, `${inOther}/rotate-secret`, `${inOther}/deliveries/${id}/redeliver`])
      expect((await other.admin.api.post(path, {})).status).toBe(404);
    expect((await other.admin.api.delete(inOther)).status).toBe(204);
    expect((await workspace.admin.api.post(`${one}/deliveries/${newId()}/redeliver`)).status).toBe(404);
    const second = await hook(workspace);
    expect((await workspace.admin.api.get(`${second.one}/deliveries/${id}`)).status).toBe(404);
    await sql(
      `INSERT INTO webhook (id, organization_id, url, description, events, active, secret, created_by, created_at, updated_at)
       SELECT 'W' || n, $1, url, '', events, false, secret, created_by, created_at, updated_at FROM webhook, generate_series(1, 48) n WHERE id = $2`,
      [workspace.id, second.id],
    );
    expect((await workspace.admin.api.post(hooks(workspace), { url: receiver.url(), events: ['*'] })).status).toBe(409);
    expect((await other.admin.api.post(hooks(other), { url: receiver.url(), events: ['*'] })).status).toBe(201);
    const listed: string[] = [];
    for (let page: string | undefined, next = true; next;) {
      const answer = await workspace.admin.api.get<{ items: Hook[]; count: number; next?: { page: string } }>(
        hooks(workspace),
        { query: { limit: 30, page } },
      );
      listed.push(...answer.body.items.map((each) => each.id));
      page = answer.body.next?.page;
      next = page !== undefined;
    }
    expect([listed.length, new Set(listed).size, listed.includes(second.id)]).toEqual([50, 50, true]);
  });

  it('is made once, and never shows its secret twice', async () => {
    const workspace = await buildOrganization(app.current);
    const ask = () =>
      workspace.admin.api.post(
        hooks(workspace),
        { url: receiver.url(), events: ['*'] },
        { headers: { 'Idempotency-Key': 'one' } },
      );
    expect([(await ask()).status, (await ask()).status]).toEqual([201, 409]);
    expect((await workspace.admin.api.get(hooks(workspace))).body).toMatchObject({ count: 1 });
  });
});

describe('a delivery', () => {
  it('tells every webhook what it asks for, signed, and is logged', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const [first, second] = [await space(workspace, 'One'), await space(workspace, 'Two')];
    await settle();
    const all = await hook(workspace);
    await settle();
    const before = all.got().length;
    const some = await hook(workspace, { events: ['space_updated', 'change_request_created'], spaces: [first] });
    const off = await hook(workspace, { active: false });
    await rename(workspace, first, 'First');
    await rename(workspace, second, 'Second');
    await api.put(`/orgs/${workspace.id}/teams`, { title: 'Team' });
    const request = await api.post<{ id: string }>(`/spaces/${first}/change-requests`, { subject: 'Change' });
    await api.post('/user/tokens', { name: 'Private' });
    await settle();

    expect(off.got()).toEqual([]);
    expect(
      some
        .got()
        .map(({ event }) => event['type'])
        .sort(),
    ).toEqual(['change_request_created', 'space_updated']);
    expect(
      all
        .got()
        .slice(before)
        .map(({ event }) => event['type'])
        .sort(),
    ).toEqual([
      'change_request_created',
      'space_updated',
      'space_updated',
      'team_created',
      'webhook_created',
      'webhook_created',
    ]);
    const one = some.got().find(({ event }) => event['type'] === 'change_request_created');
    expect(one?.event).toEqual({
      eventId: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
      type: 'change_request_created',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      organizationId: workspace.id,
      spaceId: first,
      actorId: workspace.admin.id,
      changeRequestId: request.body.id,
      number: 1,
    });
    expect(one?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-bindery-event': 'change_request_created',
      'x-bindery-signature': expect.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/),
    });
    expect(one?.headers).not.toHaveProperty('authorization');
    for (const received of some.got())
      expect([verified(received, some.secret), verified(received, all.secret)]).toEqual([1, 0]);

    const sent = await some.sent();
    expect(sent).toHaveLength(2);
    expect(sent).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: one?.headers['x-bindery-delivery'],
          eventId: one?.event['eventId'],
          status: 'delivered',
          attempts: 1,
          response: { status: 200, excerpt: 'ok' },
          payload: one?.event,
        }),
      ]),
    );
    expect((await api.get(`${some.one}/deliveries/${sent[0]?.id ?? ''}`)).body).toEqual(sent[0]);
    expect((await some.get()).lastDelivery).toMatchObject({ status: 'delivered', responseStatus: 200 });
    const page = await api.get<{ items: Sent[]; count: number; next?: { page: string } }>(`${some.one}/deliveries`, {
      query: { limit: 1, status: 'delivered' },
    });
    expect(page.body).toMatchObject({ count: 2, items: [sent[0]] });
    expect(
      (
        await api.get<{ items: Sent[] }>(`${some.one}/deliveries`, {
          query: { limit: 1, status: 'delivered', page: page.body.next?.page },
        })
      ).body.items,
    ).toEqual([sent[1]]);
    expect(await some.sent('failed')).toEqual([]);
  });

  it('keeps the name and fields of the event of content that others know', async () => {
    const workspace = await buildOrganization(app.current);
    const { got } = await hook(workspace, { events: ['space_content_updated'] });
    const id = (
      await workspace.admin.api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, {
        title: 'Live',
        empty: true,
        editMode: 'live',
      })
    ).body.id;
    const { body } = await workspace.admin.api.post<{ revision: string }>(`/spaces/${id}/content`, {
      changes: [{ operation: 'insert_page', title: 'Page' }],
    });
    await settle();
    expect(got().map(({ event }) => event)).toEqual([
      expect.objectContaining({
        eventId: expect.any(String),
        type: 'space_content_updated',
        spaceId: id,
        revisionId: body.revision,
      }),
    ]);
  });

  it('goes on when who made the webhook has left', async () => {
    const workspace = await buildOrganization(app.current);
    const second = await workspace.member('admin');
    const made = await second.api.post<Hook>(hooks(workspace), {
      url: receiver.url('/left'),
      events: ['member_removed'],
    });
    expect(made.status).toBe(201);
    expect((await workspace.admin.api.delete(`/orgs/${workspace.id}/members/${second.id}`)).status).toBe(204);
    await settle();
    expect(receiver.at('/left').map(({ event }) => event)).toEqual([
      expect.objectContaining({ type: 'member_removed', userId: second.id }),
    ]);
  });

  it('is one for each event, however often the event comes by', async () => {
    const workspace = await buildOrganization(app.current);
    const { got, sent } = await hook(workspace, { events: ['team_created'] });
    await workspace.admin.api.put(`/orgs/${workspace.id}/teams`, { title: 'Team' });
    for (let i = 0; i < 3; i++) {
      await settle();
      await sql(
        `INSERT INTO event_claim (consumer, event_id, due_at) SELECT 'webhooks', id, at FROM event WHERE organization_id = $1 AND type = 'team_created'`,
        [workspace.id],
      );
    }
    await settle();
    expect([got().length, (await sent()).length]).toEqual([1, 1]);
  });

  it('is kept from nobody, and costs nothing where nobody listens', async () => {
    const workspace = await buildOrganization(app.current);
    const claims = () =>
      app.current.database.query(
        `SELECT FROM event_claim c JOIN event e ON e.id = c.event_id WHERE c.consumer = 'webhooks' AND e.organization_id = $1`,
        [workspace.id],
      );
    await space(workspace);
    expect(await claims()).toEqual([]);
    const { one } = await hook(workspace);
    expect(await claims()).toHaveLength(1);
    await workspace.admin.api.delete(one);
    await settle();
    await space(workspace);
    expect(await claims()).toEqual([]);
  });

  it('is tried again with growing delays, always the same', async () => {
    const workspace = await buildOrganization(app.current);
    const { got, sent, ping } = await hook(workspace);
    await settle();
    const skip = got().length;
    const answers = [500, 429, 0, 200];
    receiver.answer = (response) => {
      const status = answers[got().length - skip - 1] ?? 200;
      if (status === 0) response.destroy();
      else response.writeHead(status, status === 429 ? { 'Retry-After': '90' } : {}).end('no\0t now'.repeat(1000));
    };
    const { id } = await ping();
    const waits: number[] = [];
    await settle();
    while (waits.length < 3) {
      const delivery = (await sent()).find((each) => each.id === id);
      expect(delivery).toMatchObject({ status: 'pending', attempts: waits.length + 1, problem: expect.any(String) });
      if (waits.length < 2) expect(delivery?.response?.excerpt).toHaveLength(500);
      const wait = (Date.parse(delivery?.nextAttemptAt ?? '') - Date.now()) / 1000;
      waits.push(wait);
      // A moment too early nothing happens, whatever the clock of the server says.
      await later(wait - 3);
      app.current.setTime(new Date(Date.now() + 3_600_000 * waits.length));
      await app.current.get(Jobs).enqueue('webhooks.deliver', { organization: workspace.id });
      await settle();
      expect((await sent()).find((each) => each.id === id)?.attempts).toBe(waits.length);
      await sql(`UPDATE webhook_delivery SET due_at = due_at - interval '3 seconds' WHERE id = $1`, [id]);
      await app.current.get(Jobs).enqueue('webhooks.deliver', { organization: workspace.id });
      await settle();
    }
    // Less what reading them took.
    const between = (wait: number | undefined, least: number, most: number) =>
      expect([wait, (wait ?? 0) > least - 1.5 && (wait ?? 0) <= most]).toEqual([wait, true]);
    between(waits[0], 4.5, 5.5);
    between(waits[1], 90, 90);
    between(waits[2], 108, 132);
    expect((await sent()).find((each) => each.id === id)).toMatchObject({ status: 'delivered', attempts: 4 });
    expect(
      new Set(
        got()
          .slice(skip)
          .map(({ body }) => body),
      ).size,
    ).toBe(1);
    expect(
      new Set(
        got()
          .slice(skip)
          .map(({ headers }) => headers['x-bindery-signature']),
      ).size,
    ).toBe(4);
  });

  it('is given up on other answers, and where it is led on', async () => {
    const workspace = await buildOrganization(app.current);
    const { got, ping, sent, one } = await hook(workspace, { events: ['space_removed'] });
    for (const status of [400, 404, 410, 302, 307]) {
      receiver.answer = (response) => response.writeHead(status, { Location: receiver.url('/elsewhere') }).end();
      const { id } = await ping();
      await settle();
      expect((await workspace.admin.api.get(`${one}/deliveries/${id}`)).body).toMatchObject({
        status: 'failed',
        attempts: 1,
        response: { status },
        problem: `the receiver answered ${status}`,
      });
    }
    expect([got().length, receiver.at('/elsewhere').length, (await sent('failed')).length]).toEqual([5, 0, 5]);
  });

  it('3b-24 it reads little of an endless answer', async () => {
    const workspace = await buildOrganization(app.current);
    const { ping, sent } = await hook(workspace, { events: ['space_removed'] });
    let bytes = 0;
    receiver.answer = (response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(16_384, 'x'))) if ((bytes += 16_384) > 100_000_000) return;
        response.once('drain', more);
      };
      more();
    };
    await ping();
    await settle();
    expect(await sent()).toEqual([
      expect.objectContaining({ status: 'delivered', response: { status: 200, excerpt: 'x'.repeat(500) } }),
    ]);
    expect(bytes).toBeLessThan(10_000_000);
  });

  it('can be asked for again, with the same event', async () => {
    const workspace = await buildOrganization(app.current);
    const { got, ping, one } = await hook(workspace, { events: ['space_removed'] });
    receiver.answer = (response) => response.writeHead(404).end();
    const { id } = await ping();
    await settle();
    receiver.answer = (response) => response.end();
    const again = await workspace.admin.api.post<Sent>(`${one}/deliveries/${id}/redeliver`);
    expect(again).toMatchObject({ status: 200, body: { id, status: 'pending', attempts: 0 } });
    await settle();
    expect((await workspace.admin.api.get(`${one}/deliveries/${id}`)).body).toMatchObject({
      status: 'delivered',
      attempts: 1,
    });
    expect(got().map(({ body }) => body)).toEqual([got()[0]?.body, got()[0]?.body]);
    await workspace.admin.api.patch(one, { active: false });
    for (const path of [`${one}/deliveries/${id}/redeliver`, `${one}/ping`])
      expect((await workspace.admin.api.post(path)).status).toBe(409);
  });

  it('ends for a webhook that fails for too long, which begins anew when it is switched on', async () => {
    const workspace = await buildOrganization(app.current);
    const { ping, get, one, got, sent } = await hook(workspace, { events: ['webhook_disabled'] });
    const other = await hook(workspace, { events: ['webhook_disabled'] });
    receiver.answer = (response, { path }) => response.writeHead(other.url.endsWith(path) ? 200 : 404).end();
    for (let i = 0; i < 23; i++) await ping();
    await settle();
    await settle();
    expect(await get()).toMatchObject({
      active: false,
      disabled: { reason: expect.stringContaining('the receiver answered 404') },
    });
    expect(got().length).toBeGreaterThanOrEqual(20);
    expect([(await sent('pending')).length, (await sent('failed')).length]).toEqual([0, 23]);
    expect(other.got().map(({ event }) => event)).toEqual([
      expect.objectContaining({ type: 'webhook_disabled', webhookId: one.split('/').at(-1) }),
    ]);
    expect((await workspace.admin.api.post<Hook>(`${one}/rotate-secret`)).body).toMatchObject({
      active: false,
      disabled: { at: expect.any(String) },
      secret: expect.stringMatching(/^whsec_/),
    });
    receiver.answer = (response) => response.end();
    expect((await workspace.admin.api.patch<Hook>(one, { active: true })).body).not.toHaveProperty('disabled');
    await ping();
    await settle();
    expect((await get()).lastDelivery).toMatchObject({ status: 'delivered' });
  });
});

describe('the secret', () => {
  it('is rotated with two that sign for a while', async () => {
    const workspace = await buildOrganization(app.current);
    const { secret, one, got, ping, get } = await hook(workspace, { events: ['space_removed'] });
    const rotate = async (body?: object) => (await workspace.admin.api.post<Hook>(`${one}/rotate-secret`, body)).body;
    const signedBy = async (...secrets: string[]) => {
      await ping();
      await settle();
      const last = got().at(-1);
      return {
        right: last && secrets.map((each) => verified(last, each)),
        count: String(last?.headers['x-bindery-signature']).split('v1=').length - 1,
      };
    };
    const second = await rotate({ graceHours: 2 });
    expect(second.secret).not.toBe(secret);
    expect((await get()).previousSecretUntil).toBe(second.previousSecretUntil);
    expect(await signedBy(secret, second.secret)).toEqual({ right: [1, 1], count: 2 });
    const third = await rotate({ graceHours: 2 });
    expect(await signedBy(secret, second.secret, third.secret)).toEqual({ right: [0, 1, 1], count: 2 });
    app.current.setTime(new Date(Date.now() + 3 * 3600 * 1000));
    expect(await signedBy(second.secret, third.secret)).toEqual({ right: [0, 1], count: 1 });
    const fourth = await rotate({ graceHours: 0 });
    expect(await signedBy(third.secret, fourth.secret)).toEqual({ right: [0, 1], count: 1 });
    expect((await workspace.admin.api.post(`${one}/rotate-secret`, { graceHours: 169 })).status).toBe(400);
    await app.current.get(Jobs).enqueue('webhooks.maintain', {});
    app.current.setTime(new Date(Date.now() + 3 * 3600 * 1000));
    await settle();
    expect(
      await app.current.database.one('SELECT previous_secret IS NULL AS gone FROM webhook WHERE organization_id = $1', [
        workspace.id,
      ]),
    ).toEqual({ gone: true });
  });
});

describe('upkeep', () => {
  it('forgets what is older than thirty days, and finds what has lost its job', async () => {
    const workspace = await buildOrganization(app.current);
    const { got, ping, sent } = await hook(workspace, { events: ['space_removed'] });
    await ping();
    await sql(`DELETE FROM jobs.job WHERE name = 'webhooks.deliver'`);
    await settle();
    expect(got()).toEqual([]);
    const tend = async (seconds: number): Promise<void> => {
      await app.current.get(Jobs).enqueue('webhooks.maintain', {});
      await later(seconds);
    };
    await tend(180);
    expect(got()).toHaveLength(1);
    await tend(29 * 24 * 3600);
    expect(await sent()).toHaveLength(1);
    await tend(31 * 24 * 3600);
    expect(await sent()).toEqual([]);
  });
});

describe('several servers', () => {
  it('keep a slow receiver from holding up other organizations, and deliver again what a server died over', async () => {
    const [slow, quick] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const [dead, fine] = [
      await hook(slow, { events: ['space_removed'] }),
      await hook(quick, { events: ['team_created'] }),
    ];
    const hanging: (() => void)[] = [];
    receiver.answer = (response, { path }) => {
      if (dead.url.endsWith(path)) hanging.push(() => response.end());
      else response.end();
    };
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) ids.push((await dead.ping()).id);
    const others = [
      await TestApp.start({}, app.current.databaseUrl),
      await TestApp.start({}, app.current.databaseUrl),
    ] as const;
    try {
      others[0].get(Jobs).start();
      await until(() => hanging.length === 4);
      // Nothing more of the one organization is sent meanwhile, by any server; all of the others is.
      others[1].get(Jobs).start();
      await slow.admin.api.post(`${dead.one}/deliveries/${ids[11] ?? ''}/redeliver`);
      await quick.admin.api.put(`/orgs/${quick.id}/teams`, { title: 'Team' });
      await app.current.get(OutboxRelay).drain();
      await until(() => fine.got().length === 1);
      expect(dead.got()).toHaveLength(4);

      // As if the server that sends had died: the other one sends the same, and what the first hears then is of no effect.
      receiver.answer = (response) => response.end();
      await sql(
        `UPDATE jobs.job SET started_on = started_on - interval '1 hour' WHERE name = 'webhooks.deliver' AND state = 'active'`,
      );
      await app.current.get(Jobs).reclaim();
      await sql(
        `UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE name = 'webhooks.deliver' AND state < 'active'`,
      );
      await until(async () => (await dead.sent('delivered')).length === 12);
      // Whoever has lost the job begins no further delivery by then.
      await new Promise((resolve) => setTimeout(resolve, 3000));
      for (const end of hanging) end();
      const eventIds = dead.got().map(({ event }) => String(event['eventId']));
      expect(eventIds).toHaveLength(16);
      expect(new Set(eventIds).size).toBe(12);
      expect(eventIds.slice(4, 8).sort()).toEqual(eventIds.slice(0, 4).sort());
      expect((await dead.sent()).every(({ attempts }) => attempts === 1)).toBe(true);
    } finally {
      for (const other of others) await other.close();
    }
  });
});

describe('a verdict', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const answered = (status: number, retryAfter?: string): AttemptOutcome => ({ kind: 'answered', status, retryAfter });

  it('is final but for what may pass', () => {
    for (const status of [200, 201, 204, 299])
      expect(retryDecisionOf(answered(status), 1, now, 0.5)).toEqual({ status: 'delivered' });
    for (const status of [300, 301, 304, 400, 401, 404, 410, 418, 428])
      expect(retryDecisionOf(answered(status), 1, now, 0.5)).toEqual({ status: 'failed' });
    for (const status of [429, 500, 502, 503, 599])
      expect(retryDecisionOf(answered(status), 1, now, 0.5)).toEqual({ status: 'pending', delay: 5 });
    expect(retryDecisionOf({ kind: 'silent', final: false }, 1, now, 0.5)).toEqual({ status: 'pending', delay: 5 });
    expect(retryDecisionOf({ kind: 'silent', final: true }, 1, now, 0.5)).toEqual({ status: 'failed' });
  });

  it('waits longer each time, and gives up after eight attempts', () => {
    const waits = Array.from({ length: 8 }, (_, index) => retryDecisionOf(answered(500), index + 1, now, 0.5));
    expect(waits.map((verdict) => ('delay' in verdict ? verdict.delay : verdict.status))).toEqual([
      5,
      30,
      120,
      600,
      1800,
      7200,
      21_600,
      'failed',
    ]);
    expect([retryDecisionOf(answered(500), 1, now, 0), retryDecisionOf(answered(500), 1, now, 1)]).toEqual([
      { status: 'pending', delay: 4.5 },
      { status: 'pending', delay: 5.5 },
    ]);
  });

  it.each([
    ['60', 60],
    ['1', 5],
    ['86400', 3600],
    ['-5', 5],
    ['soon', 5],
    ['Sat, 21 Nov 2026 12:02:00 GMT', 120],
    ['Sat, 21 Nov 2020 12:02:00 GMT', 5],
    ['Sat, 21 Nov 2037 12:02:00 GMT', 3600],
  ])('heeds Retry-After: %s within a bound', (header, delay) => {
    expect(retryDecisionOf(answered(503, header), 1, now, 0.5)).toEqual({ status: 'pending', delay });
  });
});
