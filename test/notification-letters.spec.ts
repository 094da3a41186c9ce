import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { TestApp, useApp } from './app.js';
import type { Person } from './build.js';
import { post, write } from './discussion.js';
import { MailServer } from './mail-server.js';
import { desk, inbox, settle } from './notification-desk.js';

const app = useApp({ NOTIFICATION_MAIL_DELAY: '90', NOTIFICATION_DIGEST_HOUR: '9' });
let mail: MailServer;

beforeAll(async () => {
  mail = await MailServer.start();
  Reflect.set(app.current.config, 'smtpUrl', mail.url);
  Reflect.set(app.current.config, 'mailFrom', 'Documentation <docs@example.com>');
});
afterEach(() => {
  mail.letters.splice(0);
});
afterAll(() => mail.stop());

const sql = (text: string, values: unknown[] = []) => app.current.database.execute(text, values);

/** Lets seconds pass for letters, and sends those that are due then. */
async function later(seconds: number): Promise<void> {
  await settle(app.current);
  await sql(`UPDATE notification SET mail_at = mail_at - $1 * interval '1 second' WHERE mail_at IS NOT NULL`, [
    seconds,
  ]);
  await sql(`UPDATE notification_inbox SET mail_retry_at = mail_retry_at - $1 * interval '1 second'`, [seconds]);
  await send();
}
async function send(on: TestApp = app.current): Promise<void> {
  await on.get(Jobs).enqueue('notifications.send-letters', {});
  await on.get(Jobs).drain();
}

const lettersTo = ({ email }: Person) => mail.lettersTo(email);

describe('letters', () => {
  it('collect what happens within the time of the setting, tell nothing twice, and nothing that was read meanwhile', async () => {
    const { org, author, request, number } = await desk(app.current);
    const other = await org.member('comment');
    await post(other, request, 'First remark');
    await later(70);
    expect(lettersTo(author)).toEqual([]);
    await post(other, request, 'Second remark');
    await later(40);
    const [letter, ...more] = lettersTo(author);
    expect(more).toEqual([]);
    expect(letter?.text).toContain('> First remark');
    expect(letter?.text).toContain('> Second remark');
    expect(letter?.text).toContain(`/s/`);
    expect(letter?.text).toContain(`/~/changes/${number}?comment=`);
    expect(letter?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(letter?.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(letter?.headers.get('message-id')).toMatch(/^<[0-9a-f]{40}@127\.0\.0\.1>$/);
    await later(3600);
    await post(other, request, 'Read at once');
    await settle(app.current);
    await author.api.put('/user/notifications', { read: true });
    await later(3600);
    expect([lettersTo(author).length, lettersTo(other), lettersTo(org.admin)]).toEqual([1, [], []]);
    expect((await inbox(author)).count).toBe(3);
  });

  it('are ended by one request or a button, and only by an address that the service has made', async () => {
    const { org, author, request } = await desk(app.current);
    const other = await org.member('comment');
    await post(other, request, 'Hello');
    await later(100);
    const address = /^<(.*)>$/.exec(lettersTo(author)[0]?.headers.get('list-unsubscribe') ?? '')?.[1] ?? '';
    expect(lettersTo(author)[0]?.text).toContain(address);
    const page = await fetch(address);
    expect([page.status, page.headers.get('content-security-policy'), await page.text()]).toEqual([
      200,
      expect.stringContaining("frame-ancestors 'none'"),
      expect.stringContaining('<form method="post">'),
    ]);
    const settings = async () =>
      (await author.api.get<{ mail: string; mailable: boolean }>('/user/notification-settings')).body;
    expect(await settings()).toMatchObject({ mail: 'immediately', mailable: true });
    await post(other, request, 'Waiting');
    await settle(app.current);
    expect(
      (
        await fetch(
          address.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
          { method: 'POST' },
        )
      ).status,
    ).toBe(404);
    expect((await fetch(address, { method: 'DELETE' })).status).toBe(405);
    const ended = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect([ended.status, await settings()]).toMatchObject([200, { mail: 'never' }]);
    await post(other, request, 'After');
    await later(100);
    expect([lettersTo(author).length, (await inbox(author)).count]).toEqual([1, 3]);
  });

  it('come once a day or week where that is wanted, without kinds that are switched off', async () => {
    const { org, author, request, space } = await desk(app.current);
    const reader = await org.member('review');
    const set = (person: Person, body: object) => person.api.put('/user/notification-settings', body);
    await set(author, { mail: 'daily', kinds: { commented: { app: false }, merged: { mail: false } } });
    await set(org.admin, { mail: 'weekly' });
    await post(reader, request, 'Only mailed');
    await post(reader, space, 'On the space');
    await reader.api.post(`${request}/reviews`, { status: 'approved' });
    await org.admin.api.post(`${request}/merge`);
    await later(120);
    expect([lettersTo(author), lettersTo(org.admin)]).toEqual([[], []]);
    expect((await inbox(author)).items.map(({ kind }) => kind)).toEqual(['merged', 'reviewed']);
    const due = await app.current.database.query<{ hour: number; day: number; ahead: number }>(
      `SELECT extract(hour FROM mail_at + interval '120 seconds')::int AS hour, extract(isodow FROM mail_at + interval '120 seconds')::int AS day,
              ceil(extract(epoch FROM mail_at - now()) / 86400)::int AS ahead FROM notification WHERE user_id = $1 AND mail_at IS NOT NULL`,
      [org.admin.id],
    );
    expect(due).toMatchObject([{ hour: 9, day: 1 }]);
    expect(due[0]?.ahead).toBeLessThanOrEqual(7);
    await later(24 * 3600);
    const [letter] = lettersTo(author);
    expect(letter?.text).toContain('> Only mailed');
    expect(letter?.text).toContain('approved #1 “Proposal”');
    expect(letter?.text).not.toContain('merged');
    await later(7 * 24 * 3600);
    expect([lettersTo(author).length, lettersTo(org.admin).length, lettersTo(reader).length]).toEqual([1, 1, 1]);
  });

  it('go to verified addresses of people who can still see what they tell', async () => {
    const { org, author, request, id } = await desk(app.current);
    const [other, asked] = [await org.member('comment'), await org.member('review')];
    await sql('UPDATE account SET email_verified = false WHERE id = $1', [author.id]);
    await post(other, request, 'Hello');
    await author.api.post(`${request}/requested-reviewers`, { users: [asked.id] });
    await settle(app.current);
    expect((await inbox(asked)).count).toBe(1);
    await org.admin.api.patch(`/spaces/${id}`, { defaultLevel: null });
    await later(100);
    expect([mail.letters, (await inbox(author)).count]).toEqual([[], 0]);
  });

  it('hold texts of people in one line each, and no header of theirs', async () => {
    const { org, author, id } = await desk(app.current);
    const other = await org.member('comment');
    await org.admin.api.patch(`/spaces/${id}`, { title: 'Docs\r\nBcc: evil@example.com' });
    await other.api.patch(`/users/${other.id}`, { displayName: 'Ada\r\nReply-To: evil@example.com' });
    const { body } = await author.api.post<{ id: string }>(`/spaces/${id}/change-requests`, {
      subject: 'Evil\r\n\r\n<script>\u202Egpj.exe',
    });
    await post(other, `/spaces/${id}/change-requests/${body.id}`, 'One\n\n--\n\nFrom: root');
    await later(100);
    const [letter] = lettersTo(author);
    expect([...(letter?.headers.keys() ?? [])].filter((name) => ['bcc', 'reply-to'].includes(name))).toEqual([]);
    expect(letter?.text).not.toContain('\u202E');
    expect(letter?.text.split(/\r?\n/).filter((line) => /^(Bcc|Reply-To|From|<script>)/.test(line))).toEqual([]);
    expect(letter?.text).toContain('<script>gpj.exe');
  });

  it('are tried again while the mail server refuses them, and given up in the end', async () => {
    const { org, author, request } = await desk(app.current);
    const other = await org.member('comment');
    Reflect.set(app.current.config, 'mailFrom', undefined);
    try {
      await post(other, request, 'Hello');
      for (let i = 0; i < 3; i++) await later(3600);
      expect(lettersTo(author)).toEqual([]);
      Reflect.set(app.current.config, 'mailFrom', 'docs@example.com');
      await later(3600);
      expect(lettersTo(author)).toHaveLength(1);
      Reflect.set(app.current.config, 'mailFrom', undefined);
      await post(other, request, 'Never told');
      for (let i = 0; i < 8; i++) await later(24 * 3600);
    } finally {
      Reflect.set(app.current.config, 'mailFrom', 'docs@example.com');
    }
    await later(24 * 3600);
    expect(lettersTo(author)).toHaveLength(1);
  });
});

describe('weekly digests', () => {
  /** Makes what has happened in a space until now, and the last digest of a person, a week older. */
  async function aWeekLater(space: string, ...people: readonly Person[]): Promise<void> {
    await settle(app.current);
    await sql(`UPDATE revision SET created_at = created_at - interval '7 days' WHERE space_id = $1`, [space]);
    await sql(
      `UPDATE notification_inbox SET digest_since = digest_since - interval '7 days' WHERE user_id = ANY ($1)`,
      [people.map(({ id }) => id)],
    );
    await send();
  }
  const weekly = (person: Person) => person.api.put('/user/notification-settings', { mail: 'weekly' });

  it('tell once of merged change requests and changed pages, of spaces that somebody takes part in and sees', async () => {
    const { org, author, request, space, id, page, number } = await desk(app.current);
    const [outside, other] = [await org.member('read'), await org.member('comment')];
    await post(other, space, 'I take part');
    for (const person of [author, outside, other]) await weekly(person);
    await author.api.post(`${request}/content`, {
      changes: [{ operation: 'update_page', page, document: { markdown: 'Changed in the request' } }],
    });
    await org.admin.api.post(`${request}/merge`);
    const changes = Array.from({ length: 12 }, (_, index) => ({
      operation: 'insert_page',
      title: `Page ${index}`,
      document: { markdown: 'New' },
    }));
    const [hidden = ''] = await write(org.admin, space, { operation: 'insert_page', title: 'Secret of few' });
    await write(org.admin, space, ...changes);
    await org.admin.api.put(`${space}/permissions/pages/${hidden}`, { users: [org.admin.id] });
    await aWeekLater(id, author, outside, other);
    const [letter, ...more] = lettersTo(author);
    expect(more).toEqual([]);
    expect(letter?.headers.get('subject')).toMatch(/Changes[ _]in/);
    expect(letter?.text).toContain('## Docs');
    expect(letter?.text).toContain(`- #${number} “Proposal” by Person`);
    expect(letter?.text).toContain(`/s/${id}/~/changes/${number}`);
    expect(letter?.text).toMatch(/Changed pages:\n- Page \d+\n {2}http.*\/~\/pages\//);
    expect(letter?.text).toContain('- 3 more');
    expect(letter?.text).toContain('/account?tab=notifications');
    expect(letter?.text).toContain('/notifications/unsubscribe/');
    expect(mail.letters.some(({ data }) => data.includes('Secret of few'))).toBe(false);
    expect([lettersTo(outside), lettersTo(other).length]).toEqual([[], 1]);
    await send();
    expect(lettersTo(author)).toHaveLength(1);
    // Nothing happens in the week after, so there is no letter.
    await aWeekLater(id, author);
    expect(lettersTo(author)).toHaveLength(1);
    const rows = await app.current.database.query<{ day: number; hour: number }>(
      `SELECT extract(isodow FROM digest_since AT TIME ZONE 'UTC')::int AS day, extract(hour FROM digest_since AT TIME ZONE 'UTC')::int AS hour FROM notification_inbox WHERE user_id = $1`,
      [author.id],
    );
    expect(rows).toEqual([{ day: 1, hour: 9 }]);
    // Changes of a space that somebody can see no longer are not told of.
    await write(org.admin, space, { operation: 'update_page', page, title: 'Renamed' });
    await org.admin.api.patch(space, { defaultLevel: null });
    await aWeekLater(id, author);
    expect(lettersTo(author)).toHaveLength(1);
  }, 60_000);

  it('are chosen beside the times of letters, and end with all letters', async () => {
    const { org, author, space, id } = await desk(app.current);
    const set = async (body: object) =>
      (await author.api.put<{ mail: string; digest: boolean }>('/user/notification-settings', body)).body;
    const get = async () =>
      (await author.api.get<{ mail: string; digest: boolean }>('/user/notification-settings')).body;
    expect(await get()).toMatchObject({ mail: 'immediately', digest: false });
    expect(await set({ mail: 'weekly' })).toMatchObject({ mail: 'weekly', digest: true });
    expect(await set({ mail: 'never' })).toMatchObject({ mail: 'never', digest: false });
    expect(await set({ digest: true })).toMatchObject({ mail: 'never', digest: true });
    await write(org.admin, space, { operation: 'insert_page', title: 'News' });
    await aWeekLater(id, author);
    const [letter] = lettersTo(author);
    expect(letter?.text).toContain('- News');
    expect(await set({ digest: false })).toMatchObject({ digest: false });
    await write(org.admin, space, { operation: 'insert_page', title: 'Later' });
    await aWeekLater(id, author);
    expect(lettersTo(author)).toHaveLength(1);
    await set({ mail: 'weekly', digest: true });
    const address = /^<(.*)>$/.exec(letter?.headers.get('list-unsubscribe') ?? '')?.[1] ?? '';
    expect((await fetch(address, { method: 'POST' })).status).toBe(200);
    expect(await get()).toMatchObject({ mail: 'never', digest: false });
    await aWeekLater(id, author);
    expect(lettersTo(author)).toHaveLength(1);
  }, 60_000);

  it('are sent once by two servers, with what waits for a letter, and again where the mail server refused them', async () => {
    const { org, author, request, space, id } = await desk(app.current);
    const other = await org.member('comment');
    await weekly(author);
    await post(other, request, 'A remark');
    await write(org.admin, space, { operation: 'insert_page', title: 'News' });
    await settle(app.current);
    await sql(`UPDATE notification SET mail_at = now() WHERE user_id = $1`, [author.id]);
    Reflect.set(app.current.config, 'mailFrom', undefined);
    try {
      await aWeekLater(id, author);
    } finally {
      Reflect.set(app.current.config, 'mailFrom', 'docs@example.com');
    }
    expect(lettersTo(author)).toEqual([]);
    await sql('UPDATE notification_inbox SET mail_retry_at = now() WHERE user_id = $1', [author.id]);
    const second = await TestApp.start(
      { NOTIFICATION_DIGEST_HOUR: '9', SMTP_URL: mail.url, MAIL_FROM: 'docs@example.com' },
      app.current.databaseUrl,
    );
    try {
      await Promise.all([send(), send(second)]);
    } finally {
      await second.close();
    }
    const [letter, ...more] = lettersTo(author);
    expect(more).toEqual([]);
    expect(letter?.text).toContain('> A remark');
    expect(letter?.text).toContain('- News');
  }, 60_000);

  it('are left out where there is no mail server, and do not come as old news', async () => {
    const { org, author, space, id } = await desk(app.current);
    await weekly(author);
    await write(org.admin, space, { operation: 'insert_page', title: 'Old news' });
    Reflect.set(app.current.config, 'smtpUrl', undefined);
    try {
      await aWeekLater(id, author);
    } finally {
      Reflect.set(app.current.config, 'smtpUrl', mail.url);
    }
    await send();
    expect(lettersTo(author)).toEqual([]);
  });
});
