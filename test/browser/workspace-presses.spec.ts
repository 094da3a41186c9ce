import { expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { buildSpace, publish } from '../published-site.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { edit, succeeded, useWorkspace } from './workspace.js';

const MEMBERS = 1000;
/** Milliseconds of the processor of the tab. */
const SHORT = 1000;

interface Listed {
  readonly items: readonly object[];
}

/** Presses a button twice before the workspace can show that it waits, as a slow machine does with a double click. */
const pressTwice = async (button: Locator): Promise<void> => {
  await button.waitFor();
  await button.evaluate((element) => {
    (element as unknown as { click(): void }).click();
    (element as unknown as { click(): void }).click();
  });
};

describeInBrowser('presses and long lists of the workspace', (browsing) => {
  const workspace = useWorkspace(browsing);

  it('make one thing of each kind where a button is pressed twice', async () => {
    const { organization } = workspace.current;
    const { api } = organization.admin;
    const space = await buildSpace(organization, 'Pressed');
    const [start = ''] = await space.write({
      operation: 'insert_page',
      title: 'Start',
      document: { markdown: 'Text.' },
    });
    const site = await publish(organization, [space], 'share-link');
    const request = await workspace.current.propose(space, 'Newer', edit(start, 'Newer text.'));
    const page = await workspace.current.signedIn(organization.admin, workspace.current.home());
    const ofOrganization = `/orgs/${organization.id}`;
    const dialog = page.getByRole('dialog');
    const button = (name: string, exact = true): Locator => page.getByRole('button', { name, exact });
    const inDialog = (name: string): Locator => dialog.getByRole('button', { name, exact: true });

    /** Fills a form and presses its button twice; gives how many things were made. */
    const made = async (address: string, list: string, fill: () => Promise<Locator>): Promise<number> => {
      const read = async () => succeeded(await api.get<Listed>(list, { query: { limit: 1000 } })).items.length;
      const before = await read();
      await page.goto(workspace.current.home(address));
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await pressTwice(await fill());
      await page.waitForLoadState('networkidle');
      return (await read()) - before;
    };

    expect(
      await made('/people?tab=teams', `${ofOrganization}/teams`, async () => {
        await page.getByLabel('New team').fill('Compilers');
        return button('Make the team');
      }),
    ).toBe(1);
    expect(
      await made('/people?tab=invitations', `${ofOrganization}/invites`, async () => {
        await page.getByLabel('E-mail addresses').fill('grace@example.com');
        return button('Invite');
      }),
    ).toBe(1);
    expect(
      await made('/sites', `${ofOrganization}/sites`, async () => {
        await button('New site').first().click();
        await dialog.getByLabel('Title').fill('Pressed twice');
        return inDialog('Make the site');
      }),
    ).toBe(1);
    expect(
      await made(`/sites/${site.id}?tab=links`, `${site.path}/share-links`, async () => {
        await page.getByLabel('Name', { exact: true }).fill('Friends');
        return button('New share link');
      }),
    ).toBe(1);
    expect(
      await made(`/sites/${site.id}?tab=redirects`, `${site.path}/redirects`, async () => {
        await page.getByLabel('Old path').fill('/start');
        await page.getByLabel('Page or address').fill('https://example.com/');
        return button('Add');
      }),
    ).toBe(1);
    expect(
      await made(`/s/${space.id}/~/changes/${request.number}`, `${request.path}/comments`, async () => {
        await page.getByLabel('Comment on the change request').fill('Why?');
        return button('Comment');
      }),
    ).toBe(1);
    expect(
      await made('/../../account?tab=tokens', '/user/tokens', async () => {
        await button('New token').click();
        await dialog.getByLabel('Name').fill('Robot');
        return inDialog('Make the token');
      }),
    ).toBe(1);
  });

  it('tell of a fault once: in the dialog that is open, and not over it', async () => {
    const { organization } = workspace.current;
    const space = await buildSpace(organization, 'Refused');
    const [start = ''] = await space.write({
      operation: 'insert_page',
      title: 'Start',
      document: { markdown: 'Text.' },
    });
    const request = await workspace.current.propose(space, 'Newer', edit(start, 'Newer text.'));
    succeeded(await organization.admin.api.post(`${request.path}/comments`, { body: { markdown: 'Why?' } }));
    const page = await workspace.current.signedIn(
      organization.admin,
      workspace.current.home(`/s/${space.id}/~/changes/${request.number}`),
    );
    const refusal = { status: 400, json: { error: { code: 400, message: 'Not on a Friday' } } };
    await page.route(/\/(?:comments\/[^/]+|merge)$/, (route) =>
      ['DELETE', 'POST'].includes(route.request().method()) ? route.fulfill(refusal) : route.continue(),
    );
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Actions on the comment' }).first().click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').getByText('Not on a Friday').waitFor();
    expect(await page.getByText('Not on a Friday').count()).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await dialog.getByRole('alert').getByText('Not on a Friday').waitFor();
    expect(await page.getByText('Not on a Friday').count()).toBe(1);
  });

  it(`show ${MEMBERS} members page by page, find one of them, and change a role, in a short time`, async () => {
    const { organization, app } = workspace.current;
    await app.database.execute(
      `WITH made AS (INSERT INTO account (id, display_name, email, email_verified, created_at)
         SELECT left(md5('member' || n), 20), 'Member ' || lpad(n::text, 4, '0'), 'member' || n || '@crowd.example', true, now()
           FROM generate_series(1, $2::int) n RETURNING id)
       INSERT INTO member (organization_id, user_id, role, joined_at) SELECT $1, id, 'read', now() FROM made`,
      [organization.id, MEMBERS],
    );
    const page = await workspace.current.signedIn(organization.admin, workspace.current.home('/people'));
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const used = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
    };
    const rows = page.getByRole('row').filter({ hasText: '@crowd.example' });
    await rows.first().waitFor();
    const first = await rows.count();
    expect(first).toBeLessThan(MEMBERS);
    const begun = await used();
    await page.getByRole('searchbox').fill('member 0777');
    await rows.filter({ hasText: 'Member 0777' }).waitFor();
    await page.waitForTimeout(500);
    expect(await rows.count()).toBe(1);
    expect((await used()) - begun).toBeLessThan(SHORT);
    await page.getByLabel('Role of Member 0777').first().click();
    await page.getByRole('option', { name: 'Editor', exact: true }).click();
    await page.getByText('The role of Member 0777 is changed.').waitFor();

    await page.getByRole('searchbox').fill('');
    await rows.filter({ hasText: 'Member 0001' }).waitFor();
    const shown = await rows.count();
    await page.getByRole('button', { name: 'Load more' }).click();
    for (let attempt = 0; attempt < 100 && (await rows.count()) === shown; attempt += 1) await page.waitForTimeout(100);
    expect(await rows.count()).toBeGreaterThan(shown);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Pages, spaces, people, actions').fill('Member 0999');
    await page.getByText('Member 0999').last().waitFor();
  }, 300_000);
});
