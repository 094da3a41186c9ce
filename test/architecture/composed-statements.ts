import { jest } from '@jest/globals';
import { QueryMeanings } from '../../src/authoring/search/query-meanings.js';
import { OidcLogins } from '../../src/identity/sso/oidc-logins.service.js';
import { Access } from '../../src/kernel/access/access.service.js';
import { newId } from '../../src/kernel/common/ids.js';
import { Secrets } from '../../src/kernel/common/secrets.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { SealedValues } from '../../src/kernel/platform/keys/sealed-values.js';
import { Backfill } from '../../src/kernel/platform/migrations/backfill.entity.js';
import { Backfills } from '../../src/kernel/platform/migrations/backfills.js';
import { ServerProcesses } from '../../src/kernel/platform/migrations/server-processes.js';
import { Blobs } from '../../src/kernel/platform/storage/blobs.js';
import { Doctor } from '../../src/operations/doctor/doctor.service.js';
import { ExpiredSpacesJob } from '../../src/workspace/spaces/expired-spaces.job.js';
import type { TestApp } from '../app.js';
import { ROWS } from '../permissions/rows.js';
import { buildWorld, type Ids, type World } from '../permissions/world.js';

const AFTER_TRASH_MS = 30 * 24 * 3600 * 1000;
const LOST_KEY = 'a-key-that-is-lost-for-good-and-ever';

/**
 * Sends the statements whose texts are composed while the program runs: calls every operation as an administrator, and
 * does the maintenance that no operation begins.
 */
export async function sendComposedStatements(app: TestApp): Promise<void> {
  const world = await buildWorld(app);
  const person = await world.workspace.member('admin');
  await writeBrokenLink(world);
  const meanings = jest.spyOn(app.get(QueryMeanings), 'of').mockResolvedValue({ model: 'of a test', sketch: '0110' });
  await callAll({ ...world, person, ids: { ...world.ids, adminId: person.id } }).finally(() => meanings.mockRestore());
  // No identity provider answers; it is read before.
  await app
    .get(OidcLogins)
    .begin(world.ids['oidcProviderId'] ?? '', Buffer.alloc(16), undefined)
    .catch(() => undefined);
  // The calls use tokens of their own; one that acts for another token looks for that by its id.
  await app.get(Access).tokenById(newId());
  await app.get(Jobs).drain();
  await app.get(Blobs).removeUnreferenced();
  const sealed = app.get(SealedValues);
  await sealed.counts();
  await loseSecret(app);
  const decrypt = jest.spyOn(app.get(Secrets), 'tryDecrypt').mockReturnValue('secret of a client');
  await sealed.reseal().finally(() => decrypt.mockRestore());
  await loseSecret(app);
  await sealed.discardUnreadable();
  await mendWhatIsBroken(app);
  await app.get(ServerProcesses).start();
  await changeRowsInBatches(app);
  await world.person.api.delete(`/spaces/${world.ids['spaceId'] ?? ''}`);
  app.setTime(new Date(Date.now() + AFTER_TRASH_MS));
  await app.get(ExpiredSpacesJob).remove();
  app.setTime(undefined);
}

async function callAll(world: World): Promise<void> {
  for (const [operation, row] of Object.entries(ROWS)) {
    const ids: Ids = { ...world.ids, ...(await row.prepare?.(world)) };
    const [method = '', template = ''] = operation.split(' ');
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
    const body = typeof row.body === 'function' ? (row.body as (ids: Ids) => object)(ids) : row.body;
    const query = typeof row.query === 'function' ? row.query(ids) : row.query;
    await world.person.api.send(method, path, body, {
      ...(query && { query }),
      ...(row.raw && { raw: row.raw.bytes, headers: { 'Content-Type': row.raw.type } }),
    });
  }
}

async function writeBrokenLink({ workspace, ids }: World): Promise<void> {
  const link = {
    object: 'inline',
    type: 'link',
    isVoid: false,
    data: { ref: { kind: 'page', page: newId() } },
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'there', marks: [] }] }],
  };
  const paragraph = { object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: [link] };
  const document = { object: 'document', data: { schemaVersion: 8 }, nodes: [paragraph] };
  await workspace.admin.api.post(`/spaces/${ids['spaceId'] ?? ''}/content`, {
    changes: [{ operation: 'insert_page', title: 'Broken', document: { document } }],
  });
}

/** Breaks some of what the doctor mends, and has it mended. */
async function mendWhatIsBroken(app: TestApp): Promise<void> {
  await app.database.execute('UPDATE organization_total SET members = members + 1');
  for await (const { level, message } of app.get(Doctor).examine({ all: true, mend: true }))
    if (level === 'fault') throw new Error(message);
}

/** Runs the background part of a migration: two batches of one row, and one that finds no more. */
async function changeRowsInBatches(app: TestApp): Promise<void> {
  await app.database.of(Backfill).insert({
    history: 'migration',
    migration: 'OfATest',
    migrationTime: '1',
    table: 'organization_total',
    key: ['organization_id'],
    rows: 1,
    statement:
      'UPDATE organization_total t SET spaces = t.spaces FROM batch b WHERE t.organization_id = b.organization_id',
    expectedRows: '1',
    begunAt: new Date(),
  });
  if (!(await app.get(Backfills).finish())) throw new Error('a batch failed');
  await app.database.of(Backfill).delete({ migration: 'OfATest' });
}

/** Seals the client secret of a provider with a second key. */
async function loseSecret(app: TestApp): Promise<void> {
  await app.database.execute('UPDATE identity_provider SET client_secret = $1 WHERE protocol = $2', [
    new Secrets([LOST_KEY]).encrypt('secret of a client'),
    'oidc',
  ]);
}
