import { expect, it } from '@jest/globals';
import { QuestionRecorder } from '../../src/insight/conversations/question-recorder.js';
import { newId } from '../../src/kernel/common/ids.js';
import { MissingAddressCounts } from '../../src/publishing/sites/insights/missing-address-counts.service.js';
import { buildSpace, publish, type Site } from '../published-site.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { succeeded, useWorkspace } from './workspace.js';

const PHONE = { width: 380, height: 800 };
const OLD = '/old/start';
const FORUM = 'https://forum.example.com/thread/7';
const QUESTIONS = ['Where is fuel sold?', 'Is fuel cheap?', 'Is fuel safe?'];

interface Listed<Item> {
  readonly items: readonly Item[];
}

describeInBrowser('what readers of a site do not find', (browsing) => {
  const workspace = useWorkspace(browsing);

  async function build(): Promise<Site> {
    const { organization } = workspace.current;
    const space = await buildSpace(organization, 'Guide', 'en');
    await space.write(
      { operation: 'insert_page', title: 'Welcome', document: { markdown: 'Hello.' } },
      { operation: 'insert_page', title: 'Fuel', document: { markdown: 'Zeppelin fuel is gas.' } },
    );
    return publish(organization, [space]);
  }

  const insightsOf = ({ id }: Site): string => workspace.current.home(`/sites/${id}?tab=insights`);

  it('are addresses without a page, which are shown as a chart and as a table, and redirected', async () => {
    const { organization, app, publicOrigin } = workspace.current;
    const site = await build();
    const reader = (await browsing.open()).page;
    const address = `${publicOrigin}${site.base}${OLD}`;
    for (let visit = 0; visit < 2; visit += 1)
      expect((await reader.goto(address, { referer: FORUM }))?.status()).toBe(404);
    await app.get(MissingAddressCounts).flush();
    const page = await workspace.current.signedIn(organization.admin, insightsOf(site));
    const section = page.getByRole('region', { name: 'Addresses without a page' });
    await section
      .getByRole('img', { name: /^Chart: Addresses without a page/ })
      .locator('svg')
      .first()
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await section.getByText('Table', { exact: true }).click();
    const row = section.getByRole('row').filter({ hasText: OLD });
    expect(await row.getByRole('cell').allTextContents()).toEqual(
      expect.arrayContaining(['2', expect.stringMatching(/forum\.example\.com/)]),
    );
    await page.setViewportSize(PHONE);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);

    await row.getByRole('link', { name: `Redirect ${OLD}` }).click();
    const source = page.getByLabel('Old path');
    await source.waitFor();
    expect(await source.inputValue()).toBe(OLD);
    await page.getByLabel('Page or address').fill('fuel');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('The redirect works.').waitFor();
    await reader.goto(address);
    expect(new URL(reader.url()).pathname).toBe(`${site.base}/fuel`);

    const member = await organization.member('read');
    const reading = await workspace.current.signedIn(member, insightsOf(site));
    const shown = reading.getByRole('region', { name: 'Addresses without a page' });
    await shown.getByText('Table', { exact: true }).click();
    await shown.getByRole('row').filter({ hasText: OLD }).waitFor();
    expect(await shown.getByRole('link').count()).toBe(0);
  });

  it('are questions without an answer, which are read, settled, opened again and answered by a change request', async () => {
    const { organization } = workspace.current;
    const { api } = organization.admin;
    const site = await build();
    const page = await workspace.current.signedIn(organization.admin, insightsOf(site));
    const section = page.getByRole('region', { name: 'Asked and not answered' });
    await section.getByText('No question of readers is without an answer.').waitFor();
    await ask(site);
    await page.reload();
    const row = section.getByRole('row').filter({ hasText: 'Zeppelin fuel' });
    await row.getByText('medium').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    /** Chooses from the menu of the topic by the keyboard alone. */
    const choose = async (name: string): Promise<void> => {
      await row.getByRole('button', { name: 'Actions of Zeppelin fuel' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    const dialog = page.getByRole('dialog');
    await choose('Show the questions');
    for (const question of QUESTIONS) await dialog.getByText(question).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const status = async () =>
      succeeded(await api.get<Listed<{ status: string }>>(`${site.path}/findings`)).items.map((each) => each.status);
    await choose('Dismiss');
    await page.getByText('Zeppelin fuel is dismissed.').waitFor();
    expect(await status()).toEqual(['canceled']);
    await section.getByText('No question of readers is without an answer.').waitFor();
    await section.getByLabel('State').first().click();
    await page.getByRole('option', { name: 'dismissed' }).click();
    await row.waitFor();
    await choose('Open again');
    await page.getByText('Zeppelin fuel is open again.').waitFor();
    await section.getByText('Nothing has this state.').waitFor();
    await section.getByLabel('State').first().click();
    await page.getByRole('option', { name: 'All' }).click();
    await page.setViewportSize(PHONE);
    await row.waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
    await choose('Draft a change request');
    await dialog.getByRole('button', { name: 'Draft a change request' }).click();
    await page.waitForURL(/\/~\/changes\//);
    await page.getByRole('heading', { name: 'Zeppelin fuel' }).first().waitFor();
    expect(await status()).toEqual(['open']);

    // People who may not see what customers ask do not see it here either.
    const reading = await workspace.current.signedIn(await organization.member('read'), insightsOf(site));
    await reading.getByRole('region', { name: 'Broken links' }).waitFor();
    expect(await reading.getByRole('region', { name: 'Asked and not answered' }).count()).toBe(0);
  });

  /** Records questions of readers, and gathers them in a topic as the engine does. */
  async function ask({ id: siteId }: Site): Promise<void> {
    const { organization, app } = workspace.current;
    const recorder = app.get(QuestionRecorder);
    for (const text of QUESTIONS)
      await recorder.record({ organizationId: organization.id, siteId, siteTitle: 'Guide', text });
    const cluster = newId();
    await app.database.execute(
      `INSERT INTO issues_cluster (id, organization_id, label, icon, summary, issues, conversations, created_at, updated_at)
       VALUES ($1, $2, 'Zeppelin fuel', 'circle', 'Readers ask about it.', 3, 3, now(), now())`,
      [cluster, organization.id],
    );
    await app.database.execute(
      `INSERT INTO conversation_issue (id, organization_id, conversation_id, source_id, cluster_id, model_version, title, summary, text, language, created_at, ingested_at)
       SELECT left(md5(c.id), 20), c.organization_id, c.id, c.source_id, $1, 1, c.subject, c.subject, c.subject, 'en', c.created_at, c.ingested_at
         FROM conversation c JOIN conversation_source s ON s.id = c.source_id WHERE s.name = $2`,
      [cluster, `integration:site:${siteId}`],
    );
  }
});
