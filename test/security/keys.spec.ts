import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sealedKeyId, Secrets, UnreadableSecret } from '../../src/kernel/common/secrets.js';
import { KeyStates } from '../../src/kernel/platform/keys/key-states.js';
import { SealedValues } from '../../src/kernel/platform/keys/sealed-values.js';
import { Outbox } from '../../src/kernel/platform/outbox.js';
import { Registry } from '../../src/kernel/platform/manifest/registry.js';
import { FileUrls } from '../../src/kernel/platform/storage/file-urls.js';
import { VisitorTokens } from '../../src/publishing/published-sites/visitor-tokens.js';
import { TestApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';
import { Client } from '../client.js';
import { pause, Stage } from '../faults/processes.js';
import { buildSpace, publish } from '../published-site.js';

const OLD = 'old-key-old-key-old-key-old-key-old-key';
const NEW = 'new-key-new-key-new-key-new-key-new-key';
const OTHER = 'another-key-another-key-another-key-another';
const [OLD_ID = '', NEW_ID = '', OTHER_ID = ''] = new Secrets([OLD, NEW, OTHER]).keyIds;
const MINUTE = 60_000;

/** As if every server had said nothing for four minutes. */
const silence = (app: TestApp) =>
  app.database.execute(`UPDATE sealing_key SET current_at = current_at - interval '4 minutes'`);

/** As values were sealed before keys had ids: iv, tag, ciphertext. */
function sealedBefore(key: string, plain: string): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(hkdfSync('sha256', key, 'bindery', 'encryption', 32)), iv);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

describe('signatures', () => {
  it('hold in one text only, though base64url has several for the same bytes', () => {
    const secrets = new Secrets([NEW, OLD]);
    const signature = new Secrets([OLD]).sign('unsubscribe', 'person');
    expect(secrets.verify('unsubscribe', 'person', signature)).toBe(true);
    const accepted = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_='].filter((last) =>
      secrets.verify('unsubscribe', 'person', signature.slice(0, -1) + last),
    );
    expect(accepted).toEqual([signature.at(-1)]);
    expect(secrets.verify('unsubscribe', 'person', `${signature}=`)).toBe(false);
    expect(secrets.verify('unsubscribe', 'other', signature)).toBe(false);
  });
});

describe('sealed values', () => {
  it('name their key, and are opened by every configured one', () => {
    const old = new Secrets([OLD]);
    const both = new Secrets([NEW, OLD]);
    const sealed = old.encrypt('Grüße');
    expect(sealedKeyId(sealed)).toBe(OLD_ID);
    expect(sealedKeyId(both.encrypt(''))).toBe(NEW_ID);
    expect([old, both].map((secrets) => secrets.decrypt(sealed))).toEqual(['Grüße', 'Grüße']);
    expect(both.decrypt(both.encrypt(''))).toBe('');
    expect(() => new Secrets([NEW]).decrypt(sealed)).toThrow(UnreadableSecret);
    expect(() => new Secrets([NEW]).decrypt(sealed)).toThrow(OLD_ID);
    expect(sealed.includes(OLD)).toBe(false);
  });

  it('from before keys had ids are opened by trying all keys', () => {
    const sealed = sealedBefore(OLD, 'a secret');
    expect(sealedKeyId(sealed)).toBe('');
    expect(new Secrets([NEW, OLD]).decrypt(sealed)).toBe('a secret');
    // By chance it may begin as if it named its key.
    expect(() => new Secrets([NEW]).decrypt(sealed)).toThrow(UnreadableSecret);
  });

  it('do not open with any bit changed, or cut', () => {
    const secrets = new Secrets([NEW, OLD]);
    const sealed = secrets.encrypt('secret');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => secrets.decrypt(changed)).toThrow(UnreadableSecret);
      expect(() => secrets.decrypt(sealed.subarray(0, at))).toThrow(UnreadableSecret);
    }
  });
});

/** Everything that is shown of the secrets of a workspace. */
interface Shown {
  readonly shareLinks: unknown;
  readonly auth: unknown;
  readonly links: unknown;
  readonly invitations: unknown;
}

describe('a new key', () => {
  let before: TestApp;
  let after: TestApp;
  let workspace: Workspace;
  let site: string;
  let hook: string;
  let spaceId: string;

  /** Without the addresses of the servers. */
  const shownBy = async (app: TestApp): Promise<Shown> => {
    const api = new Client(app.url, workspace.admin.api.token);
    const bodies = await Promise.all(
      [
        `${site}/share-links`,
        `${site}/publishing/auth`,
        `/orgs/${workspace.id}/link-invites`,
        `/orgs/${workspace.id}/invites`,
      ].map(async (path) => (await api.get(path)).body),
    );
    const [shareLinks, auth, links, invitations] = JSON.parse(
      JSON.stringify(bodies).replaceAll(/http:\/\/(localhost|127\.0\.0\.1):\d+/g, ''),
    ) as unknown[];
    return { shareLinks, auth, links, invitations };
  };
  const counted = async (app: TestApp): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const { key, count } of await app.get(SealedValues).counts()) counts[key] = (counts[key] ?? 0) + count;
    return counts;
  };

  beforeAll(async () => {
    before = await TestApp.start({ SECRET_KEY: OLD });
    after = await TestApp.start({ SECRET_KEY: `${NEW},${OLD}` }, before.databaseUrl);
    workspace = await buildOrganization(before);
    const { api } = workspace.admin;
    const space = await buildSpace(workspace, 'Guide');
    spaceId = space.id;
    site = (await publish(workspace, [space], 'share-link')).path;
    for (const name of ['Auditors', 'Partners']) await api.post(`${site}/share-links`, { name });
    await api.get(`${site}/publishing/auth`);
    hook = `/orgs/${workspace.id}/webhooks/${(await api.post<{ id: string }>(`/orgs/${workspace.id}/webhooks`, { url: 'https://hooks.example.com/', events: ['space_updated'] })).body.id}`;
    expect((await api.post(`${hook}/rotate-secret`, {})).status).toBe(200);
    const target = { type: 'space', spaceId: space.id };
    const { body: installed } = await api.post<{ id: string }>('/git/installations', { provider: 'git', target });
    const setup = { provider: 'git', providerConfiguration: { accessToken: 'a token' } };
    expect((await api.patch(`/git/installations/${installed.id}`, setup)).status).toBe(200);
    expect((await api.post(`/orgs/${workspace.id}/link-invites`, { level: 'read', space: space.id })).status).toBe(201);
    expect(
      (await api.post(`/orgs/${workspace.id}/invites`, { emails: ['grace@example.org'], role: 'edit' })).status,
    ).toBe(200);
    await before.database.execute(
      `INSERT INTO identity_provider (id, organization_id, label, protocol, issuer, client_id, client_secret, scopes, email_domains, created_at) VALUES ('Provider1', $1, 'Identity', 'oidc', 'https://id.example.com', 'bindery', $2, 'openid', '', now())`,
      [workspace.id, before.get(Secrets).encrypt('secret of a client')],
    );
    await before.database.execute(
      `INSERT INTO import_run (id, space_id, status, source, secret, created_by, created_at) VALUES ('Run1', $1, 'cancelled', '{}', $2, $3, now())`,
      [space.id, sealedBefore(OLD, 'token of a repository'), workspace.admin.id],
    );
  });
  afterAll(async () => {
    await after.close();
    await before.close();
  });

  it('finds every column with sealed values in the catalogue, and this world has one in each', async () => {
    const columns = await after.get(SealedValues).columns();
    expect(columns.map(({ table, column }) => `${table}.${column}`)).toEqual(
      expect.arrayContaining([
        'git_installation.credentials',
        'git_installation.deploy_secret',
        'git_installation.hook_secret',
        'identity_provider.client_secret',
        'import_run.secret',
        'invitation.sealed',
        'invite_link.sealed',
        'site_publishing_auth.key_sealed',
        'site_share_link.key_sealed',
        'webhook.previous_secret',
        'webhook.secret',
      ]),
    );
    expect(columns.filter(({ nullable }) => nullable).map(({ column }) => column)).toEqual([
      'credentials',
      'deploy_secret',
      'client_secret',
      'secret',
      'previous_secret',
    ]);
    const filled = new Set((await after.get(SealedValues).counts()).map(({ table }) => table));
    expect([...filled]).toEqual([...new Set(columns.map(({ table }) => table))]);
    expect(await counted(after)).toMatchObject({ '': 1, [OLD_ID]: expect.any(Number) });
  });

  it('reads what the old one sealed and signed, and waits with sealing anew until no server has the old one in front', async () => {
    await before.get(KeyStates).start();
    await after.get(KeyStates).start();
    expect(await shownBy(after)).toEqual(await shownBy(before));

    const api = new Client(after.url, workspace.admin.api.token);
    const first = await workspace.admin.api.get<{ next: { page: string } }>(`${site}/share-links`, {
      query: { limit: 1 },
    });
    const second = await api.get<{ items: { name: string }[] }>(`${site}/share-links`, {
      query: { limit: 1, page: first.body.next.page },
    });
    expect([second.status, second.body.items.map(({ name }) => name)]).toEqual([200, ['Auditors']]);
    const address = new URL(before.get(FileUrls).sign({ id: 'File1', name: 'a.txt', hash: 'a'.repeat(64) }));
    expect(after.get(FileUrls).verify('File1', address.searchParams)).toMatchObject({ id: 'File1' });
    const token = await before.get(VisitorTokens).sign('reader', { site: 'S' }, Math.floor(Date.now() / 1000) + 60);
    expect((await after.get(VisitorTokens).readOwn('reader', token))?.claims).toMatchObject({ site: 'S' });

    // Only what has no key id at all; the other server still seals with the old key.
    expect(await after.get(KeyStates).tend()).toBe(1);
    expect(await counted(after)).toMatchObject({ [OLD_ID]: expect.any(Number), [NEW_ID]: 1 });
    expect(await after.get(KeyStates).tend()).toBe(0);
  });

  it('gets everything once the old one is silent, while secrets are changed, and says when the old one can go', async () => {
    const shown = await shownBy(after);
    const api = new Client(after.url, workspace.admin.api.token);
    const begin = Date.now();
    await silence(after);
    const [tended, rotated, resealed] = await Promise.all([
      after.get(KeyStates).tend(),
      api.post<{ secret: string }>(`${hook}/rotate-secret`, {}),
      after.get(SealedValues).reseal(),
    ]);
    expect(tended + resealed).toBeGreaterThan(3);
    await after.get(KeyStates).tend();
    expect(Object.keys(await counted(after))).toEqual([NEW_ID]);
    expect(await shownBy(after)).toEqual(shown);
    const stored = await after.database.one<{ secret: Buffer }>(
      'SELECT secret FROM webhook WHERE organization_id = $1',
      [workspace.id],
    );
    expect(after.get(Secrets).decrypt(stored?.secret ?? Buffer.alloc(0))).toBe(rotated.body.secret);

    const states = await after.get(KeyStates).list();
    expect(states).toMatchObject([
      { id: NEW_ID, place: 'first', freeFrom: undefined },
      { id: OLD_ID, place: 'further', values: 0 },
    ]);
    const hours = ((states[1]?.freeFrom?.getTime() ?? 0) - begin) / (60 * MINUTE);
    expect(hours).toBeGreaterThan(25);
    expect(hours).toBeLessThan(27);
  });

  it('is refused without the old one while anything needs that, by name and number', async () => {
    const strange = await TestApp.start({ SECRET_KEY: OTHER }, before.databaseUrl);
    try {
      await expect(strange.get(KeyStates).requireReadable()).rejects.toThrow(
        new RegExp(
          `SECRET_KEY lacks a key[^]*1 in invitation, sealed with the key ${NEW_ID}[^]*2 in webhook[^]*bindery keys discard`,
        ),
      );
      expect(await strange.get(KeyStates).list()).toEqual(
        expect.arrayContaining([expect.objectContaining({ id: NEW_ID, place: 'missing' })]),
      );
      await expect(after.get(KeyStates).requireReadable()).resolves.toBeUndefined();
      // Started nevertheless, as where another server was given a new key first, it says so and breaks nothing.
      const denied = await fetch(`${strange.url}/v1${site}/share-links`, {
        headers: { Authorization: `Bearer ${workspace.admin.api.token ?? ''}` },
      });
      expect([denied.status, await denied.json()]).toEqual([
        503,
        { error: { code: 503, message: 'This server lacks a key that another one uses' } },
      ]);
      // An answer that was kept for a repeat is told not to be there, whatever the reason.
      const api = new Client(after.url, workspace.admin.api.token);
      const headers = { 'Idempotency-Key': 'once' };
      expect(
        (await api.post(`/orgs/${workspace.id}/link-invites`, { level: 'comment', space: spaceId }, { headers }))
          .status,
      ).toBe(201);
      const repeated = await new Client(strange.url, api.token).post<{ error: { message: string } }>(
        `/orgs/${workspace.id}/link-invites`,
        { level: 'comment', space: spaceId },
        { headers },
      );
      expect([repeated.status, repeated.body.error.message]).toEqual([
        409,
        expect.stringContaining('cannot be shown again'),
      ]);

      const held = (await strange.get(SealedValues).counts()).flatMap(({ table, count }) =>
        Array.from({ length: count }, () => table),
      );
      expect(await strange.get(SealedValues).discardUnreadable()).toBeGreaterThan(5);
      await expect(strange.get(KeyStates).requireReadable()).resolves.toBeUndefined();
      const { body: told } = await api.get<{
        items: { actor: { type: string }; target: object; payload: { table: string; ids: string[] } }[];
      }>(`/orgs/${workspace.id}/audit-events`, { query: { action: 'secrets_discarded' } });
      expect(told.items.flatMap(({ payload: { table, ids } }) => ids.map(() => table)).sort()).toEqual(held);
      expect(told.items[0]).toMatchObject({ target: { type: 'organization', id: workspace.id } });
      expect(await strange.database.one(`SELECT status, secret FROM import_run WHERE id = 'Run1'`)).toEqual({
        status: 'cancelled',
        secret: null,
      });
    } finally {
      await strange.close();
    }
  });
});

describe('the command', () => {
  const ROWS = 4000;
  let app: TestApp;
  let stage: Stage;
  let organization: string;

  beforeAll(async () => {
    app = await TestApp.start({ SECRET_KEY: OLD });
    stage = await Stage.open();
    const { id, admin } = await buildOrganization(app);
    organization = id;
    const rows = Array.from({ length: ROWS }, (_, index) => ({
      id: `I${String(index).padStart(6, '0')}`,
      sealed: app.get(Secrets).encrypt(`secret ${index}`),
    }));
    await app.database.execute(
      `INSERT INTO invitation (id, organization_id, email, role, mailed, hash, sealed, created_by, created_at, expires_at)
       SELECT n.id, $1, n.id || '@example.org', 'read', false, n.id::bytea, n.sealed, $2, now(), now() FROM unnest($3::text[], $4::bytea[]) AS n (id, sealed)`,
      [id, admin.id, rows.map((row) => row.id), rows.map((row) => row.sealed)],
    );
  });
  afterAll(async () => {
    await stage.close();
    await app.close();
  });

  const env = () => ({ DATABASE_URL: app.databaseUrl, SECRET_KEY: `${NEW},${OLD}` });
  const stored = () =>
    app.database.query<{ id: string; sealed: Buffer }>(
      'SELECT id, sealed FROM invitation WHERE organization_id = $1 ORDER BY id',
      [organization],
    );
  const renewed = async () => (await stored()).filter(({ sealed }) => sealedKeyId(sealed) === NEW_ID).length;

  it('loses nothing when it is killed in the middle, and is done by two at once afterwards', async () => {
    const both = new Secrets([NEW, OLD]);
    await app.database.transaction(async () => {
      // One of the last is held, so that there is a middle however fast the machine is.
      await app.database.query('SELECT FROM invitation WHERE id = $1 FOR UPDATE', [
        `I${String(ROWS - 10).padStart(6, '0')}`,
      ]);
      const killed = stage.run(['keys', 'reseal'], { env: env() });
      while ((await renewed()) === 0 && !killed.over) await pause(1);
      await killed.kill('SIGKILL');
    });
    const half = await renewed();
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(ROWS);
    expect((await stored()).map(({ sealed }) => both.decrypt(sealed))).toEqual(
      Array.from({ length: ROWS }, (_, index) => `secret ${index}`),
    );

    const endings = await Promise.all([0, 1].map(() => stage.finish(['keys', 'reseal', '--json'], { env: env() })));
    expect(endings.map(({ code }) => code)).toEqual([0, 0]);
    const numbers = endings.map(({ stdout }) => (JSON.parse(stdout) as { resealed: number }).resealed);
    expect(endings.map(({ stdout }) => JSON.parse(stdout) as unknown)).toEqual(
      numbers.map((resealed) => ({ resealed, unreadable: [] })),
    );
    expect(numbers.reduce((sum, each) => sum + each, half)).toBe(ROWS);
    expect((await stored()).map(({ sealed }) => new Secrets([NEW]).decrypt(sealed))).toEqual(
      Array.from({ length: ROWS }, (_, index) => `secret ${index}`),
    );
    process.stdout.write(
      `keys: killed after ${half} of ${ROWS} secrets, nothing lost; two at once did ${numbers.join(' and ')}\n`,
    );
  }, 120_000);

  it('tells the state of all keys, and a server without the needed one does not start', async () => {
    const [refused, status, beginning] = await Promise.all([
      stage.finish(['serve'], { env: { DATABASE_URL: app.databaseUrl, SECRET_KEY: OTHER } }),
      stage.finish(['keys', 'status', '--json'], {
        env: { DATABASE_URL: app.databaseUrl, SECRET_KEY: `${NEW},${OLD}` },
      }),
      stage.finish(['keys', 'status'], { env: { DATABASE_URL: app.databaseUrl, SECRET_KEY: `${OTHER},${OLD}` } }),
    ]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`${ROWS} in invitation, sealed with the key ${NEW_ID}`);
    expect(refused.stderr).not.toMatch(/\n\s+at /);
    expect(JSON.parse(status.stdout)).toMatchObject({
      keys: [
        { id: NEW_ID, place: 'first', values: ROWS, verdict: 'encrypts and signs' },
        { id: OLD_ID, values: 0, verdict: expect.stringMatching(/^needed until .+, for what it signed$/) },
      ],
    });
    // Nobody has used the new one yet, and to look at keys is no use of theirs.
    const rows = beginning.stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(rows).toEqual(
      expect.arrayContaining([
        [OTHER_ID, 'first', '0', '-', 'encrypts and signs'],
        [NEW_ID, 'missing', String(ROWS), expect.stringMatching(/Z$/), 'needed, but not configured'],
      ]),
    );
    expect(`${refused.stderr}${status.stdout}${status.stderr}${beginning.stdout}`).not.toMatch(
      /new-key|old-key|another-key/,
    );
  }, 120_000);

  it('leaves nothing behind that it sealed with a first key that no server has', async () => {
    await app.database.execute('DELETE FROM invitation WHERE organization_id = $1 AND id > $2', [
      organization,
      'I000009',
    ]);
    const env = { DATABASE_URL: app.databaseUrl, SECRET_KEY: `${OTHER},${NEW}` };
    // A value that no key opens any more, and one from before keys had ids.
    await app.database.execute(
      `UPDATE invitation SET sealed = CASE id WHEN 'I000000' THEN set_byte(sealed, 30, get_byte(sealed, 30) # 1) ELSE $2 END WHERE organization_id = $1 AND id <= 'I000001'`,
      [organization, sealedBefore(NEW, 'secret 1')],
    );
    const ended = await stage.finish(['keys', 'reseal'], { env });
    expect(ended).toMatchObject({
      code: 0,
      stdout: `Encrypted 9 stored secrets with the first key.\nThese stay unchanged, because no key of SECRET_KEY opens them:\n  1 in invitation, sealed with the key ${NEW_ID}\n`,
    });
    const statesWith = (...keys: string[]) => {
      const secrets = new Secrets(keys);
      return new KeyStates(
        app.database,
        secrets,
        new SealedValues(app.database, secrets, app.get(Outbox), app.get(Registry)),
      );
    };
    expect(await statesWith(OTHER, NEW).list()).toMatchObject([
      { id: OTHER_ID, values: 9, unreadable: 0 },
      { id: NEW_ID, values: 1, unreadable: 1 },
    ]);
    await app.database.execute('DELETE FROM invitation WHERE organization_id = $1 AND id = $2', [
      organization,
      'I000000',
    ]);
    const states = statesWith(NEW, OTHER);
    expect(await states.tend()).toBe(0);
    await silence(app);
    expect(await states.tend()).toBe(9);
    expect(await renewed()).toBe(9);
  }, 120_000);
});
