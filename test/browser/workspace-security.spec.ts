import { expect, it } from '@jest/globals';
import { ROWS } from '../permissions/rows.js';
import { buildSpace, type Space } from '../published-site.js';
import { describeInBrowser } from './browser.js';
import { edit, enter, show, succeeded, useWorkspace } from './workspace.js';

const TEXT = 'Needs **Node.js** 18.\n\nRun the installer.';
const ROLES = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const;
const CHANGE_REQUEST = '/spaces/{spaceId}/change-requests/{changeRequestId}';

interface Made {
  readonly space: Space;
  /** The page of the space. */
  readonly page: string;
  /** The number of the change request. */
  readonly number: number;
}

describeInBrowser('the workspace and what people may do there', (browsing) => {
  const workspace = useWorkspace(browsing);
  const home = (path = ''): string => workspace.current.home(path);

  async function made(title = 'Handbook', markdown = TEXT): Promise<Made> {
    const space = await buildSpace(workspace.current.organization, title);
    const [page = ''] = await space.write({ operation: 'insert_page', title: 'Install', document: { markdown } });
    const { number, path } = await workspace.current.propose(space, title, edit(page, `${markdown}\n\nThen start it.`));
    succeeded(
      await workspace.current.organization.admin.api.post(`${path}/comments`, {
        body: { markdown: markdown.slice(0, 200) },
      }),
    );
    return { space, page, number };
  }

  /** Whether a role suffices for an operation, by the matrix of permissions. */
  function may(role: (typeof ROLES)[number], operation: string): boolean {
    const least = ROLES.find((each) => each === ROWS[operation]?.least);
    if (least === undefined) throw new Error(`${operation} has no row with a role`);
    return ROLES.indexOf(role) >= ROLES.indexOf(least);
  }

  it.each(ROLES)('offers to the role %s what the interface lets it do, and no more', async (role) => {
    const { space, number } = await made();
    const person =
      role === 'admin' ? workspace.current.organization.admin : await workspace.current.organization.member(role);
    const page = await workspace.current.signedIn(person, home());
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

  it('is in no frame, takes a new cookie at sign-in, and goes to no other address after it', async () => {
    const { app } = workspace.current;
    const { headers } = await fetch(workspace.current.at('/'));
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const { page } = await browsing.open();
    const fixed = 'x'.repeat(43);
    await page.context().addCookies([{ name: 'bindery', value: fixed, url: app.url }]);
    const elsewhere = ['//evil.example/', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)'];
    const cookies = new Set<string>([fixed]);
    for (const returnTo of elsewhere) {
      const link = new URL(await workspace.current.linkFor(workspace.current.organization.admin));
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
