import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { SiteSyncer } from '../src/operations/git-sync/sites/site-syncer.service.js';
import { Tokens } from '../src/identity/users/tokens.service.js';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';
import { Client } from './client.js';
import { describeWithGit } from './git-http-backend.js';
import { MailServer } from './mail-server.js';
import { inbox } from './notification-desk.js';
import { FILES, SITE, useSites, type SitePair } from './site-world.js';

const app = useApp({ NOTIFICATION_MAIL_DELAY: '0' });

describeWithGit('a site that cannot be kept equal with its repository', () => {
  const sites = useSites(app);
  let mail: MailServer;

  beforeAll(async () => {
    mail = await MailServer.start();
    Reflect.set(app.current.config, 'smtpUrl', mail.url);
    Reflect.set(app.current.config, 'mailFrom', 'Documentation <docs@example.com>');
  });
  afterAll(() => mail.stop());

  /** Pushes a file that nobody can read as one that describes a site, and lets the service find it. */
  async function fail(pair: SitePair): Promise<void> {
    await pair.push({ 'docs.yaml': 'site:\n  structure: [\n' });
    await look(pair);
  }

  async function look(pair: SitePair): Promise<void> {
    await app.current.get(SiteSyncer).sync(pair.parent.id, new AbortController().signal);
    await sites.current.settle();
  }

  async function letters({ email }: Person): Promise<string[]> {
    await app.current.get(Jobs).enqueue('notifications.send-letters', {});
    await app.current.get(Jobs).drain();
    return mail.lettersTo(email).map(({ text }) => text);
  }

  const rows = async (): Promise<number> =>
    (await app.current.database.query('SELECT 1 AS one FROM notification WHERE site_id IS NOT NULL')).length;

  it('is told of to its administrators, once until it is mended, in the list and by mail', async () => {
    const { organization } = sites.current;
    const pair = await sites.current.connect(FILES);
    await pair.begin('git');
    const [own, editor] = [await organization.member('read'), await organization.member('edit')];
    const grants = `/orgs/${organization.id}/sites/${pair.site}/permissions`;
    await organization.admin.api.post(grants, { role: 'admin', users: [own.id] });
    await fail(pair);
    await look(pair);
    const told = {
      kind: 'import_ended',
      outcome: 'failed',
      text: 'The structure of the site “Handbook” could not be kept equal with its repository',
      excerpt: expect.stringMatching(/^docs.yaml:3: it is no YAML/),
      organization: { id: organization.id },
      site: { id: pair.site, title: 'Handbook' },
      urls: { app: expect.stringContaining(`/o/${organization.id}`) },
    };
    for (const person of [organization.admin, own]) {
      const { items, unread } = await inbox(person);
      expect([items, unread]).toMatchObject([[told], 1]);
      expect(items[0]).not.toHaveProperty('space');
      expect(items[0]).not.toHaveProperty('actor');
      const [letter, ...others] = await letters(person);
      expect(others).toEqual([]);
      expect(letter).toMatch(/^The structure of the site “Handbook” could not be/);
      expect(letter).toContain('> docs.yaml:3');
      expect(letter).toContain(`/o/${organization.id}`);
    }
    expect([(await inbox(editor)).items, await letters(editor)]).toEqual([[], []]);
    // It is mended: the reason goes, and the next failure is told again.
    await pair.push({ 'docs.yaml': SITE });
    await pair.sync();
    expect((await inbox(own)).items[0]).not.toHaveProperty('excerpt');
    await fail(pair);
    expect((await inbox(own)).items).toHaveLength(2);
  });

  it('is equal again soon after the file is mended, although the same commit is tried again much later', async () => {
    const pair = await sites.current.connect(FILES);
    await pair.begin('git');
    for (let failures = 0; failures < 8; failures++) await fail(pair);
    const failed = async (): Promise<string | undefined> => (await pair.list())[0]?.error;
    const failures = () =>
      app.current.database.query('SELECT failures FROM git_installation WHERE id = $1', [pair.parent.id]);
    const lookLater = async (seconds: number): Promise<void> => {
      app.current.setTime(new Date(Date.now() + seconds * 1000));
      try {
        await app.current.get(Jobs).enqueue('git-sync.look-at-sites', {});
        await sites.current.settle();
      } finally {
        app.current.setTime(undefined);
      }
    };
    await lookLater(301);
    expect([await failed(), await failures()]).toEqual([expect.any(String), [{ failures: 8 }]]);
    await pair.push({ 'docs.yaml': SITE });
    await lookLater(602);
    expect([await failed(), await failures()]).toEqual([undefined, [{ failures: 0 }]]);
  });

  it('is told of to those alone who administer the site now, and in its organization', async () => {
    const { organization } = sites.current;
    const { api } = organization.admin;
    const pair = await sites.current.connect(FILES);
    await pair.begin('git');
    const own = await organization.member('read');
    const site = `/orgs/${organization.id}/sites/${pair.site}`;
    await api.post(`${site}/permissions`, { role: 'admin', users: [own.id] });
    await fail(pair);
    const before = await rows();
    const there = await buildOrganization(app.current);
    await app.current.database.execute(
      `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'admin', now())`,
      [there.id, own.id],
    );
    const { secret } = await app.current.get(Tokens).issue(own.id, { name: 'there', organizationId: there.id });
    const limited = { ...own, api: new Client(app.current.url, secret) };
    expect([(await inbox(own)).unread, await inbox(limited)]).toMatchObject([1, { items: [], count: 0, unread: 0 }]);
    expect((await limited.api.put('/user/notifications', { read: true })).status).toBe(204);
    expect((await inbox(own)).unread).toBe(1);
    const grant = `${site}/permissions/users/${own.id}`;
    expect((await api.patch(grant, { role: 'edit' })).status).toBe(204);
    expect(await inbox(own)).toMatchObject({ items: [], count: 0, unread: 0 });
    await api.patch(grant, { role: 'admin' });
    expect((await inbox(own)).unread).toBe(1);
    await own.api.put('/user/notifications', { read: true });
    expect(await inbox(own)).toMatchObject({ items: [{ read: true }], unread: 0 });
    expect((await api.delete(`/orgs/${organization.id}/members/${own.id}`)).status).toBe(204);
    expect(await rows()).toBe(before - 1);
    expect((await api.delete(site)).status).toBe(204);
    expect([(await inbox(organization.admin)).items, await rows()]).toEqual([[], before - 2]);
  });
});
