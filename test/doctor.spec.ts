import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Module } from '@nestjs/common';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Secrets } from '../src/kernel/common/secrets.js';
import {
  HEALTH_CHECKS,
  INVARIANTS,
  type CheckFinding,
  type HealthCheck,
} from '../src/kernel/platform/health-checks/health-checks.points.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { defineModule } from '../src/kernel/platform/manifest/manifest.js';
import { brings } from '../src/kernel/platform/manifest/registry.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { FileStorage } from '../src/kernel/platform/storage/file-storage.js';
import { Doctor, type Diagnosis } from '../src/operations/doctor/doctor.service.js';
import { useApp } from './app.js';
import { buildWorld, type Ids, type World } from './permissions/world.js';

/** A check of a module from elsewhere. */
@Injectable()
class NapCheck implements HealthCheck {
  static problem: Error | undefined;
  readonly group = 'clocks';
  readonly name = 'naps';

  async run(): Promise<CheckFinding[]> {
    if (NapCheck.problem) throw NapCheck.problem;
    return [{ level: 'ok', message: 'Nobody naps' }];
  }
}

const naps = defineModule({
  name: 'naps',
  contributes: [
    HEALTH_CHECKS.with(NapCheck),
    INVARIANTS.with({
      name: 'nap-titles',
      holds: 'no organization is called a nap',
      broken: 'organizations that are called a nap',
      over: { table: 'organization', key: 'id' },
      find: `SELECT o.id, o.title AS example FROM organization o WHERE o.id = ANY ($1) AND o.title = 'Nap'`,
    }),
  ],
});

@Module({ providers: [brings(naps), NapCheck] })
class NapsModule {}

const app = useApp({}, [NapsModule]);
let world: World;
let ids: Ids;

async function examine(mend = false): Promise<Diagnosis[]> {
  const found: Diagnosis[] = [];
  for await (const diagnosis of app.current.get(Doctor).examine({ all: true, mend })) found.push(diagnosis);
  return found;
}

/** The names of the checks that found something. */
const findingsOf = (diagnoses: readonly Diagnosis[], ...levels: readonly CheckFinding['level'][]) =>
  diagnoses.filter(({ level }) => levels.includes(level)).map(({ check }) => check);

/** Breaks rows: at least one. */
async function damage(statement: string): Promise<void> {
  const text = statement.replace(/\{(\w+)\}/g, (_, name: string) => `'${ids[name] ?? ''}'`);
  if ((await app.current.database.execute(text)) === 0) throw new Error(`nothing was damaged: ${text}`);
}

/** Findings about damage that is undone afterwards. */
async function foundOf(statements: readonly string[]): Promise<Diagnosis[]> {
  const undone = new Error('undone');
  let found: Diagnosis[] = [];
  await app.current.database
    .transaction(async () => {
      for (const statement of statements) await damage(statement);
      found = await examine(true);
      throw undone;
    })
    .catch((error: unknown) => expect(error).toBe(undone));
  return found;
}

beforeAll(async () => {
  world = await buildWorld(app.current);
  ids = { ...world.ids, founderId: world.workspace.admin.id };
  const { api } = world.workspace.admin;
  const paragraph = (target: string): object => ({
    object: 'block',
    type: 'paragraph',
    isVoid: false,
    data: {},
    nodes: [
      {
        object: 'inline',
        type: 'link',
        isVoid: false,
        data: { ref: { kind: 'page', page: target } },
        nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'somewhere else', marks: [] }] }],
      },
    ],
  });
  const document = { object: 'document', data: { schemaVersion: 8 }, nodes: [paragraph(ids['pageId'] ?? '')] };
  const { status } = await api.post(`/spaces/${ids['spaceId'] ?? ''}/content`, {
    changes: [
      { operation: 'insert_page', title: 'Links', document: { document } },
      // A link has no address of its own, and so is not found.
      {
        operation: 'insert_page',
        type: 'link',
        title: 'Elsewhere',
        target: { kind: 'url', url: 'https://example.com/' },
      },
      { operation: 'insert_page', title: 'Others', document: { markdown: 'Pottery is thrown and fired.' } },
    ],
  });
  expect(status).toBe(200);
  await app.current.get(OutboxRelay).drain();
  await app.current.get(Jobs).drain();
});

it('finds a whole installation in order', async () => {
  const found = await examine();
  expect(found.filter(({ level }) => level !== 'ok')).toEqual([]);
  expect(found.length).toBeGreaterThanOrEqual(40);
});

it('makes the checks of modules from elsewhere, and tells of one that cannot be made', async () => {
  NapCheck.problem = new Error('it was asleep');
  const found = await foundOf([`UPDATE organization SET title = 'Nap' WHERE id = {organizationId}`]);
  NapCheck.problem = undefined;
  expect(found.filter(({ level }) => level !== 'ok')).toEqual([
    { group: 'clocks', check: 'naps', level: 'fault', message: 'This could not be checked: it was asleep' },
    {
      group: 'invariants',
      check: 'nap-titles',
      level: 'fault',
      message: 'Organizations that are called a nap: 1',
      examples: [`${world.workspace.id} Nap`],
      advice: 'Restore a backup from before',
    },
  ]);
});

const SOME_SPACE = '{spaceId}';
const OTHER = `'AAAAAAAAnobodyhasit0'`;
const NO_HASH = `decode(repeat('00', 32), 'hex')`;

describe('what can be mended', () => {
  it.each([
    [
      'organization-members',
      'UPDATE organization_total SET members = members + 3 WHERE organization_id = {organizationId}',
    ],
    [
      'organization-members',
      'UPDATE organization_member_total SET members = members + 1 WHERE organization_id = {organizationId}',
    ],
    ['organization-members', 'DELETE FROM organization_total WHERE organization_id = {organizationId}'],
    [
      'organization-spaces',
      'UPDATE organization_total SET spaces = spaces - 1 WHERE organization_id = {organizationId}',
    ],
    [
      'collection-spaces',
      'INSERT INTO collection_total AS t VALUES ({collectionId}, 7) ON CONFLICT (collection_id) DO UPDATE SET spaces = t.spaces + 7',
    ],
    ['item-totals', `UPDATE content_total SET count = count + 1 WHERE space_id = ${SOME_SPACE}`],
    ['item-totals', `DELETE FROM content_total WHERE space_id = ${SOME_SPACE} AND kind = 'page'`],
    ['search-index', `DELETE FROM page_current WHERE page_id = {pageId}`],
    ['search-index', `UPDATE page_current SET hash = NULL WHERE space_id = ${SOME_SPACE}`],
    ['search-index', `INSERT INTO page_current VALUES (${SOME_SPACE}, ${OTHER}, NULL, '')`],
    ['search-index', `DELETE FROM section_current WHERE space_id = ${SOME_SPACE}`],
    ['search-index', `INSERT INTO section_current VALUES (${SOME_SPACE}, ${NO_HASH}, {pageId})`],
    ['search-index', `DELETE FROM section_vector WHERE space_id = ${SOME_SPACE}`],
    ['unused-texts', `INSERT INTO section_vector VALUES (${SOME_SPACE}, ${NO_HASH}, '', '')`],
    ['search-words', `DELETE FROM space_vocabulary WHERE space_id = ${SOME_SPACE}`],
    ['links', `DELETE FROM content_link WHERE space_id = ${SOME_SPACE}`],
    ['links', `UPDATE link_target SET links = links + 1 WHERE space_id = ${SOME_SPACE}`],
    ['links', `INSERT INTO content_link VALUES (${SOME_SPACE}, 'page', ${OTHER}, 'key', ARRAY['a'])`],
    ['page-meanings', `DELETE FROM page_embedding_due WHERE space_id = ${SOME_SPACE}`],
    [
      'page-meanings',
      `INSERT INTO page_embedding (space_id, page_id, model, source, hashes, sketches) VALUES (${SOME_SPACE}, ${OTHER}, 'm', '', '{}', '{}')`,
    ],
    ['site-defaults', `UPDATE site SET default_site_space_id = ${OTHER} WHERE id = {siteId}`],
    ['claimed-hostnames', `UPDATE site SET hostname = 'nobody.example.org' WHERE id = {siteId}`],
    [
      'cluster-members',
      'UPDATE issues_cluster SET issues = issues + 1, conversations = 9 WHERE organization_id = {organizationId}',
    ],
    [
      'notification-numbers',
      `WITH inbox AS (INSERT INTO notification_inbox (user_id, sequence) VALUES ({founderId}, 1) ON CONFLICT (user_id) DO UPDATE SET sequence = 1)
        INSERT INTO notification (id, user_id, sequence, event_id, kind, at, space_id, in_app)
        VALUES ('n', {founderId}, 1000, 'e', 'merged', now(), ${SOME_SPACE}, true)`,
    ],
    [
      'background-work',
      `INSERT INTO job_lane (organization_id, job, woken) VALUES ({organizationId}, 'conversations.rebuild', true)
         ON CONFLICT (organization_id, job) DO UPDATE SET woken = true`,
    ],
  ])('is found and mended: %s after %s', async (check, statement) => {
    await damage(statement);
    const found = await examine();
    expect(findingsOf(found, 'warning', 'fault')).toContain(check);
    expect(findingsOf(found, 'mended')).toEqual([]);
    const mended = await examine(true);
    expect(findingsOf(mended, 'mended')).toContain(check);
    expect(mended.filter(({ level }) => level === 'warning' || level === 'fault')).toEqual([]);
    await app.current.get(Jobs).drain();
  });

  it('are rows of spaces that are gone, which stay', async () => {
    await damage(`INSERT INTO content_total VALUES (${OTHER}, '', 'page', 1)`);
    expect(findingsOf(await examine(true), 'fault')).toEqual(['orphaned-rows']);
    await damage(`DELETE FROM content_total WHERE space_id = ${OTHER}`);
  });

  it('are hostnames that two sites have, which stay', async () => {
    const { api } = world.workspace.admin;
    const other = await api.post<{ id: string }>(`/orgs/${world.workspace.id}/sites`, { title: 'Another' });
    await damage(`UPDATE site SET hostname = 'two.example.org' WHERE id = {siteId}`);
    await damage(`INSERT INTO custom_hostname (hostname, organization_id, site_id, claimed_at)
      SELECT 'two.example.org', organization_id, id, now() FROM site WHERE id = '${other.body.id}'`);
    expect(findingsOf(await examine(true), 'fault')).toEqual(['hostnames-of-others']);
    await damage(`DELETE FROM custom_hostname WHERE hostname = 'two.example.org'`);
    await api.delete(`/orgs/${world.workspace.id}/sites/${other.body.id}`);
    await damage('UPDATE site SET hostname = NULL WHERE id = {siteId}');
  });

  it('is right although others write meanwhile', async () => {
    await damage('UPDATE organization_total SET members = 0, spaces = 0 WHERE organization_id = {organizationId}');
    await damage(`UPDATE content_total SET count = 0 WHERE space_id = ${SOME_SPACE}`);
    const { api } = world.workspace.admin;
    const write = (at: number) => [
      world.workspace.member('read'),
      api.post(`/orgs/${world.workspace.id}/spaces`, { title: `Meanwhile ${at}`, empty: true }),
      api.post(`/spaces/${ids['spaceId'] ?? ''}/content`, {
        changes: [{ operation: 'insert_page', title: `Meanwhile ${at}`, document: { markdown: 'Written meanwhile.' } }],
      }),
    ];
    await Promise.all([...Array.from({ length: 10 }, (_, at) => write(at)).flat(), examine(true), examine(true)]);
  });

  it('is in order afterwards', async () => {
    expect((await examine()).filter(({ level }) => level !== 'ok')).toEqual([]);
  });

  it('is what is found by the search again', async () => {
    const search = async (): Promise<number> =>
      (
        await world.workspace.admin.api.get<{ items: unknown[] }>(`/spaces/${ids['spaceId'] ?? ''}/search`, {
          query: { query: 'pottery' },
        })
      ).body.items.length;
    expect(await search()).toBe(1);
    await damage(`DELETE FROM section_vector WHERE space_id = ${SOME_SPACE}`);
    await damage(`DELETE FROM page_current WHERE space_id = ${SOME_SPACE}`);
    await examine(true);
    expect(await search()).toBe(1);
  });

  it('are pages of specifications that no job knows', async () => {
    await damage(`UPDATE content_item SET props = props || '{"computed": {}}' WHERE line = '' AND id = {pageId}`);
    await damage(`DELETE FROM computed_index WHERE space_id = ${SOME_SPACE}`);
    expect(findingsOf(await examine(), 'fault')).toContain('computed-pages');
    expect(findingsOf(await examine(true), 'mended')).toContain('computed-pages');
    await damage(`UPDATE content_item SET props = props - 'computed' WHERE line = '' AND id = {pageId}`);
    await app.current.get(Jobs).drain();
  });

  it('are jobs of servers that died', async () => {
    await app.current.get(Jobs).enqueue('hostnames.check', { hostname: 'nobody.example.org' });
    await damage(
      `UPDATE jobs.job SET state = 'active', started_on = now() - interval '1 hour' WHERE name = 'hostnames.check' AND state = 'created'`,
    );
    expect(findingsOf(await examine(), 'warning')).toEqual(['background-work']);
    expect(findingsOf(await examine(true), 'mended')).toEqual(['background-work']);
    await app.current.get(Jobs).drain();
    expect(findingsOf(await examine(), 'warning', 'fault')).toEqual([]);
  });

  it('are files that no row names', async () => {
    const { hash } = await app.current.nest
      .get(FileStorage, { strict: false })
      .put(Buffer.from('bytes that nobody names'));
    // An upload of these days may still be referred to.
    expect(findingsOf(await examine(), 'warning')).toEqual([]);
    const path = join(app.current.config.filesDir, 'sha256', hash.slice(0, 2), hash.slice(2, 4), hash);
    const long = new Date(Date.now() - 3 * 86_400_000);
    await utimes(path, long, long);
    expect(findingsOf(await examine(), 'warning')).toEqual(['files']);
    expect(findingsOf(await examine(true), 'mended')).toEqual(['files']);
    expect(findingsOf(await examine(), 'warning', 'fault')).toEqual([]);
  });
});

describe('what cannot be mended without a loss', () => {
  const twoPages = `SELECT id FROM content_item WHERE space_id = ${SOME_SPACE} AND line = '' AND kind = 'page' ORDER BY id LIMIT 2`;

  it.each([
    ['space-heads', `UPDATE space SET sequence = sequence + 1 WHERE id = ${SOME_SPACE}`],
    ['revision-chains', `UPDATE revision SET parents = '{}' WHERE space_id = ${SOME_SPACE} AND sequence > 0`],
    ['former-items', `UPDATE content_undo SET sequence = sequence + 1000 WHERE space_id = ${SOME_SPACE}`],
    ['documents-of-items', `UPDATE content_item SET hash = ${NO_HASH} WHERE line = '' AND id = {pageId}`],
    [
      'documents-of-items',
      `DELETE FROM document d USING content_item i WHERE i.space_id = d.space_id AND i.hash = d.hash AND i.id = {pageId}`,
    ],
    ['bytes-of-files', `UPDATE content_item SET hash = ${NO_HASH} WHERE kind = 'file' AND line = ''`],
    ['page-trees', `UPDATE content_item SET parent_id = ${OTHER} WHERE line = '' AND id = {pageId}`],
    ['page-trees', `UPDATE content_item SET parent_id = id WHERE line = '' AND id = {pageId}`],
    [
      'slugs-of-siblings',
      `UPDATE content_item SET slug = 'same', parent_id = '' WHERE line = '' AND id IN (${twoPages})`,
    ],
    ['collection-tree', 'UPDATE collection SET parent_id = id WHERE id = {collectionId}'],
    [
      'request-heads',
      `UPDATE change_request SET sequence = sequence + 1 WHERE id = (SELECT line FROM revision WHERE line <> '' LIMIT 1)`,
    ],
    ['request-revisions', `UPDATE content_item SET line = ${OTHER} WHERE line <> ''`],
    ['merges', `UPDATE change_request SET status = 'merged' WHERE id = {changeRequestId}`],
    [
      'request-numbers',
      `UPDATE space SET change_request_number = 0 WHERE id = (SELECT space_id FROM change_request WHERE id = {changeRequestId})`,
    ],
    ['section-groups', 'UPDATE site_section_group SET parent_id = id WHERE id = {siteSectionGroupId}'],
    ['files', 'UPDATE blob SET size = size + 1, unreferenced_since = NULL'],
    [
      'files',
      `UPDATE blob SET hash = ${NO_HASH}, unreferenced_since = NULL
        WHERE hash = (SELECT hash FROM content_item WHERE kind = 'file' AND hash IS NOT NULL LIMIT 1)`,
    ],
    ['webhook-deliveries', `UPDATE webhook_delivery SET status = 'pending', due_at = now() - interval '1 hour'`],
    [
      'letters',
      'INSERT INTO notification_inbox (user_id, sequence, mail_failures) VALUES ({founderId}, 9999, 5) ON CONFLICT (user_id) DO UPDATE SET mail_failures = 5',
    ],
    ['disabled-webhooks', 'UPDATE webhook SET disabled_at = now(), active = false'],
    ['clocks', `INSERT INTO event (id, type, target, at) VALUES ('z', 'team_created', 'z', now() + interval '1 day')`],
  ])('is found and left as it is: %s after %s', async (check, statement) => {
    const found = await foundOf([statement]);
    expect(findingsOf(found, 'warning', 'fault')).toContain(check);
    const [finding] = found.filter((each) => each.check === check && each.level !== 'ok');
    expect(finding?.advice ?? '').not.toMatch(/--mend/);
    expect(finding?.message).toMatch(/\d|reached|clock/);
  });

  it('are events and jobs that are overdue, or of a consumer that is unknown', async () => {
    const found = await foundOf([
      `INSERT INTO event_consumer VALUES ('of-a-module', now())`,
      `INSERT INTO event_claim (consumer, event_id, due_at, dead) SELECT c.name, e.id, now() - interval '1 hour', c.name = 'of-a-module'
         FROM event_consumer c CROSS JOIN (SELECT id FROM event ORDER BY id DESC LIMIT 1) e
           ON CONFLICT (consumer, event_id) DO UPDATE SET due_at = excluded.due_at`,
      `INSERT INTO event_claim (consumer, event_id, due_at) SELECT 'of-a-module', id, now() - interval '1 hour' FROM event ORDER BY id LIMIT 1`,
      `INSERT INTO schedule_tick VALUES ('files.remove-unreferenced', now() - interval '30 days')
         ON CONFLICT (name) DO UPDATE SET ticked_at = excluded.ticked_at`,
    ]);
    const messages = found.filter(({ check }) => check === 'background-work').map(({ message }) => message);
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Scheduled jobs that were missed: \d+$/),
        'Events that of-a-module could not deal with: 1',
        'Events that wait for of-a-module, which no module of this configuration has: 1',
        expect.stringMatching(/^Events that wait for \w+.* for more than 10 minutes: 1$/),
      ]),
    );
  });

  it('are secrets that no key opens, of which nothing is told', async () => {
    const lost = new Secrets(['a-key-that-is-lost-for-good-and-ever']).encrypt('hush-hush-hush').toString('hex');
    await damage(`UPDATE identity_provider SET client_secret = decode('${lost}', 'hex') WHERE protocol = 'oidc'`);
    const found = await examine(true);
    expect(findingsOf(found, 'fault')).toEqual(['keys']);
    expect(JSON.stringify(found)).not.toContain('hush-hush');
  });
});
