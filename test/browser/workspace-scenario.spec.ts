import { it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { buildSpace, publish } from '../published-site.js';
import { describeInBrowser } from './browser.js';
import { edit, show, succeeded, useWorkspace } from './workspace.js';

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TEXT = 'Needs **Node.js** 18.\n\nRun the installer.';

describeInBrowser('the workspace as a whole', (browsing) => {
  const workspace = useWorkspace(browsing);
  const home = (path: string): string => workspace.current.home(path);

  const editor = (page: Page) => page.locator('.cm-content');

  /** Joins by the letter of an invitation. */
  async function joinAs(email: string, name: string): Promise<Page> {
    const { organization } = workspace.current;
    succeeded(await organization.admin.api.post(`/orgs/${organization.id}/invites`, { emails: [email], role: 'edit' }));
    const { page } = await browsing.open();
    await page.goto(await workspace.current.addressFor(email, /http\S+\/invitations\/\w+/));
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
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n\n');
    await page.evaluate<undefined>(`(() => {
      const bytes = Uint8Array.from(atob('${DOT}'), (each) => each.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
      const { left: clientX, top: clientY } = [...document.querySelectorAll('.cm-line')].at(-1).getBoundingClientRect();
      document.querySelector('.cm-content').dispatchEvent(
        new DragEvent('drop', { dataTransfer, clientX, clientY, bubbles: true, cancelable: true }));
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

  async function settle(page: Page, request: string): Promise<void> {
    await show(page, `${request}/~/conflicts`);
    const card = page.getByRole('region', { name: 'Conflict 1 of 1' });
    await card.getByText('Own text', { exact: true }).click();
    await card.getByLabel('Own text (Markdown)').fill('Read first: needs **Node.js** 20 or 22.\n');
    await page.getByRole('button', { name: 'Send and update' }).click();
    await page.getByRole('region', { name: 'Conversation' }).waitFor();
  }

  async function merge(page: Page, request: string): Promise<void> {
    await show(page, request);
    await page.getByRole('region', { name: 'Merge' }).getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await page.getByText('Its changes are part of the content.').waitFor();
  }

  it('leads from the invitation over writing, review, conflict and merge to the published page', async () => {
    const { organization, publicOrigin } = workspace.current;
    const { admin } = organization;
    const space = await buildSpace(organization, 'Manual');
    const [install = ''] = await space.write({
      operation: 'insert_page',
      title: 'Install',
      document: { markdown: TEXT },
    });
    const site = await publish(organization, [space]);
    succeeded(await admin.api.patch(`/spaces/${space.id}`, { editMode: 'locked' }));
    const colleague = await organization.member('review');
    succeeded(await colleague.api.patch(`/users/${colleague.id}`, { displayName: 'Grace' }));

    const author = await joinAs('ada@example.com', 'Ada');
    await write(author, home(`/s/${space.id}`));
    const request = home(`/s/${space.id}/~/changes/1`);
    await show(author, request);
    await author.getByRole('button', { name: 'Ask for review' }).click();
    await author.getByText('In review').first().waitFor();
    await author.getByPlaceholder('Name or e-mail address').fill('Grace');
    await author.getByRole('option', { name: 'Grace', exact: true }).click();
    await author.getByText('Asked', { exact: true }).waitFor();

    const reviewer = await workspace.current.signedIn(colleague, home(''));
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

    const other = await workspace.current.propose(
      space,
      'Node.js 20',
      edit(install, 'Needs **Node.js** 20.\n\nRun the installer.'),
    );
    succeeded(await admin.api.post(`${other.path}/merge`));
    await settle(author, request);
    // Editors do not merge.
    await merge(reviewer, request);

    const { page: reader } = await browsing.open();
    await reader.goto(`${publicOrigin}${site.base}`);
    await reader.getByText('needs Node.js 20 or 22.').waitFor();
    await reader.locator('main img').first().waitFor();
    await browsing.take(reader, 'published');
  }, 600_000);
});
