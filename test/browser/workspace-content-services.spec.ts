import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { GitTransport } from '../../src/operations/imports/git/git-transport.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../../src/kernel/platform/outbox-relay.js';
import { GitServer } from '../git-server.js';
import { buildSpace, type Made } from '../published-site.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { show, succeeded, useWorkspace } from './workspace.js';

const PHONE = { viewport: { width: 380, height: 800 }, colorScheme: 'dark' } as const;
const RTL = `دليل <b>"${'x'.repeat(30)}`;

interface Listed<Item> {
  readonly items: readonly Item[];
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const fits = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');

describeInBrowser('templates, instructions and exports in the workspace', (browsing) => {
  const workspace = useWorkspace(browsing);
  const at = () => `/orgs/${workspace.current.organization.id}`;
  const adminAt = (path: string, options?: object): Promise<Page> =>
    workspace.current.signedIn(workspace.current.organization.admin, workspace.current.home(path), options);
  const work = async (): Promise<void> => {
    await workspace.current.app.get(OutboxRelay).drain();
    await workspace.current.app.get(Jobs).drain();
  };

  it('show a template page by page, and begin spaces, change requests and sites with it', async () => {
    const { organization } = workspace.current;
    const { api } = organization.admin;
    const locked = succeeded(await api.post<Made>(`${at()}/spaces`, { title: RTL.slice(0, 50), empty: true }));
    const page = await adminAt('');
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('link', { name: 'Look at it: Knowledge base' }).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(4);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Look at it: Product documentation' }).click();
    await heading(page, 'Product documentation');
    const pages = page.getByRole('navigation', { name: 'Pages of the template' });
    const preview = page.getByRole('region', { name: 'Preview of the page' });
    expect(await pages.getByRole('button').count()).toBeGreaterThan(5);
    expect(await accessibilityFaults(page)).toEqual([]);
    const first = (await preview.getByRole('heading', { level: 2 }).first().textContent()) ?? '';
    await preview.locator('.content a[href^="#"]').first().click();
    await page.waitForURL(/page=/);
    await preview.getByRole('heading', { level: 2, name: first, exact: true }).waitFor({ state: 'detached' });
    await pages.getByRole('button').first().focus();
    await page.keyboard.press('Enter');
    await preview.getByRole('heading', { level: 2, name: first, exact: true }).waitFor();

    await page.getByRole('button', { name: 'Start a space' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title of the space').fill('From a template');
    await dialog.getByLabel('Your status page').fill('status');
    await dialog.getByText('An address begins with https://, http:// or mailto:').waitFor();
    await dialog.getByLabel('Your status page').fill('https://status.example.com');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Make the space' }).click();
    await page.getByText('The space is there.').waitFor();
    await page.getByRole('treeitem').nth(3).waitFor();
    const { items } = succeeded(await api.get<Listed<{ id: string; title: string }>>(`${at()}/spaces`));
    const made = items.find(({ title }) => title === 'From a template');
    const content = JSON.stringify(succeeded(await api.get(`/spaces/${made?.id}/content/pages`)));
    expect(content).toContain('Quickstart');

    await show(page, workspace.current.home('/templates/changelog'));
    await page.getByRole('button', { name: 'Add to a space' }).click();
    await dialog.getByLabel('Space').click();
    await page.getByRole('option', { name: RTL.slice(0, 50) }).click();
    await dialog.getByText('This space is locked for live edits').waitFor();
    await dialog.getByRole('button', { name: 'Add the pages' }).click();
    await page.waitForURL(/~\/changes\/1\/~\/changes/);
    const requests = succeeded(
      await api.get<Listed<{ subject: string }>>(`/spaces/${locked.id}/change-requests`, {
        query: { status: 'draft' },
      }),
    );
    expect(requests.items.map(({ subject }) => subject)).toEqual(['Begin with: Changelog']);

    await show(page, workspace.current.home('/templates'));
    await page.getByRole('button', { name: 'Fill an empty site' }).click();
    await dialog.getByText('There is no site without spaces that you administer.').waitFor();
    await page.keyboard.press('Escape');
    const site = succeeded(await api.post<Made>(`${at()}/sites`, { title: 'Empty site', spaces: [] }));
    await show(page, workspace.current.home('/templates'));
    await page.getByRole('button', { name: 'Fill an empty site' }).click();
    await dialog.getByLabel('Site').click();
    await page.getByRole('option', { name: 'Empty site' }).click();
    await dialog.getByRole('button', { name: 'Fill it' }).click();
    await page.waitForURL(new RegExp(`/sites/${site.id}`));
    await page.getByText('The site has its sections.').waitFor();

    const reader = await organization.member('read');
    const other = await workspace.current.signedIn(reader, workspace.current.home('/templates/changelog'), PHONE);
    await other.getByRole('region', { name: 'Preview of the page' }).waitFor();
    expect(await other.getByRole('button', { name: 'Start a space' }).count()).toBe(0);
    expect([await fits(other), await accessibilityFaults(other)]).toEqual([true, []]);
    await other.goto(workspace.current.home('/templates/none'));
    await other.getByText('This could not be shown').waitFor();
  });

  it('keep the instructions of two administrators apart, and lose neither', async () => {
    const { organization } = workspace.current;
    const { api } = organization.admin;
    const path = `${at()}/agent-instructions`;
    await buildSpace(organization, 'For the preview');
    const stored = async () =>
      succeeded(await api.get<{ markdown: string }>(path, { query: { format: 'markdown' } })).markdown;
    const page = await adminAt('/agent-instructions');
    const field = page.getByLabel('Instructions, in Markdown');
    await field.fill('# Tone\n\nWrite **briefly**.');
    await page.getByRole('region', { name: 'Preview' }).getByText('briefly').and(page.locator('strong')).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The instructions are saved.').waitFor();
    expect(await stored()).toContain('Write **briefly**.');

    await field.fill(`# Tone\n\n${RTL}`);
    succeeded(await api.put(path, { markdown: 'From another administrator' }));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody else has saved other instructions meanwhile').waitFor();
    expect(await page.getByLabel('The others').inputValue()).toContain('From another administrator');
    expect(await field.inputValue()).toBe(`# Tone\n\n${RTL}`);
    expect(await stored()).toContain('From another administrator');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(false);
    await page.getByRole('button', { name: 'Go on with mine' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody else has saved').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });
    expect(await stored()).toContain('دليل');

    // A text that is not saved is not left without a word.
    await field.fill('Never saved');
    page.once('dialog', (asked) => void asked.dismiss());
    await page.getByRole('link', { name: 'Templates' }).click();
    expect(await field.inputValue()).toBe('Never saved');
    await page.getByRole('button', { name: 'Discard' }).click();

    const reader = await organization.member('read');
    const other = await workspace.current.signedIn(reader, workspace.current.home('/agent-instructions'), PHONE);
    await other.getByRole('region', { name: 'Preview' }).waitFor();
    expect(await other.getByLabel('Instructions, in Markdown').count()).toBe(0);
    expect([await fits(other), await accessibilityFaults(other)]).toEqual([true, []]);
  });

  it('let content out as a PDF, a folder and into a repository, and follow it', async () => {
    const { organization, app } = workspace.current;
    const space = await buildSpace(organization, 'Leaving');
    await space.write({ operation: 'insert_page', title: RTL, document: { markdown: 'Words.' } });
    const page = await adminAt(`/s/${space.id}`);
    await page.getByRole('link', { name: 'Exports' }).click();
    await page.getByRole('heading', { name: 'No exports yet' }).waitFor();
    const pdf = page.getByRole('link', { name: 'Download the PDF' });
    const make = async (): Promise<void> => {
      const asked = page.waitForResponse((response) => /\/pdf(?:\?|$)/.test(response.url()));
      await page.getByRole('button', { name: 'Make the PDF' }).click();
      await page.getByText('The PDF is being made.').waitFor();
      await asked;
    };
    const made = async (): Promise<void> => {
      await work();
      await pdf.waitFor();
    };
    await make();
    expect(await accessibilityFaults(page)).toEqual([]);
    await made();
    const answer = await fetch((await pdf.getAttribute('href')) ?? '');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    // Content that others have changed meanwhile is in the next one.
    await space.write({ operation: 'insert_page', title: 'Later', document: { markdown: 'Later words.' } });
    await make();
    await made();
    await page.getByLabel('Content').first().click();
    await page.getByRole('option', { name: 'A page alone' }).click();
    await page.getByLabel('Page', { exact: true }).first().click();
    await page.getByRole('option', { name: RTL }).click();
    await make();
    await made();

    await page.getByRole('button', { name: 'Export as a folder' }).click();
    await heading(page, 'Export as a folder');
    await work();
    const zip = page.getByRole('link', { name: 'Download the archive' });
    await zip.waitFor();
    const bytes = Buffer.from(await (await fetch((await zip.getAttribute('href')) ?? '')).arrayBuffer());
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
    await page.goBack();

    const server = await GitServer.start();
    app.get(GitTransport).httpsOnly = false;
    try {
      const repository = await server.create('docs');
      await repository.commit('refs/heads/main', 'First', { LICENSE: 'Own.\n' });
      await page.getByRole('button', { name: 'Export to a repository' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Address of the repository').fill('git.example.com');
      await dialog.getByText('An address begins with https://').waitFor();
      await dialog.getByLabel('Address of the repository').fill(`${server.url}/docs.git`);
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog.getByLabel('Replace commits that were not imported').press(' ');
      await dialog.getByRole('button', { name: 'Begin the export' }).click();
      await heading(page, 'Export to a git repository');
      await work();
      await page.getByText('completed', { exact: true }).waitFor();
    } finally {
      await server.stop();
    }
    await show(page, workspace.current.home(`/s/${space.id}/~/exports`));
    await page.getByRole('row').nth(2).waitFor();
    expect(await page.getByRole('row').count()).toBe(3);

    const { number } = await workspace.current.propose(space, 'Newer', {
      operation: 'insert_page',
      title: 'Newer',
      document: { markdown: 'Newer words.' },
    });
    await show(page, workspace.current.home(`/s/${space.id}/~/changes/${number}/~/exports`));
    await make();
    await made();
    expect(await page.getByRole('button', { name: 'Export to a repository' }).count()).toBe(0);

    const reader = await organization.member('read');
    const other = await workspace.current.signedIn(reader, workspace.current.home(`/s/${space.id}/~/exports`), PHONE);
    await other.getByRole('heading', { name: 'No exports yet' }).waitFor();
    await other.getByRole('button', { name: 'Export as a folder' }).click();
    await other.getByRole('button', { name: 'Cancel it' }).click();
    await other.getByText('cancelled', { exact: true }).waitFor();
    await other.goBack();
    await other.getByRole('row').nth(1).waitFor();
    expect([await fits(other), await accessibilityFaults(other)]).toEqual([true, []]);
  });

  it('let the whole organization out as an archive, for administrators', async () => {
    const { organization } = workspace.current;
    const page = await adminAt('/archive');
    await page.getByRole('heading', { name: 'Not exported yet' }).waitFor();
    await page.getByRole('button', { name: 'Export the organization' }).click();
    await page.getByText('waits', { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await work();
    const archive = page.getByRole('link', { name: 'Download the archive' });
    await archive.waitFor();
    expect((await fetch((await archive.getAttribute('href')) ?? '')).status).toBe(200);
    expect(await accessibilityFaults(page)).toEqual([]);
    const editor = await organization.member('create');
    const other = await workspace.current.signedIn(editor, workspace.current.home('/archive'));
    await other.getByText('Only administrators of the organization see this.').waitFor();
    expect(await other.getByRole('link', { name: 'Archive of the organization' }).count()).toBe(0);
  });
});
