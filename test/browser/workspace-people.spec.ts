import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { SignInLinks } from '../../src/identity/sessions/sign-in-links.service.js';
import { Users } from '../../src/identity/users/users.service.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { TestApp } from '../app.js';
import { buildOrganization, type Person, type Workspace } from '../build.js';
import { MailServer } from '../mail-server.js';
import { accessibilityFaults, describeInBrowser, programBytes } from './browser.js';

const FIRST_SCREEN = 250_000;
const MINUTES = 15;

describeInBrowser('coming in and finding the way', (browsing) => {
  let app: TestApp;
  let workspace: Workspace;
  let mail: MailServer;
  const at = (path: string): string => `${app.url}/app${path}`;

  /** The address of a link that signs somebody in. */
  async function linkFor({ id }: Person): Promise<string> {
    const user = await app.get(Users).get(id);
    return (await app.get(SignInLinks).forUser(user, MINUTES)).url;
  }

  /** A tab in which somebody is signed in, at a path of the workspace. */
  async function signedIn(person: Person, path: string, width = 1280): Promise<Page> {
    const { page } = await browsing.open({ viewport: { width, height: 900 } });
    await page.goto(await linkFor(person));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /^Account of/ }).waitFor();
    await page.goto(at(path));
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }

  /** The address in the letter to somebody, which is sent in the background. */
  async function addressFor(email: string, pattern: RegExp): Promise<string> {
    await app.get(Jobs).drain();
    const letter = mail.letters.find(({ to }) => to === email);
    return pattern.exec((letter?.data ?? '').replaceAll('=\n', '').replaceAll('=3D', '='))?.[0] ?? '';
  }

  async function space(title: string): Promise<string> {
    const made = await workspace.admin.api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, {
      title,
      editMode: 'live',
    });
    return made.body.id;
  }

  beforeAll(async () => {
    mail = await MailServer.start();
    app = await TestApp.start({ SMTP_URL: mail.url, MAIL_FROM: 'Bindery <docs@example.com>' });
    workspace = await buildOrganization(app);
  }, 600_000);

  afterAll(async () => {
    await app.close();
    await mail.stop();
  });

  it('signs in by a link with one button, which says for whom, and out again', async () => {
    const { page } = await browsing.open();
    const link = await linkFor(workspace.admin);
    await page.goto(link);
    const button = page.getByRole('button', { name: 'Sign in' });
    await button.waitFor();
    expect(await page.getByText(workspace.admin.email).count()).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);
    await button.click();
    await page.getByRole('heading', { level: 1, name: 'Test organization' }).waitFor();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(link);
    await page.reload();
    await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
  });

  it('asks for the sign-in where nobody is signed in, sends a link, and goes on where it began', async () => {
    const { page } = await browsing.open();
    await page.goto(at(`/o/${workspace.id}/trash`));
    await page.getByLabel('E-mail address').fill(workspace.admin.email);
    await page.getByRole('button', { name: 'Send a sign-in link' }).click();
    await page.getByText('an e-mail with a link is on its way').waitFor();
    await page.goto(await addressFor(workspace.admin.email, /http\S+\/sign-in\S*#\w+/));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
  });

  it('joins by an invitation with one button, and shows the screens without faults in both widths', async () => {
    const email = 'grace@example.com';
    await workspace.admin.api.post(`/orgs/${workspace.id}/invites`, { emails: [email], role: 'edit' });
    const { page } = await browsing.open({ viewport: { width: 380, height: 800 } });
    await page.goto(await addressFor(email, /http\S+\/invitations\/\w+/));
    await page.getByLabel('Your name').fill('Grace');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Join Test organization' }).click();
    await page.getByRole('heading', { level: 1, name: 'Test organization' }).waitFor();
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
    const paths = ['', '/people', '/search?query=page', '/trash'].map((path) => `/o/${workspace.id}${path}`);
    const screens = [...paths, '/notifications', '/account', '/account?tab=sessions', '/account?tab=tokens'];
    for (const path of [...screens, '/account?tab=notifications']) {
      await page.goto(at(path));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('load');
      expect([path, await accessibilityFaults(page)]).toEqual([path, []]);
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 380]);
    }
  });

  it('makes, renames, moves and deletes spaces in the tree by keyboard, and takes the deletion back', async () => {
    await space('First');
    const page = await signedIn(workspace.admin, `/o/${workspace.id}`);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('menuitem', { name: 'New collection' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Guides');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Guides' }).waitFor();
    const tree = page.getByRole('tree', { name: 'Spaces and collections' });
    await tree.getByRole('treeitem', { name: 'First' }).focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Move to…' }).click();
    await page.getByRole('dialog').getByLabel('Collection').first().click();
    await page.getByRole('option', { name: 'Guides' }).click();
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByRole('main').getByRole('link', { name: /First/ }).waitFor();

    await tree.getByRole('treeitem', { name: 'Guides' }).focus();
    await page.keyboard.press('ArrowRight');
    await tree.getByRole('treeitem', { name: 'First' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect(await tree.getByRole('treeitem', { name: 'First' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await tree.getByRole('treeitem', { name: 'First' }).waitFor();
    await browsing.take(page, 'tree');
  });

  it('finds spaces and actions by Ctrl+K, and pages by the search with marked words', async () => {
    const id = await space('Harbour');
    await workspace.admin.api.post(`/spaces/${id}/content`, {
      changes: [{ operation: 'insert_page', title: 'Anchors', document: { markdown: 'Drop the anchor at noon.' } }],
    });
    const page = await signedIn(workspace.admin, `/o/${workspace.id}/search?query=anchor`);
    await page.locator('mark', { hasText: 'anchor' }).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Pages, spaces, people, actions').fill('trash');
    await page.getByText('Go to Trash').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByText('Go to Trash').click();
    await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
  });

  it('makes a token that works and is shown once, and ends it', async () => {
    const page = await signedIn(workspace.admin, '/account?tab=tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('typed and cancelled');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New token' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('');
    await page.getByRole('textbox', { name: 'Name' }).fill('Robot');
    await page.getByRole('button', { name: 'Make the token' }).click();
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    const asked = (): Promise<Response> =>
      fetch(`${app.url}/v1/user`, { headers: { Authorization: `Bearer ${token}` } });
    expect((await asked()).status).toBe(200);
    await page.getByRole('button', { name: 'End Robot' }).click();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'End Robot' }).waitFor({ state: 'detached' });
    expect((await asked()).status).toBe(401);
  });

  it('changes a role and copies a sign-in link of a member', async () => {
    const member = await workspace.member('read');
    const page = await signedIn(workspace.admin, `/o/${workspace.id}/people`);
    const row = page.getByRole('row').filter({ hasText: member.email });
    await row.getByRole('textbox').or(row.getByRole('combobox')).first().click();
    await page.getByRole('option', { name: 'Reviewer' }).click();
    await page.getByText(/The role of .* is changed/).waitFor();
    const changed = await workspace.admin.api.get<{ role: string }>(`/orgs/${workspace.id}/members/${member.id}`);
    expect(changed.body.role).toBe('review');
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Make a sign-in link' }).click();
    await page.getByRole('button', { name: 'Make the link' }).click();
    expect(await page.getByLabel('Link', { exact: true }).inputValue()).toContain('/sign-in#');
  });

  it('gives a role on a space, tells why somebody has one, and changes the access of everybody', async () => {
    const [member, reader] = [await workspace.member('read'), await workspace.member('read')];
    await member.api.patch(`/users/${member.id}`, { displayName: 'Ada' });
    const id = await space('Payroll');
    const page = await signedIn(workspace.admin, `/o/${workspace.id}/s/${id}`);
    const tree = page.getByRole('tree', { name: 'Spaces and collections' });
    await tree.getByRole('treeitem', { name: 'Payroll' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Access' }).click();
    await page.getByRole('heading', { level: 1, name: 'Access to Payroll' }).waitFor();
    const parts = page.getByRole('radiogroup', { name: 'Parts of the access' });
    await parts.getByText('People').click();
    await page
      .getByRole('textbox', { name: 'People' })
      .or(page.getByRole('combobox', { name: 'People' }))
      .first()
      .fill('Ada');
    await page.getByRole('option', { name: 'Ada' }).click();
    await page.keyboard.press('Escape');
    await page.getByLabel('Role', { exact: true }).first().click();
    await page.getByRole('option', { name: 'Editor' }).click();
    await page.getByRole('button', { name: 'Give the role' }).click();
    await page.getByRole('button', { name: 'Take away the role of Ada' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await parts.getByText('Everybody with access').click();
    await page.getByRole('button', { name: 'Why does Ada have access?' }).click();
    const dialog = page.getByRole('dialog', { name: 'Why Ada has access' });
    await dialog.getByText('The role of Ada here: Editor.').waitFor();
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Was given a role on Payroll: Editor\s+decides$/i),
      'Has a role in Test organization: Reader',
    ]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Access of everybody').first().click();
    await page.getByRole('option', { name: 'No access' }).click();
    await page.getByText('The access of everybody is changed.').waitFor();
    expect((await reader.api.get(`/spaces/${id}`)).status).toBe(404);
    expect((await member.api.get(`/spaces/${id}`)).status).toBe(200);
    await parts.getByText('People').click();
    await page.getByRole('button', { name: 'Take away the role of Ada' }).click();
    await page.getByText('No person has a role of their own here').waitFor();
    expect((await member.api.get(`/spaces/${id}`)).status).toBe(404);
  });

  it('makes a team with people in it, and finds who made it in the audit log', async () => {
    const member = await workspace.member('read');
    await member.api.patch(`/users/${member.id}`, { displayName: 'Edsger' });
    const page = await signedIn(workspace.admin, `/o/${workspace.id}/people?tab=teams`);
    await page.getByLabel('New team').fill('Compilers');
    await page.getByRole('button', { name: 'Make the team' }).click();
    await page.getByRole('button', { name: 'Compilers', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Members of Compilers' });
    await dialog.getByLabel('Add people').first().fill('Edsger');
    await page.getByRole('option', { name: 'Edsger' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('button', { name: 'Remove Edsger from the team' }).waitFor();
    await dialog.getByLabel('Role of Edsger').first().click();
    await page.getByRole('option', { name: 'Owner' }).click();
    await page.getByText('The role of Edsger is changed.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const { body } = await workspace.admin.api.get<{ items: { id: string; title: string }[] }>(
      `/orgs/${workspace.id}/teams`,
    );
    const team = body.items.find(({ title }) => title === 'Compilers')?.id ?? '';
    const inTeam = await workspace.admin.api.get<{ items: { organization: { id: string }; team: object }[] }>(
      `/orgs/${workspace.id}/teams/${team}/members`,
    );
    expect(inTeam.body.items.map((item) => [item.organization.id, item.team])).toContainEqual([
      member.id,
      { role: 'owner' },
    ]);
    await page.goto(at(`/o/${workspace.id}/people?tab=audit`));
    const row = page.getByRole('row').filter({ hasText: 'Compilers' }).last();
    await row.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('dialog').getByText('team Compilers').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByLabel('From', { exact: true }).fill('2100-01-01');
    await page.getByRole('heading', { name: 'Nothing happened' }).waitFor();
  });

  it('finds what former members did, and keeps roles in sight beside long names', async () => {
    const { id, admin } = workspace;
    const [left, long, guest] = [
      await workspace.member('create'),
      await workspace.member('read'),
      await workspace.member('none'),
    ];
    await left.api.patch(`/users/${left.id}`, { displayName: 'Former Fiona' });
    await long.api.patch(`/users/${long.id}`, { displayName: `Long${'W'.repeat(60)}` });
    await left.api.post(`/orgs/${id}/spaces`, { title: 'Left behind' });
    await admin.api.delete(`/orgs/${id}/members/${left.id}`);
    const page = await signedIn(admin, `/o/${id}/people?tab=audit`);
    await page.getByRole('combobox', { name: 'By' }).fill('former fi');
    await page.getByRole('option', { name: 'Former Fiona (no member any more)' }).click();
    const lines = page.getByRole('row');
    await lines.filter({ hasText: 'An organization was made' }).waitFor({ state: 'detached' });
    await lines.filter({ hasText: 'Left behind' }).waitFor();
    // An address finds people whose names do not have it.
    await page.getByRole('combobox', { name: 'By' }).fill(long.email);
    await page.getByRole('option', { name: /^LongW/ }).waitFor();

    await page.goto(at(`/o/${id}/people?search=Long`));
    const row = page.getByRole('row').filter({ hasText: 'LongW' });
    const roles = await row.getByRole('combobox').boundingBox();
    expect((roles?.x ?? Infinity) + (roles?.width ?? 0)).toBeLessThan(1280);
    // Who may not see the members is told so under the heading of the screen.
    const other = await signedIn(guest, `/o/${id}/people`);
    await other.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    await other.goto(at(`/o/${id}`));
    await other.getByRole('heading', { name: 'No spaces' }).waitFor();
    expect(await other.getByText('Create the first space').count()).toBe(0);
  });

  it('goes to the home of somebody who leaves the organization', async () => {
    const leaving = await workspace.member('admin');
    const page = await signedIn(leaving, `/o/${workspace.id}/people`);
    const { email } = (await leaving.api.get<{ email: string }>('/user')).body;
    await page.getByRole('row').filter({ hasText: email }).getByRole('button').last().click();
    await page.getByRole('menuitem', { name: 'Leave the organization' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave the organization' }).click();
    await page.getByRole('heading', { name: 'You are in no organization' }).waitFor();
    expect(page.url()).not.toContain(workspace.id);
  });

  it('gives members the roles that the organization has made, and shows them', async () => {
    const made = await workspace.admin.api.post<{ id: string }>(`/orgs/${workspace.id}/custom-roles`, {
      title: 'Translator',
      base: 'read',
      permissions: ['space:propose'],
    });
    const person = await workspace.member('comment');
    const member = `/orgs/${workspace.id}/members/${person.id}`;
    const roleOf = async () => (await workspace.admin.api.get<{ role: string; customRole?: string }>(member)).body;
    const page = await signedIn(workspace.admin, `/o/${workspace.id}/people`);
    const row = page.getByRole('row').filter({ hasText: person.email });
    const field = row.getByRole('textbox').or(row.getByRole('combobox')).first();
    await field.click();
    await page.getByRole('option', { name: 'Translator' }).click();
    await page
      .getByText(/The role of .* is changed/)
      .first()
      .waitFor();
    expect(await roleOf()).toMatchObject({ role: 'read', customRole: made.body.id });
    await page.reload();
    await row.locator('input[value="Translator"]').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await field.click();
    await page.getByRole('option', { name: 'Editor' }).click();
    await page
      .getByText(/The role of .* is changed/)
      .first()
      .waitFor();
    expect(await roleOf()).toMatchObject({ role: 'edit' });
    expect(await roleOf()).not.toHaveProperty('customRole');
  });

  it('loads less than 250 KB for the first screen', async () => {
    await workspace.admin.api.post(`/orgs/${workspace.id}/spaces`, { title: 'First screen' });
    const page = await signedIn(workspace.admin, '/account');
    // Links below the pointer load their screens ahead.
    await page.mouse.move(0, 0);
    const { bytes, names } = await programBytes(page, async () => {
      await page.goto(at(''));
      await page.getByRole('heading', { level: 1, name: 'Test organization' }).waitFor();
      await page.getByRole('treeitem').first().waitFor();
    });
    process.stdout.write(`first screen: ${bytes} bytes, ${names.join(' ')}\n`);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(FIRST_SCREEN);
  });
});
