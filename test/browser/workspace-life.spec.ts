import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { proposeInDemo } from '../../src/cli/demo-review.js';
import { COMMENT, HOUSE_STYLE, SUBJECTS } from '../../src/cli/demo-texts.js';
import { Addresses } from '../../src/kernel/common/addresses.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import type { Person } from '../build.js';
import { settle, until } from '../notification-desk.js';
import { buildSpace, publish, type Made, type Space } from '../published-site.js';
import { OidcIdentityProvider } from '../security/oidc/identity-provider.js';
import { IdentityProvider } from '../security/saml/identity-provider.js';
import { Logins } from '../security/saml/logins.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { edit, enter, show, succeeded, useWorkspace } from './workspace.js';

describeInBrowser('days in the workspace', (browsing) => {
  const workspace = useWorkspace(browsing);
  const saml = new IdentityProvider();
  const oidc = new OidcIdentityProvider();
  const home = (path = ''): string => workspace.current.home(path);
  const admin = (): Person => workspace.current.organization.admin;

  beforeAll(async () => {
    await saml.start();
    await oidc.start();
    saml.asks = oidc.asks = true;
    // Frames of another site have no cookies, so previews are shown at the host of the workspace.
    const { app, publicOrigin } = workspace.current;
    app.get(Addresses).announce(app.url, publicOrigin.replace('localhost', '127.0.0.1'));
  });
  afterAll(async () => {
    await saml.stop();
    await oidc.stop();
  });

  const insert = (title: string, markdown: string, more: object = {}) => ({
    operation: 'insert_page',
    title,
    document: { markdown },
    ...more,
  });

  async function named(role: 'edit' | 'review', displayName: string): Promise<Person> {
    const person = await workspace.current.organization.member(role);
    succeeded(await person.api.patch(`/users/${person.id}`, { displayName }));
    return person;
  }

  /** A space with a page, and a change request of the administrator in it. */
  async function proposed(subject: string): Promise<{ space: Space; page: string; number: number; path: string }> {
    const space = await buildSpace(workspace.current.organization, subject);
    const [page = ''] = await space.write(insert('Install', 'Needs 18.'));
    return { space, page, ...(await workspace.current.propose(space, subject, edit(page, 'Needs 22.'))) };
  }

  const askForReview = async (path: string, { id }: Person): Promise<void> => {
    succeeded(await admin().api.post(`${path}/requested-reviewers`, { users: [id] }));
    await settle(workspace.current.app);
  };

  async function mention(path: string, { id }: Person): Promise<void> {
    const markdown = `[Somebody](${workspace.current.app.url}/v1/users/${id} "mention"), is 22 right?`;
    succeeded(await admin().api.post(`${path}/comments`, { body: { markdown } }));
    await settle(workspace.current.app);
  }

  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

  it('signs in by single sign-on of both kinds, from the buttons of an organization', async () => {
    const { organization } = workspace.current;
    await new Logins(saml).addProvider(organization, {
      label: 'Saml',
      defaultRole: 'read',
      ssoURL: `${saml.url.replace('127.0.0.1', 'localhost')}/sso`,
    });
    const path = `/orgs/${organization.id}/oidc`;
    const made = succeeded(
      await admin().api.post<Made & { service: { redirectURL: string } }>(path, {
        label: 'OpenID',
        issuer: oidc.url,
        defaultRole: 'read',
      }),
    );
    succeeded(await admin().api.patch(`${path}/${made.id}`, oidc.register(made.service.redirectURL)));
    for (const [label, email] of [
      ['Saml', 'ada@example.com'],
      ['OpenID', 'hedy@example.com'],
    ] as const) {
      const { page } = await browsing.open();
      await page.goto(workspace.current.at(`/sign-in?organization=${organization.id}&returnTo=/account?tab=sessions`));
      await page.getByRole('link', { name: `Sign in to Test organization with ${label}` }).click();
      await page.getByLabel('E-mail').fill(email);
      if (label === 'Saml') await page.getByLabel('Password').fill('secret');
      await page.getByRole('button').click();
      await heading(page, 'Account');
      await page.getByRole('row').filter({ hasText: 'by single sign-on' }).getByText('this one').waitFor();
    }
  });

  it('ends own sessions and those of a member, whose browser is led to the sign-in', async () => {
    const member = await named('edit', 'Mary');
    const sessions = workspace.current.at('/account?tab=sessions');
    const first = await workspace.current.signedIn(member, sessions);
    const second = await workspace.current.signedIn(member, home());
    await first.reload();
    await first.getByRole('row').filter({ hasText: 'by a link' }).nth(1).waitFor();
    await first.getByRole('button', { name: 'End', exact: true }).click();
    await first.getByText('The session is ended.').waitFor();
    await second.getByRole('link', { name: 'Trash' }).click();
    await heading(second, 'Sign in');
    await enter(second, await workspace.current.linkFor(member));

    const page = await workspace.current.signedIn(admin(), home('/people?search=Mary'));
    await page.getByRole('button', { name: 'Actions for Mary' }).click();
    await page.getByRole('menuitem', { name: 'Sessions' }).click();
    await page.getByRole('dialog').getByText('by a link').nth(1).waitFor();
    await page.getByRole('button', { name: 'End all' }).click();
    await page.getByText('The sessions of Mary are ended.').waitFor();
    // Nothing is done there: the stream of notifications ends.
    for (const ended of [first, second]) await heading(ended, 'Sign in');
    expect(new URL(first.url()).searchParams.get('returnTo')).toBe('/account?tab=sessions');
  });

  it('opens an invite link with one button to somebody who is signed in', async () => {
    const { id } = workspace.current.organization;
    const link = succeeded(await admin().api.post<Made>(`/orgs/${id}/link-invites`, { role: 'edit' }));
    const guest = await workspace.current.organization.member('none');
    await workspace.current.app.database.execute('DELETE FROM member WHERE user_id = $1', [guest.id]);
    const page = await workspace.current.signedIn(guest, workspace.current.at(`/join/${id}/${link.id}`));
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Join Test organization' }).click();
    await heading(page, 'Test organization');
  });

  it('shows at home what waits, who mentions and what was read, and finds people by Ctrl+K', async () => {
    const colleague = await named('review', 'Grace');
    succeeded(await admin().api.patch(`/users/${admin().id}`, { displayName: 'Admiral' }));
    const { space, path } = await proposed('Newer Node.js');
    await askForReview(path, colleague);
    await mention(path, colleague);
    const page = await workspace.current.signedIn(colleague, home(`/s/${space.id}`));
    const part = (name: string) => page.getByRole('region', { name });
    // A screen that is left at once is not remembered.
    await until(() => page.evaluate<boolean>('localStorage.getItem("bindery.recent")?.includes("Install") === true'));
    await show(page, home());
    await part('Waiting for your review').getByRole('link', { name: '#1 Newer Node.js' }).waitFor();
    await part('Recent')
      .getByRole('link', { name: /Install/ })
      .waitFor();
    await part('Comments that mention you')
      .getByRole('link', { name: /^Admiral mentioned you/ })
      .click();
    await page.getByText('is 22 right?').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Pages, spaces, people, actions').fill('Admi');
    await page.getByRole('button', { name: /^Admiral/ }).click();
    await heading(page, 'People');
    await page.getByRole('row').filter({ hasText: 'Admiral' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
  });

  it('tells in an open tab and by mail what is asked, as the settings say', async () => {
    const { app } = workspace.current;
    const colleague = await named('review', 'Katherine');
    const page = await workspace.current.signedIn(colleague, home());
    const { path } = await proposed('First');
    await askForReview(path, colleague);
    await page.getByText(/asks for a review of #1 “First/).waitFor();
    // What is read already is left out of letters.
    await app.database.execute(`UPDATE notification SET mail_at = mail_at - interval '1 minute' WHERE user_id = $1`, [
      colleague.id,
    ]);
    await app.get(Jobs).enqueue('notifications.send-letters', {});
    const inLetter = await workspace.current.addressFor(colleague.email, /http\S+\/changes\/\d+/);
    await page.getByRole('link', { name: 'Notifications, 1 unread' }).click();
    await page.getByRole('link', { name: /asks for a review of #1 “First/ }).click();
    await heading(page, 'First');
    await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
    await show(page, home());
    await page.goto(inLetter);
    await heading(page, 'First');

    await show(page, workspace.current.at('/account?tab=notifications'));
    await page.getByLabel('A review is asked of you: Here').uncheck();
    await page.getByLabel('E-mails are sent').first().click();
    await page.getByRole('option', { name: 'as a daily digest' }).click();
    await page.waitForLoadState('networkidle');
    await page.reload();
    const isHere = page.getByLabel('A review is asked of you: Here');
    await isHere.waitFor();
    expect(await isHere.isChecked()).toBe(false);
    expect(await page.getByLabel('E-mails are sent').first().inputValue()).toBe('as a daily digest');
    const letters = workspace.current.mail.letters.length;
    const other = await proposed('Second');
    await askForReview(other.path, colleague);
    await mention(other.path, colleague);
    await page.getByText(/mentioned you on #1 “Second/).waitFor();
    await page.getByRole('link', { name: 'Notifications, 1 unread' }).click();
    await page.getByRole('link', { name: /mentioned you on #1 “Second/ }).waitFor();
    expect(await page.getByText(/asks for a review of #1 “Second/).count()).toBe(0);
    expect(workspace.current.mail.letters.length).toBe(letters);
  });

  it('inserts blocks and references while a page is written, and hides it in navigation', async () => {
    const space = await buildSpace(workspace.current.organization, 'Written');
    const [guide = ''] = await space.write(
      insert('Guide', 'Begin.'),
      insert('Install', 'Run it.'),
      { operation: 'set_variables', variables: { product: 'Bindery' } },
      { operation: 'insert_reusable_content', title: 'Notice', document: { markdown: 'Mind the gap.' } },
    );
    const page = await workspace.current.signedIn(admin(), home(`/s/${space.id}/~/pages/${guide}?edit=true`));
    const text = page.locator('.cm-content');
    const choose = async (typed: string, name: string, gives: string): Promise<void> => {
      await page.keyboard.type(typed);
      await page.locator('.cm-tooltip-autocomplete li', { hasText: name }).first().click();
      await page.locator('.cm-content', { hasText: gives }).waitFor();
      await text.focus();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+End');
      await page.keyboard.type('\n\n');
    };
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n\n');
    await choose('/warn', 'Hint: warning', '{% hint style="warning" %}');
    await choose('See [[Ins', 'Install', '[Install](/install.md)');
    await choose('Use {{prod', 'product', 'space.vars.product');
    await page.getByRole('button', { name: 'Insert', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Reusable content' }).click();
    await choose('Not', 'Notice', '{% include "/reusable-contents/');
    await page.keyboard.press('Control+s');
    await page.locator('.editor-bar').getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('article').getByText('Mind the gap.').waitFor();
    await page.locator('article').getByText('Use Bindery').waitFor();
    await page.locator('article').getByRole('link', { name: 'Install' }).waitFor();
    await page.locator('.place-sidebar .tree-row', { hasText: 'Guide' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Hide in navigation' }).click();
    await page.locator('.place-sidebar').getByRole('img', { name: 'Hidden in navigation' }).waitFor();
    expect((await admin().api.get(`/spaces/${space.id}/content/page/${guide}`)).body).toMatchObject({ hidden: true });
  });

  it('uploads a file of more than a megabyte, puts another in its place, and fetches one from an address', async () => {
    const space = await buildSpace(workspace.current.organization, 'Files');
    const buffer = Buffer.alloc(2_000_000, 'large');
    const page = await workspace.current.signedIn(admin(), home(`/s/${space.id}/~/files`));
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload files' }).click();
    await (await chosen).setFiles({ name: 'large.bin', mimeType: 'application/octet-stream', buffer });
    await page.getByRole('row', { name: /large\.bin.*2,000 kB/ }).waitFor();
    await page.getByRole('button', { name: 'Actions of large.bin' }).click();
    const other = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'Replace' }).click();
    await (
      await other
    ).setFiles({ name: 'other.bin', mimeType: 'application/octet-stream', buffer: buffer.subarray(1000) });
    await page.getByRole('row', { name: /large\.bin.*1,999 kB/ }).waitFor();
    const server = createServer((_request, response) => void response.end(buffer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await page.getByRole('button', { name: 'Fetch from an address' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Address').fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/manual.bin`);
      await dialog.getByRole('button', { name: 'Fetch' }).click();
      await page.getByRole('row', { name: /manual\.bin.*2,000 kB/ }).waitFor();
    } finally {
      server.close();
    }
  });

  it('says what keeps a change request from being merged, archives it, reopens it and takes it back', async () => {
    const { organization } = workspace.current;
    const space = await buildSpace(organization, 'Checked');
    const [old = ''] = await space.write(insert('Old', 'Nobody needs this.'));
    await space.write(insert('Guide', 'Read [the old page](/old.md).'));
    const rules = [{ rule: 'require_at_least_one_approved_review' }];
    succeeded(await admin().api.patch(`/spaces/${space.id}`, { mergeRules: { type: 'rules', rules } }));
    const change = { operation: 'delete_page', page: old };
    const { number, path } = await workspace.current.propose(space, 'Without the old page', change);
    const page = await workspace.current.signedIn(admin(), home(`/s/${space.id}/~/changes/${number}`));
    const box = page.getByRole('region', { name: 'Merge' });
    const rule = box.getByRole('list', { name: 'Merge rules' }).getByRole('listitem');
    await rule.getByLabel('not fulfilled').waitFor();
    expect(await rule.innerText()).toMatch(/^There is an approval\s+\S+/);
    await box.getByText('1 merge rule is not fulfilled yet.').waitFor();
    await box.getByText('It breaks 1 link.').waitFor();
    await box.getByRole('link', { name: 'Guide' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'merge-box');
    const choose = async (name: string): Promise<void> => {
      await box.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Archive');
    await box.getByText('It is archived: reopen it to go on.').waitFor();
    await choose('Reopen as a draft');
    await box.getByRole('button', { name: 'Ask for review' }).click();
    const colleague = await organization.member('review');
    succeeded(await colleague.api.post(`${path}/reviews`, { status: 'approved' }));
    await page.reload();
    await rule.getByLabel('fulfilled', { exact: true }).waitFor();
    await box.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await box.getByRole('button', { name: 'Take back' }).click();
    await page.waitForURL(new RegExp(`/changes/${number + 1}$`));
    await page.getByRole('link', { name: 'Changes', exact: true }).click();
    await page.locator('.diff-block[data-change=inserted]', { hasText: 'Nobody needs this.' }).waitFor();
  });

  it('shows the chosen site as a visitor with the chosen claims sees it', async () => {
    const { organization } = workspace.current;
    const { space, page: install, number } = await proposed('For visitors');
    const properties = { plan: { type: 'string', description: 'The plan' } };
    const jsonSchema = { type: 'object', additionalProperties: false, properties };
    await publish(organization, [space], 'public', 'First site');
    const site = await publish(organization, [space], 'visitor-auth', 'Second site');
    succeeded(await site.api.put(`${site.path}/adaptive-schema`, { jsonSchema }));
    succeeded(await site.api.patch(site.path, { adaptiveContent: { enabled: true } }));
    const condition = 'visitor.claims.plan == "pro"';
    await space.write(insert('For professionals', 'Well kept.', { condition }));
    const page = await workspace.current.signedIn(admin(), home(`/s/${space.id}/~/changes/${number}`));
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await page.getByText('Up to date with the published content').waitFor();
    await page.getByRole('button', { name: 'Preview the site' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Site', { exact: true }).first().click();
    await page.getByRole('option', { name: 'Second site' }).click();
    const frame = page.frameLocator('iframe');
    await frame.getByText('Second site').first().waitFor();
    await frame.getByText('Needs 22.').waitFor();
    const professional = frame.getByRole('link', { name: 'For professionals' }).first();
    expect([install !== '', await professional.count()]).toEqual([true, 0]);
    await dialog.getByLabel('Claims of the visitor').fill('{"plan": "pro"}');
    await professional.waitFor();
    await browsing.take(page, 'preview');
  });

  it('brings a block, a page and the whole space back from the history, and a space from the trash', async () => {
    const space = await buildSpace(workspace.current.organization, 'Remembered');
    const [first = ''] = await space.write(insert('First', 'One apple.\n\nTwo birds.'), insert('Second', 'Kept.'));
    const text = async (): Promise<string> =>
      succeeded(
        await admin().api.get<{ markdown: string }>(`/spaces/${space.id}/content/page/${first}?format=markdown`),
      ).markdown;
    await space.write(edit(first, 'One pear.\n\nTwo cats.'));
    const page = await workspace.current.signedIn(admin(), home(`/s/${space.id}/~/history?page=${first}`));
    const bringBack = async (): Promise<void> => {
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Bring/ })
        .click();
      await page.getByText('It is brought back').last().waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const block = page.locator('.diff-block[data-change=changed]', { hasText: 'pear' });
    await block.getByRole('button', { name: 'Bring this block back' }).click();
    await bringBack();
    expect(await text()).toContain('One apple.\n\nTwo cats.');
    await show(page, home(`/s/${space.id}/~/history?page=${first}`));
    const revisions = page.getByRole('button', { name: /^Edited/ });
    await revisions.nth(1).click();
    await page.getByRole('button', { name: 'Bring the page back to this state' }).click();
    await bringBack();
    expect(await text()).toContain('One pear.\n\nTwo cats.');
    await revisions.last().click();
    await page.getByRole('button', { name: 'Bring the space back to this revision' }).click();
    await bringBack();
    expect((await admin().api.get(`/spaces/${space.id}/content/pages`)).body).toMatchObject({ pages: [] });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('Brought back an earlier state').nth(1).waitFor();
    expect(await text()).toContain('One pear.\n\nTwo cats.');

    succeeded(await admin().api.delete(`/spaces/${space.id}`));
    await show(page, home('/trash'));
    await page.getByRole('button', { name: 'Restore Remembered' }).click();
    await page.getByText('Remembered is back.').waitFor();
    await page.getByRole('treeitem', { name: 'Remembered' }).click();
    await heading(page, 'First');
  });

  it('opens the change request of the demo with its conflict, its comment and the review that is asked', async () => {
    const { organization, app } = workspace.current;
    const space = await buildSpace(organization, 'Demo');
    const place = { organizationId: organization.id, spaceId: space.id };
    const { url, by } = await proposeInDemo(app.nest, place, admin().id);
    const page = await workspace.current.signedIn(admin(), url);
    await heading(page, SUBJECTS.proposed);
    await page.getByText(`opened by ${by}`).waitFor();
    await page.getByText(COMMENT).waitFor();
    await page.getByText('Asked', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Settle the conflicts' }).click();
    const card = page.getByRole('region', { name: 'Conflict 1 of 1' });
    await card.getByText(HOUSE_STYLE.title).first().waitFor();
    await show(page, home());
    await page.getByRole('link', { name: new RegExp(SUBJECTS.proposed) }).waitFor();
  });
});
