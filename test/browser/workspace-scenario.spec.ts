import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { SignInLinks } from '../../src/identity/sessions/sign-in-links.service.js';
import { Users } from '../../src/identity/users/users.service.js';
import { Addresses } from '../../src/kernel/common/addresses.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { PublicListener } from '../../src/kernel/platform/public-listener.js';
import { TestApp } from '../app.js';
import { buildOrganization, type Person, type Workspace } from '../build.js';
import type { Answer } from '../client.js';
import { MailServer } from '../mail-server.js';
import { ROWS } from '../permissions/rows.js';
import { buildSpace, publish, type Space } from '../published-site.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';

const MINUTES = 15;
const PHONE = 380;
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TEXT = 'Needs **Node.js** 18.\n\nRun the installer.';
const HOSTILE = '<img src=x onerror="window.hacked=1">';
const HOSTILE_TEXT = `${HOSTILE}\n\n[a link](javascript:window.hacked=1)\n\n<script>window.hacked=1</script>`;
const ROLES = ['read', 'comment', 'review', 'edit', 'create', 'admin'] as const;
const CHANGE_REQUEST = '/spaces/{spaceId}/change-requests/{changeRequestId}';

interface Made {
  readonly space: Space;
  /** The page of the space. */
  readonly page: string;
  /** The number of the change request. */
  readonly number: number;
}

function succeeded<Body>({ status, body }: Answer<Body>): Body {
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

describeInBrowser('the workspace as a whole', (browsing) => {
  let app: TestApp;
  let workspace: Workspace;
  let mail: MailServer;
  let origin: string;

  const at = (path: string): string => `${app.url}/app${path}`;
  const home = (rest = ''): string => at(`/o/${workspace.id}${rest}`);

  beforeAll(async () => {
    mail = await MailServer.start();
    app = await TestApp.start({ SMTP_URL: mail.url, MAIL_FROM: 'Bindery <docs@example.com>' });
    origin = `http://localhost:${await app.get(PublicListener).listen()}`;
    app.get(Addresses).announce(app.url, origin);
    workspace = await buildOrganization(app);
  }, 600_000);

  afterAll(async () => {
    await app.get(PublicListener).beforeApplicationShutdown();
    await app.close();
    await mail.stop();
  });

  async function linkFor({ id }: Person): Promise<string> {
    return (await app.get(SignInLinks).forUser(await app.get(Users).get(id), MINUTES)).url;
  }

  async function enter(page: Page, link: string): Promise<void> {
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /^Account of/ }).waitFor();
  }

  async function show(page: Page, address: string): Promise<void> {
    await page.goto(address);
    await page.locator('h1, .cm-content').first().waitFor();
    await page.waitForLoadState('networkidle').catch(() => undefined);
  }

  async function signedIn(person: Person, address: string, options?: BrowserContextOptions): Promise<Page> {
    const { page } = await browsing.open(options);
    await enter(page, await linkFor(person));
    await show(page, address);
    return page;
  }

  async function addressFor(email: string, pattern: RegExp): Promise<string> {
    await app.get(Jobs).drain();
    const letter = mail.letters.find(({ to }) => to === email);
    return pattern.exec((letter?.data ?? '').replaceAll('=\n', '').replaceAll('=3D', '='))?.[0] ?? '';
  }

  /** Opens a change request of the administrator. */
  async function propose(space: Space, subject: string, change: object): Promise<{ number: number; path: string }> {
    const { api } = workspace.admin;
    const requests = `/spaces/${space.id}/change-requests`;
    const { id, number } = succeeded(await api.post<{ id: string; number: number }>(requests, { subject }));
    const path = `${requests}/${id}`;
    succeeded(await api.post(`${path}/content`, { changes: [change] }));
    succeeded(await api.patch(path, { status: 'open' }));
    return { number, path };
  }

  const edit = (page: string, markdown: string) => ({ operation: 'update_page', page, document: { markdown } });

  async function made(title = 'Handbook', markdown = TEXT): Promise<Made> {
    const space = await buildSpace(workspace, title);
    const [page = ''] = await space.write({ operation: 'insert_page', title: 'Install', document: { markdown } });
    const { number, path } = await propose(space, title, edit(page, `${markdown}\n\nThen start it.`));
    succeeded(await workspace.admin.api.post(`${path}/comments`, { body: { markdown: markdown.slice(0, 200) } }));
    return { space, page, number };
  }

  const editor = (page: Page) => page.locator('.cm-content');

  /** Joins by the letter of an invitation. */
  async function joinAs(email: string, name: string): Promise<Page> {
    succeeded(await workspace.admin.api.post(`/orgs/${workspace.id}/invites`, { emails: [email], role: 'edit' }));
    const { page } = await browsing.open();
    await page.goto(await addressFor(email, /http\S+\/invitations\/\w+/));
    await page.getByLabel('Your name').fill(name);
    await page.getByRole('button', { name: 'Join Test organization' }).click();
    await page.getByRole('button', { name: `Account of ${name}` }).waitFor();
    return page;
  }

  /** Writes in a new change request, and drops an image there. */
  async function write(page: Page, address: string): Promise<void> {
    await show(page, address);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Subject of the new change request').fill('Newer Node.js');
    await page.getByRole('button', { name: 'Start a change request' }).click();
    await editor(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Read first: ');
    await page.evaluate<undefined>(`(() => {
      const bytes = Uint8Array.from(atob('${DOT}'), (each) => each.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
      document.querySelector('.cm-content').dispatchEvent(
        new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
    await page.locator('.cm-content', { hasText: '![dot](/files/' }).waitFor();
    await page.locator('.editor-bar').getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('article img').waitFor();
  }

  async function review(page: Page, request: string): Promise<void> {
    await show(page, `${request}/~/changes`);
    const block = page.locator('.diff-block[data-change=changed]').first();
    await block.getByRole('button', { name: 'Comment' }).click();
    await page.getByLabel('Comment on the block', { exact: true }).fill('Is 18 still right?');
    await page.getByRole('button', { name: 'Suggest a text' }).click();
    await page.getByLabel('Suggested text').fill('Read first: needs **Node.js** 22.\n');
    await page.getByRole('button', { name: 'Suggest', exact: true }).click();
    await page.getByRole('region', { name: 'Suggestion', exact: true }).waitFor();
    await show(page, request);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('Approved', { exact: true }).first().waitFor();
  }

  async function settleAndMerge(page: Page, request: string): Promise<void> {
    await show(page, `${request}/~/conflicts`);
    const card = page.getByRole('region', { name: 'Conflict 1 of 1' });
    await card.getByText('Own text', { exact: true }).click();
    await card.getByLabel('Own text (Markdown)').fill('Read first: needs **Node.js** 20 or 22.\n');
    await page.getByRole('button', { name: 'Send and update' }).click();
    await page.getByRole('region', { name: 'Conversation' }).waitFor();
    await page.getByRole('region', { name: 'Merge' }).getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await page.getByText('Its changes are part of the content.').waitFor();
  }

  it('leads from the invitation over writing, review, conflict and merge to the published page', async () => {
    const { admin } = workspace;
    const space = await buildSpace(workspace, 'Manual');
    const [install = ''] = await space.write({
      operation: 'insert_page',
      title: 'Install',
      document: { markdown: TEXT },
    });
    const site = await publish(workspace, [space]);
    succeeded(await admin.api.patch(`/spaces/${space.id}`, { editMode: 'locked' }));
    const colleague = await workspace.member('review');
    const { displayName } = await app.get(Users).get(colleague.id);

    const author = await joinAs('ada@example.com', 'Ada');
    await write(author, home(`/s/${space.id}`));
    const request = home(`/s/${space.id}/~/changes/1`);
    await show(author, request);
    await author.getByRole('button', { name: 'Ask for review' }).click();
    await author.getByText('In review').first().waitFor();
    await author.getByPlaceholder('Name or e-mail address').fill(displayName);
    await author.getByRole('option', { name: displayName }).click();
    await author.getByText('Asked', { exact: true }).waitFor();

    const reviewer = await signedIn(colleague, home());
    await reviewer
      .getByRole('link', { name: /Newer Node\.js/ })
      .first()
      .waitFor();
    await review(reviewer, request);

    await show(author, request);
    await author.getByText('Approved').first().waitFor();
    await author.getByText('Is 18 still right?').waitFor();
    await author.getByRole('button', { name: 'Apply the suggestion' }).click();
    await author.getByText('Resolved by').waitFor();

    const other = await propose(space, 'Node.js 20', edit(install, 'Needs **Node.js** 20.\n\nRun the installer.'));
    succeeded(await admin.api.post(`${other.path}/merge`));
    await settleAndMerge(author, request);

    const { page: reader } = await browsing.open();
    await reader.goto(`${origin}${site.base}`);
    await reader.getByText('needs Node.js 20 or 22.').waitFor();
    await reader.locator('main img').first().waitFor();
    await browsing.take(reader, 'published');
  }, 600_000);

  const LOOKS: readonly BrowserContextOptions[] = [
    { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
    { viewport: { width: PHONE, height: 800 }, colorScheme: 'light' },
  ];

  it.each(LOOKS)(
    'has no faults of accessibility on any screen: %j',
    async (look) => {
      const { space, page: install, number } = await made();
      const place = `/s/${space.id}`;
      const request = `${place}/~/changes/${number}`;
      const tabs = ['sessions', 'tokens', 'notifications'].map((tab) => `/account?tab=${tab}`);
      const inOrganization = [
        ...['', '/people', '/people?tab=invitations', '/people?tab=links', '/search?query=node', '/trash', '/changes'],
        ...['', `/~/pages/${install}`, '/~/changes', '/~/files', '/~/variables', '/~/history'].map((to) => place + to),
        `${place}/~/pages/${install}?edit=true`,
        ...['', '/~/changes', '/~/conflicts', '/~/history', `/~/pages/${install}`].map((to) => request + to),
      ].map((path) => `/o/${workspace.id}${path}`);
      const page = await signedIn(workspace.admin, at('/notifications'), look);
      const faults: unknown[] = [];
      for (const path of ['/', '/notifications', '/account', ...tabs, ...inOrganization]) {
        await show(page, at(path));
        for (const fault of await accessibilityFaults(page)) faults.push([path, fault]);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (width > (look.viewport?.width ?? 0)) faults.push([path, `is ${width} wide`]);
      }
      expect(faults).toEqual([]);
    },
    600_000,
  );

  /** Whether a role suffices for an operation, by the matrix of permissions. */
  function may(role: (typeof ROLES)[number], operation: string): boolean {
    const least = ROLES.find((each) => each === ROWS[operation]?.least);
    if (least === undefined) throw new Error(`${operation} has no row with a role`);
    return ROLES.indexOf(role) >= ROLES.indexOf(least);
  }

  it.each(ROLES)('offers to the role %s what the interface lets it do, and no more', async (role) => {
    const { space, number } = await made();
    const person = role === 'admin' ? workspace.admin : await workspace.member(role);
    const page = await signedIn(person, home());
    const offers = async (name: string): Promise<boolean> =>
      (await page.getByRole('button', { name, exact: true }).filter({ visible: true }).count()) > 0;
    await page.getByRole('heading', { name: 'Spaces', exact: true }).first().waitFor();
    expect([role, await offers('New space')]).toEqual([role, may(role, 'POST /orgs/{organizationId}/spaces')]);
    await show(page, home('/people'));
    const invites = await page.getByRole('tab', { name: 'Invitations' }).count();
    expect([role, invites]).toEqual([role, may(role, 'POST /orgs/{organizationId}/invites') ? 1 : 0]);
    await show(page, home(`/s/${space.id}/~/changes/${number}`));
    const merge = page.getByRole('region', { name: 'Merge' });
    await merge.waitFor();
    await merge.getByLabel('Loading').waitFor({ state: 'detached' });
    const merges = merge.getByRole('button', { name: 'Merge', exact: true });
    const isOffered = (await merges.count()) > 0 && (await merges.isEnabled());
    expect([role, isOffered]).toEqual([role, may(role, `POST ${CHANGE_REQUEST}/merge`)]);
    if (!isOffered) await merge.getByText('Merging requires the role reviewer or more').waitFor();
    // Authors do not review their own requests.
    const reviews = role !== 'admin' && may(role, `POST ${CHANGE_REQUEST}/reviews`);
    expect([role, await offers('Approve')]).toEqual([role, reviews]);
  });

  it('runs nothing of what people wrote', async () => {
    const { space, page: install, number } = await made(HOSTILE, HOSTILE_TEXT);
    const person = await workspace.member('edit');
    succeeded(await person.api.patch(`/users/${person.id}`, { displayName: HOSTILE }));
    const { page, faults } = await browsing.open();
    await enter(page, await linkFor(person));
    const place = `/s/${space.id}`;
    const request = `${place}/~/changes/${number}`;
    const paths = [
      '',
      '/people',
      '/search?query=hacked',
      '/changes',
      place,
      `${place}/~/history`,
      `${place}/~/changes`,
    ];
    for (const path of [...paths, request, `${request}/~/changes`, `${request}/~/pages/${install}?edit=true`]) {
      await show(page, home(path));
      expect([path, await page.evaluate('window.hacked')]).toEqual([path, undefined]);
    }
    expect(faults.filter((fault) => /content security policy|violates/i.test(fault))).toEqual([]);
    await show(page, home());
    await page.getByRole('treeitem', { name: HOSTILE }).waitFor();
  }, 600_000);

  it('is in no frame, takes a new cookie at sign-in, and goes to no other address after it', async () => {
    const { headers } = await fetch(at('/'));
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const { page } = await browsing.open();
    const fixed = 'x'.repeat(43);
    await page.context().addCookies([{ name: 'bindery', value: fixed, url: app.url }]);
    const elsewhere = ['//evil.example/', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)'];
    const cookies = new Set<string>([fixed]);
    for (const returnTo of elsewhere) {
      const link = new URL(await linkFor(workspace.admin));
      link.searchParams.set('returnTo', returnTo);
      await page.goto('about:blank');
      await enter(page, link.href);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([returnTo, new URL(page.url()).origin]).toEqual([returnTo, app.url]);
      const cookie = (await page.context().cookies()).find(({ name }) => name === 'bindery');
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
      expect(cookies.has(cookie?.value ?? fixed)).toBe(false);
      cookies.add(cookie?.value ?? fixed);
    }
  });
});
