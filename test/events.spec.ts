import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { document } from '../src/formats/document/build.js';
import { Secrets } from '../src/kernel/common/secrets.js';
import type { EventType, NewEvent } from '../src/kernel/platform/manifest/events.js';
import { Registry } from '../src/kernel/platform/manifest/registry.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { ExpiredSpacesJob } from '../src/workspace/spaces/expired-spaces.job.js';
import { Outbox } from '../src/kernel/platform/outbox.js';
import { SealedValues } from '../src/kernel/platform/keys/sealed-values.js';
import { LoginFault } from '../src/identity/sso/domain/login-fault.js';
import { LoginRefusals } from '../src/identity/sso/login-refusals.js';
import { Webhooks } from '../src/operations/webhooks/webhooks.service.js';
import { useApp } from './app.js';
import { RECORDED } from './events/recorded.js';
import { REGISTRY } from './events/registry.js';
import { ROWS } from './permissions/rows.js';
import {
  buildWorld,
  clientFor,
  siteGitInstallation,
  unlimitedPage,
  type Ids,
  type World,
} from './permissions/world.js';
import { useEngine } from './translation-engine.js';
import { clusterByTopics } from './topic-engine.js';

const app = useApp();

interface Stored extends Record<string, unknown> {
  id: string;
  type: string;
  organization: string | null;
  space: string | null;
  target: string;
  payload: Record<string, unknown>;
}

const all = () =>
  app.current.database.query<Stored>(
    'SELECT id, type, organization_id AS organization, space_id AS space, target, payload FROM event ORDER BY at, id',
  );

/** The lines of the audit log that tell of events. */
const linesOf = (events: readonly Stored[]) =>
  app.current.database.query<{ event: string; action: string; actor: string; request: string }>(
    'SELECT event_id AS event, action, actor_id AS actor, request_id AS request FROM audit_event WHERE event_id = ANY ($1) ORDER BY occurred_at, event_id, organization_id',
    [events.map(({ id }) => id)],
  );

const IS: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: (value) => typeof value === 'string' && /^[A-Za-z0-9]{1,40}$/.test(value),
  'id or null': (value) => value === null || (typeof value === 'string' && /^[A-Za-z0-9]{1,40}$/.test(value)),
  ids: (value) =>
    Array.isArray(value) && value.every((each) => typeof each === 'string' && /^[A-Za-z0-9]{1,40}$/.test(each)),
  text: (value) => typeof value === 'string',
  texts: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  number: (value) => typeof value === 'number',
  flag: (value) => typeof value === 'boolean',
};

/** What is wrong with a stored event, by its manifest. */
function faultsOf({ type, organization, space, payload }: Stored): string[] {
  const definition = REGISTRY.events.get(type);
  if (!definition) return [`${type} is in no manifest`];
  const facts: Readonly<Record<string, string>> = definition.facts;
  const wrong = Object.entries(facts).filter(([name, word]) =>
    name in payload ? !IS[word.replace('?', '')]?.(payload[name]) : !word.endsWith('?'),
  );
  return [
    ...Object.keys(payload)
      .filter((name) => !(name in facts))
      .map((name) => `${type} has ${name}`),
    ...wrong.map(([name]) => `${type}.${name} is ${JSON.stringify(payload[name])}`),
    ...(definition.scope !== 'account' && organization === null ? [`${type} has no organization`] : []),
    ...(definition.scope === 'space' && space === null ? [`${type} has no space`] : []),
  ];
}

/** Gives up the client secret of a provider, as if its key were lost. */
async function discardOne(organizationId: string): Promise<void> {
  const sealed = new Secrets(['a-key-that-is-lost-for-good-and-ever']).encrypt('secret of a client');
  expect(
    await app.current.database.execute(
      'UPDATE identity_provider SET client_secret = $2 WHERE id = (SELECT id FROM identity_provider WHERE organization_id = $1 AND protocol = $3 LIMIT 1)',
      [organizationId, sealed, 'oidc'],
    ),
  ).toBe(1);
  expect(await app.current.get(SealedValues).discardUnreadable()).toBe(1);
}

describe('what operations record', () => {
  const changing = Object.entries(ROWS).filter(([operation]) => !operation.startsWith('GET '));
  let world: World;
  beforeAll(async () => {
    clusterByTopics(app.current);
    const built = await buildWorld(app.current);
    const person = await built.workspace.member('admin');
    world = { ...built, person, ids: { ...built.ids, adminId: person.id } };
  }, 60_000);

  it('is told for every operation that changes something', () => {
    expect(Object.keys(RECORDED).sort()).toEqual(changing.map(([operation]) => operation).sort());
  });

  it.each(changing)('%s', async (operation, row) => {
    const ids: Ids = { ...world.ids, ...(await row.prepare?.(world)) };
    const [method = '', template = ''] = operation.split(' ');
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
    const body = typeof row.body === 'function' ? (row.body as (ids: Ids) => object)(ids) : row.body;
    const query = typeof row.query === 'function' ? row.query(ids) : row.query;
    const api = await clientFor(row, app.current, world.person);
    const before = new Set((await all()).map(({ id }) => id));
    const answer = await api.send(method, path, body, {
      ...(query && { query }),
      ...(row.raw && { raw: row.raw.bytes }),
      headers: { ...(row.raw && { 'Content-Type': row.raw.type }), ...row.headers?.(world) },
    });
    const events = (await all()).filter(({ id }) => !before.has(id));
    const recorded = events.map(({ type }) => type);
    const wanted = RECORDED[operation] ?? [];
    expect({ status: answer.status, recorded: recorded.sort() }).toEqual({
      status: row.ok,
      recorded: typeof wanted === 'string' ? [] : [...wanted].sort(),
    });
    const lines = await linesOf(events);
    expect(lines.map(({ event }) => event).sort()).toEqual(
      events
        .filter(({ type }) => REGISTRY.isAudited(type as EventType))
        .map(({ id }) => id)
        .sort(),
    );
    const actors = new Set(lines.map(({ actor }) => actor));
    expect([...actors]).toEqual(
      lines.length === 0 ? [] : [row.least === 'open' ? expect.not.stringMatching(/^system$/) : world.person.id],
    );
    expect(lines.every(({ request }) => request === answer.headers.get('x-request-id'))).toBe(true);
  });

  it('is every event of the manifests, with what takes more than one call', async () => {
    const { api } = world.person;
    const made = async (path: string, body: object): Promise<string> =>
      (await api.post<{ id: string }>(path, body)).body.id;
    await api.delete(`/user/tokens/${await made('/user/tokens', { name: 'Short-lived' })}`);
    const { api: admin } = world.workspace.admin;
    await admin.post(`/orgs/${world.workspace.id}/invites`, { emails: ['taken-back@example.com'] });
    const { body: invited } = await admin.get<{ items: { id: string }[] }>(`/orgs/${world.workspace.id}/invites`);
    for (const { id } of invited.items) await admin.delete(`/orgs/${world.workspace.id}/link-invites/${id}`);
    const inSpace = `/spaces/${world.ids['spaceId'] ?? ''}`;
    const comment = `${inSpace}/comments/${await made(`${inSpace}/comments`, { body: { markdown: 'Done?' } })}`;
    for (const resolved of [true, false]) expect((await api.put(comment, { resolved })).status).toBe(200);
    const sorted = await api.patch(`/orgs/${world.workspace.id}/sites/${world.ids['siteId'] ?? ''}/structure/sort`, {
      item: { type: 'site-external-link', id: world.ids['siteExternalLinkId'] },
      position: {},
    });
    expect(sorted.status).toBe(200);
    await app.current.database.transaction(() =>
      app.current.get(Webhooks).disable(world.workspace.id, world.ids['webhookId'] ?? '', 'It never answers'),
    );
    await app.current.database.transaction(() =>
      app.current.get(Outbox).record({
        type: 'member_signed_in',
        organizationId: world.workspace.id,
        target: world.person.id,
        payload: { samlProviderId: world.ids['samlProviderId'] ?? '' },
      }),
    );
    await app.current.database.transaction(() =>
      app.current.get(Outbox).record({
        type: 'organization_imported',
        organizationId: world.workspace.id,
        target: world.workspace.id,
      }),
    );
    await app.current
      .get(LoginRefusals)
      .record(
        world.ids['samlProviderId'] ?? '',
        new LoginFault('Your account is disabled', { person: { email: 'ada@example.com', displayName: undefined } }),
      );
    await discardOne(world.workspace.id);
    // The runs that the calls above have asked for: archives succeed, and nothing answers at the addresses of the others; there is an engine into French alone.
    useEngine(app.current, ['fr']);
    const inFrench = await made(`/orgs/${world.workspace.id}/translations`, {
      source: { space: world.ids['spaceId'], language: 'en' },
      language: 'fr',
    });
    await api.put(`/orgs/${world.workspace.id}/translations/${inFrench}`, {
      instructions: document([]),
      slugs: 'translate',
    });
    const ofSite = `/git/installations/${(await siteGitInstallation(world))['installationId'] ?? ''}`;
    const connected = await admin.patch(ofSite, {
      provider: 'gitlab',
      providerConfiguration: { url: 'https://git.example.com/docs.git', branch: 'refs/heads/main' },
      priority: 'gitbook',
    });
    expect(connected.status).toBe(200);
    await app.current.get(Jobs).drain();
    expect((await admin.delete(ofSite)).status).toBe(204);
    const page = await unlimitedPage(world);
    const verified = await api.put(`/spaces/${page['spaceId'] ?? ''}/verifications/${page['pageId'] ?? ''}`, {
      until: new Date(Date.now() + 3600_000).toISOString(),
    });
    expect(verified.status).toBe(200);
    app.current.setTime(new Date(Date.now() + 2 * 3600_000));
    await app.current.get(Jobs).enqueue('pages.tell-due-verifications', {});
    await app.current.get(Jobs).drain();
    app.current.setTime(undefined);
    await api.delete(inSpace);
    app.current.setTime(new Date(Date.now() + 30 * 24 * 3600 * 1000));
    await app.current.get(ExpiredSpacesJob).remove();
    app.current.setTime(undefined);
    const events = await all();
    expect([...new Set(events.map(({ type }) => type))].sort()).toEqual([...REGISTRY.events.keys()].sort());
    expect([...new Set((await linesOf(events)).map(({ action }) => action))].sort()).toEqual(
      [...REGISTRY.auditActions].sort(),
    );
  });

  it('has the facts of the manifests and no others, and no secret among them', async () => {
    const events = await all();
    expect(events.length).toBeGreaterThan(100);
    expect(events.flatMap(faultsOf)).toEqual([]);
    expect(JSON.stringify(events)).not.toMatch(/bdy_|whsec_|@example\.com|https?:/);
  });

  it('is told by the audit log with names, and with no secret and no whole address either', async () => {
    const lines = await app.current.database.query<{ type: string; label: string | null }>(
      'SELECT target_type AS type, target_label AS label, actor_label, payload FROM audit_event',
    );
    expect(JSON.stringify(lines)).not.toMatch(/bdy_|whsec_|[a-z0-9]@example\.com|https?:\/\/[^"]*\//);
    const nameless = new Set(lines.filter(({ label }) => label === null).map(({ type }) => type));
    expect([...nameless].sort()).toEqual([
      'comment',
      'commentReply',
      'conversation',
      'importRun',
      'inviteLink',
      'issuesCluster',
      'redirect',
      'session',
    ]);
  });
});

describe('the manifests', () => {
  it('are all brought by their modules', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.manifest.ts'),
    );
    expect([...app.current.get(Registry).modules].sort()).toEqual([...REGISTRY.modules].sort());
    expect(REGISTRY.modules).toHaveLength(files.length);
  });

  it('give facts names that the published form does not have already', () => {
    const taken = ['eventId', 'type', 'createdAt', 'organizationId', 'spaceId', 'actorId'];
    const clashes = [...REGISTRY.events].flatMap(([type, { target, facts }]) =>
      Object.keys(facts)
        .filter((name) => [...taken, `${target}Id`].includes(name))
        .map((name) => `${type}.${name}`),
    );
    expect(clashes).toEqual([]);
  });

  it('let no wrong type or payload compile', () => {
    type Accepts<Event> = Event extends NewEvent ? true : false;
    interface At {
      readonly organizationId: string;
      readonly spaceId: string;
      readonly target: string;
    }
    const accepted: readonly [
      Accepts<{ type: 'space_moved'; payload: { parentId: null } } & At>,
      Accepts<{ type: 'space_deleted' } & At>,
    ] = [true, true];
    const refused: readonly [
      Accepts<{ type: 'space_flown' } & At>,
      Accepts<{ type: 'space_moved' } & At>,
      Accepts<{ type: 'space_moved'; payload: { parentId: number } } & At>,
      Accepts<{ type: 'space_deleted'; organizationId: string; target: string }>,
    ] = [false, false, false, false];
    expect([...accepted, ...refused]).toEqual([true, true, false, false, false, false]);
  });

  it('are what the reference says', async () => {
    const page = await readFile('docs/reference/events.md', 'utf8');
    const rows = [...REGISTRY.events].map(([type, { target, about, facts }]) => {
      const names = Object.entries(facts).map(
        ([name, word]) => `\`${name}\`${word.endsWith('?') ? ' (or absent)' : ''}`,
      );
      return `| \`${type}\` | ${about} | \`${target}Id\` | ${names.join(', ')} |`.replace(/ {2}\|$/, ' |');
    });
    expect(
      page
        .split('\n')
        .filter((line) => /^\| `[a-z_]+` \|.*\|.*\|.*\|$/.test(line))
        .sort(),
    ).toEqual(rows.sort());
  });
});
