import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { buildSpace, type Made } from '../published-site.js';
import { clusterByTopics } from '../topic-engine.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { show, succeeded, useWorkspace } from './workspace.js';

const RTL = 'كيف أصدّر دليل المستخدم إلى ملف؟ export <b>"';
const PHONE = { viewport: { width: 380, height: 800 }, colorScheme: 'dark' } as const;
const says = (body: string, role = 'user') => ({ type: 'message', role, body });
const asked = (count: number, body: string, name: string) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${name}${index}`,
    subject: `${name} ${index}`,
    metadata: { url: `https://desk.example.com/${index}`, attributes: { plan: 'pro' } },
    parts: [says(`${body} (${index})`), says('We are looking into it.', 'team-member')],
  }));

describeInBrowser('conversations in the workspace', (browsing) => {
  const workspace = useWorkspace(browsing);
  const at = () => `/orgs/${workspace.current.organization.id}`;

  /** Does all that is due, or will be, in the background. */
  async function settle(): Promise<void> {
    const { app } = workspace.current;
    for (;;) {
      await app.database.query(
        `UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE name LIKE 'conversations.%' AND state < 'active'`,
      );
      if ((await app.get(Jobs).drain()) === 0) return;
    }
  }
  async function choose(page: Page, content: unknown): Promise<void> {
    const dialog = page.getByRole('dialog');
    const former = dialog.getByRole('button', { name: 'Take the file away' });
    if ((await former.count()) > 0) await former.click();
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: /^File/ }).click();
    const buffer = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
    await (await chooser).setFiles([{ name: 'chats.json', mimeType: 'application/json', buffer }]);
    await dialog.getByRole('button', { name: 'Send them' }).click();
  }

  it('are sent from a file, and become topics with quotations, pages that answer and drafts', async () => {
    const { organization, app } = workspace.current;
    const { api } = organization.admin;
    clusterByTopics(app);
    const space = await buildSpace(organization, 'Handbook');
    await space.write({
      operation: 'insert_page',
      title: 'Search',
      document: { markdown: 'To find a page by the search, write its words: the search finds the page.' },
    });
    const page = await workspace.current.signedIn(organization.admin, workspace.current.home(''));
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('heading', { name: 'No themes' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole('button', { name: 'Send conversations' }).click();
    const source = page.getByRole('dialog').getByLabel('Source');
    await source.fill('desk');
    await page.getByText('email, or integration:<name>:<id>', { exact: true }).waitFor();
    await source.fill('integration:desk:one');
    await choose(page, [...asked(2, 'words', 'good'), { id: 'bad', parts: [says('x', 'robot')] }]);
    await page.getByText(/Conversation 3, parts\.0\.role/).waitFor();
    expect(succeeded(await api.get<{ count: number }>(`${at()}/conversations`)).count).toBe(0);
    const all = [
      ...asked(6, 'How do I find a page in the search?', 'search'),
      ...asked(4, `${RTL} Write to jane.roe@mail.example`, 'export'),
      ...asked(3, 'Why can I not log in since yesterday?', 'log'),
    ];
    expect(await accessibilityFaults(page)).toEqual([]);
    await choose(page, all.map((each) => JSON.stringify(each)).join('\n'));
    await page.getByText('13 conversations were sent.').waitFor();
    await page.getByText('Conversations to be read: 13').waitFor();
    await settle();
    await page.getByText('Everything is read').waitFor();

    const theme = page.getByRole('button', { name: /documents/ });
    await theme.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /search/ }).waitFor();
    await page
      .getByRole('img', { name: /Issues of the past 13 weeks/ })
      .first()
      .waitFor();
    expect(await page.getByRole('cell', { name: '46.2%' }).count()).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByText('Most issues').click();
    await page.getByRole('row', { name: /log/ }).waitFor();
    expect(await page.getByRole('row').count()).toBe(4);

    await page.getByRole('link', { name: 'search', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'search' }).waitFor();
    await page.getByText('How do I find a page in the search? (5)').first().waitFor();
    const pages = page.getByRole('region', { name: 'Pages that answer it' });
    await pages.getByRole('link', { name: 'Search' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Draft a change request' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Draft it' }).click();
    await page.getByRole('heading', { level: 1, name: /search/ }).waitFor();
    await page.waitForURL(/~\/changes\//);
    await page.goBack();
    await page.getByRole('region', { name: 'Done about it' }).getByText('proposed').waitFor();

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill(RTL);
    const [cluster] = succeeded(
      await api.get<{ items: Made[] }>(`${at()}/conversations-clusters`, { query: { orderBy: 'issues' } }),
    ).items;
    const path = `${at()}/conversations-clusters/${cluster?.id}`;
    succeeded(await api.patch(path, { label: 'Said by another one' }));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Said by another one').waitFor();
    expect(await dialog.getByLabel('Label').inputValue()).toBe(RTL);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: RTL }).waitFor();
    expect(await page.getByLabel('Keep it').isChecked()).toBe(true);

    await page.getByRole('link', { name: 'search 5' }).click();
    await page.getByRole('heading', { level: 1, name: 'search 5' }).waitFor();
    await page.getByText('We are looking into it.').waitFor();
    await page.getByText('Team', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open at the source' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The conversation is deleted.').waitFor();
    await page.getByRole('row').nth(12).waitFor();
    expect(await page.getByRole('row').count()).toBe(13);
    await page.getByRole('link', { name: 'export 0' }).click();
    await page
      .getByText(/\[email\]/)
      .first()
      .waitFor();
  });

  it('become topics that people merge and split, and undo both', async () => {
    const { organization, app } = workspace.current;
    const { api } = organization.admin;
    clusterByTopics(app);
    const sent = [
      ...asked(4, 'How do I pay an invoice here?', 'invoice'),
      ...asked(3, 'Why is it cold in this room?', 'room'),
    ];
    succeeded(await api.post(`${at()}/conversations`, sent));
    await settle();
    const page = await workspace.current.signedIn(organization.admin, workspace.current.home('/conversations'));
    await page.getByText('Most issues').click();
    await page.getByRole('link', { name: 'invoice', exact: true }).click();
    await page.getByText('Nothing merged or split').waitFor();
    await page.getByRole('button', { name: 'Take in another topic' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Take it in' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Topic').first().fill('other');
    await page.getByRole('option', { name: /^other/ }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Take it in' }).click();
    await page.getByText('Took in the topic other').waitFor();
    await page.getByText('Why is it cold in this room? (2)').first().waitFor();

    expect(await page.getByRole('button', { name: 'Make them a topic' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: /^Choose: Why is it cold in this room\? \(2\)/ }).press('Space');
    await page.getByRole('button', { name: 'Make them a topic' }).click();
    await dialog.getByLabel('Label').fill(RTL);
    await dialog.getByRole('button', { name: 'Make the topic' }).click();
    await page.getByText('A part is a topic of its own').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 380, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380);
    await page.getByText('A part is a topic of its own').click();
    await page.getByRole('heading', { level: 1, name: RTL }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { level: 1, name: 'invoice' }).waitFor();
    await page.getByText('Took in the topic other').waitFor();
    await page.getByRole('button', { name: 'Undo: other' }).click();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Nothing merged or split').waitFor();
    const { items } = succeeded(
      await api.get<{ items: { label: string; stats: { issues: number } }[] }>(`${at()}/conversations-clusters`, {
        query: { orderBy: 'issues' },
      }),
    );
    const own = items.filter(({ label }) => label === 'invoice' || label === 'other');
    expect(own.map(({ stats }) => stats.issues)).toEqual([4, 3]);
  });

  it('are sent up to a fault, which says how many were taken, and no further by a dialog that is closed', async () => {
    const { organization } = workspace.current;
    const { api } = organization.admin;
    const from = 'integration:many:one';
    const many = Array.from({ length: 501 }, (_, index) => ({ id: `many${index}`, parts: [] }));
    const taken = async () =>
      succeeded(await api.get<{ count: number }>(`${at()}/conversations`, { query: { source: from } })).count;
    const page = await workspace.current.signedIn(organization.admin, workspace.current.home('/conversations'));
    const open = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Send conversations' }).click();
      await page.getByRole('dialog').getByLabel('Source').fill(from);
    };
    const sent = /\/conversations\?source=/;
    let requests = 0;
    await page.route(sent, (route) => (++requests === 2 ? route.abort() : route.continue()));
    await open();
    await choose(page, many);
    await page.getByText(/500 conversations were taken before\./).waitFor();
    expect(await taken()).toBe(500);
    await page.keyboard.press('Escape');
    await page.unroute(sent);

    const held = new Promise<void>((resolve) => void page.route(sent, () => resolve()));
    const ended = page.waitForEvent('requestfailed', (request) => sent.test(request.url()));
    await open();
    await choose(page, [{ id: 'left', parts: [] }]);
    await held;
    await page.keyboard.press('Escape');
    await ended;
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Conversations' }).click();
    await page.getByRole('link', { name: 'Conversation without a subject' }).first().waitFor();
    expect(await page.getByText(/abort/).count()).toBe(0);
    expect(await taken()).toBe(500);
  });

  it('are kept as long as the settings say, and go with their source', async () => {
    const { organization } = workspace.current;
    const { api } = organization.admin;
    succeeded(await api.post(`${at()}/conversations`, asked(1, 'words', 'mail'), { query: { source: 'email' } }));
    const page = await workspace.current.signedIn(
      organization.admin,
      workspace.current.home('/conversations?tab=settings'),
    );
    await page.getByRole('rowheader', { name: 'email' }).waitFor();
    await page.getByLabel('Days for which conversations are kept').fill('30');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/more than 30 days ago are removed/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    // Another administrator was faster.
    succeeded(await api.patch(`${at()}/conversations-settings`, { redaction: false }));
    await page.getByRole('button', { name: 'Save it' }).click();
    await page.getByText('Somebody changed this at the same time').waitFor();
    const settings = async () => succeeded(await api.get<object>(`${at()}/conversations-settings`));
    expect(await settings()).toMatchObject({ redaction: false, retentionDays: null });
    // Settings that come meanwhile leave what is typed alone until they are asked for.
    await page.getByText('Somebody else has saved other settings meanwhile').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Days for which conversations are kept').inputValue()).toBe('30');
    await page.getByRole('button', { name: 'Take the others' }).click();
    expect(await page.getByLabel('Days for which conversations are kept').inputValue()).toBe('');
    expect(await page.getByLabel('Mask personal data').isChecked()).toBe(false);
    await page.getByLabel('Days for which conversations are kept').fill('30');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Save it' }).click();
    await page.getByText('The settings are saved.').waitFor();
    expect(await settings()).toMatchObject({ redaction: false, retentionDays: 30 });

    await page.getByRole('button', { name: 'Show them: email' }).click();
    await page.getByRole('link', { name: 'mail 0' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('tab', { name: 'Sources and settings' }).click();
    await page.getByRole('button', { name: 'Delete its conversations: email' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The conversations of email are deleted.').waitFor();
    expect(
      succeeded(await api.get<{ count: number }>(`${at()}/conversations`, { query: { source: 'email' } })).count,
    ).toBe(0);
  });

  it('are shown to those who write, on a phone in the dark, with ten thousand topics', async () => {
    const { organization, app } = workspace.current;
    await app.database.execute(
      `INSERT INTO issues_cluster (id, organization_id, label, icon, summary, issues, conversations, created_at, updated_at)
       SELECT 'Bulk' || lpad(n::text, 16, '0'), $1, $2 || n, 'no-such-icon', repeat('long', 200), 0, 0, now(), now() FROM generate_series(1, 10000) n`,
      [organization.id, `${RTL} ${'x'.repeat(60)}`.slice(0, 90)],
    );
    const editor = await organization.member('edit');
    const page = await workspace.current.signedIn(
      editor,
      workspace.current.home('/conversations?tab=topics&by=updatedAt'),
      PHONE,
    );
    await page.getByRole('row').nth(50).waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('row').nth(100).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('row').nth(1).getByRole('link').click();
    await page.getByRole('heading', { name: 'No issues' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    expect(await page.getByRole('button', { name: 'Send conversations' }).count()).toBe(0);

    const reader = await organization.member('read');
    const other = await workspace.current.signedIn(reader, workspace.current.home(''));
    expect(await other.getByRole('link', { name: 'Conversations' }).count()).toBe(0);
    for (const path of ['/conversations', '/conversations/clusters/none', '/conversations/all/none']) {
      await show(other, workspace.current.home(path));
      await other.getByText('Conversations are for members with the role edit or higher').waitFor();
    }
    await show(page, workspace.current.home('/conversations/clusters/AbCdEfGh0123456789Xy'));
    await page.getByText('This could not be shown').waitFor();
    await page.goto(workspace.current.at('/o/AbCdEfGh0123456789Xy/conversations'));
    await page.getByRole('heading', { name: 'Nothing is here' }).waitFor();
  });
});
