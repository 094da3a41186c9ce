import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { GitTransport } from '../../src/operations/imports/git/git-transport.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../../src/kernel/platform/outbox-relay.js';
import { GitServer } from '../git-server.js';
import { buildSpace } from '../published-site.js';
import { useReceiver, verified } from '../webhook-receiver.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { show, succeeded, useWorkspace } from './workspace.js';

/** A name that is long, in two directions of writing, with signs of HTML. */
const AWKWARD = `دليل <b>"${'x'.repeat(60)}`;

const websitePage = (title: string, body: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

/** A website of two pages, of which one has what cannot be taken over; gives its address. */
async function withWebsite<Result>(use: (url: string) => Promise<Result>): Promise<Result> {
  const pages = new Map([
    ['/docs/', websitePage('Welcome', '<p>See <a href="guide">the guide</a>.</p><img src="/gone.png" alt="Gone">')],
    ['/docs/guide', websitePage('Guide', '<p>Turn it on.</p>')],
  ]);
  const server = createServer((request, response) => {
    const html = pages.get(request.url ?? '');
    if (html === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Presses a button by the keyboard alone. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().focus();
  await page.keyboard.press('Enter');
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

describeInBrowser('services in the workspace', (browsing) => {
  const workspace = useWorkspace(browsing);
  const receiver = useReceiver();
  const work = async (): Promise<void> => {
    await workspace.current.app.get(OutboxRelay).drain();
    await workspace.current.app.get(Jobs).drain();
  };
  const adminAt = (path: string): Promise<Page> =>
    workspace.current.signedIn(workspace.current.organization.admin, workspace.current.home(path));

  it('import a website, files and a repository, show what they change, and what was noted', async () => {
    const { organization } = workspace.current;
    const { api } = organization.admin;
    const space = await buildSpace(organization, 'Imported');
    const titles = async () => {
      const { pages } = succeeded(await api.get<{ pages: { title: string }[] }>(`/spaces/${space.id}/content/pages`));
      return pages.map(({ title }) => title);
    };
    const page = await adminAt(`/s/${space.id}`);
    await page.getByRole('link', { name: 'Imports' }).click();
    await page.getByRole('heading', { name: 'No imports yet' }).waitFor();

    await withWebsite(async (url) => {
      await press(page, 'New import');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Address of the first page').fill('docs.example.com');
      await dialog.getByText('An address begins with https://').waitFor();
      await dialog.getByLabel('Address of the first page').fill(url);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await heading(page, 'Import of a website');
      await page.getByText('waits', { exact: true }).waitFor();
      await work();
    });
    await page.getByText('completed', { exact: true }).waitFor();
    await page.getByText(/Pages written: 2/).waitFor();
    await page
      .getByText(/gone\.png/)
      .first()
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await titles()).toEqual([]);
    await page.getByRole('link', { name: 'See what it changes' }).click();
    await page.getByRole('heading', { name: 'Guide' }).first().waitFor();

    await page.goto(workspace.current.home(`/s/${space.id}/~/imports`));
    await page.getByRole('link', { name: 'Import of a website' }).waitFor();
    await press(page, 'New import');
    await page.getByRole('dialog').getByText('Files', { exact: true }).first().click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('dialog').getByRole('button', { name: 'Files' }).click();
    const buffer = Buffer.from('# Notes\n\nTurn it off. See [more](gone.md).\n');
    await (await chooser).setFiles([{ name: 'notes.md', mimeType: 'text/markdown', buffer }]);
    await page.getByLabel('Put it into a change request').click({ force: true });
    await page.getByText('The new pages are in the space at once.').waitFor();
    await page.getByRole('button', { name: 'Begin the import' }).click();
    await heading(page, 'Import of files');
    await work();
    await page.getByText(/Pages written: 1/).waitFor();
    await page.getByText('notes.md:3').waitFor();
    expect(await titles()).toEqual(['Notes']);
    await page.getByRole('link', { name: 'Notes', exact: true }).click();
    await heading(page, 'Notes');

    const server = await GitServer.start();
    workspace.current.app.get(GitTransport).httpsOnly = false;
    try {
      const repository = await server.create('docs');
      await repository.commit('refs/heads/main', 'First', { 'README.md': '# From git\n\nAll of it.\n' });
      await page.goto(workspace.current.home(`/s/${space.id}/~/imports`));
      for (const [name, state] of [
        ['gone', 'failed'],
        ['docs', 'completed'],
      ]) {
        await press(page, 'New import');
        await page.getByRole('dialog').getByText('Git repository', { exact: true }).click();
        await page.getByLabel('Address of the repository').fill(`${server.url}/${name}.git`);
        await page.getByRole('button', { name: 'Begin the import' }).click();
        await heading(page, 'Import of a git repository');
        await work();
        await page.getByText(state ?? '', { exact: true }).waitFor();
        if (state === 'failed') await page.getByRole('alert').getByText('What went wrong').waitFor();
        expect(await accessibilityFaults(page)).toEqual([]);
        await page.getByRole('link', { name: 'Imports' }).click();
      }
    } finally {
      await server.stop();
    }
    expect(await titles()).toEqual(['Notes']);
    expect(await page.getByRole('row').count()).toBe(5);

    await press(page, 'New import');
    await page.getByLabel('Address of the first page').fill('http://127.0.0.1:1/');
    await page.getByRole('button', { name: 'Begin the import' }).click();
    await press(page, 'Cancel it');
    await page.getByText('cancelled', { exact: true }).waitFor();
    await work();

    const reader = await organization.member('read');
    const other = await workspace.current.signedIn(reader, workspace.current.home(`/s/${space.id}/~/imports`));
    await other.getByText('You cannot import into this space').waitFor();
    expect(await other.getByRole('button', { name: 'New import' }).count()).toBe(0);
  });

  it('read specifications, tell their faults at the line, and keep their versions', async () => {
    const { organization } = workspace.current;
    const { api } = organization.admin;
    const page = await adminAt('/openapi');
    await page.getByRole('heading', { name: 'No specifications' }).waitFor();
    await press(page, 'Add a specification');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Not a name');
    await dialog.getByText('Letters and digits, with single hyphens between them').waitFor();
    await dialog.getByLabel('Name').fill('pets');
    await dialog.getByText('Text or file').click();
    const faulty = 'openapi: 3.1.0\ninfo:\n  title: Pets\n  version: 1\npaths:\n  /pets:\n    get: {}\n';
    await dialog.getByLabel('Text of the specification').fill(faulty);
    await dialog.getByLabel('Faults that do not stop reading').first().click();
    await page.getByRole('option', { name: 'Refuse them' }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await heading(page, 'pets');
    await page.getByText('waits', { exact: true }).waitFor();
    await work();
    await page.getByText('has faults', { exact: true }).waitFor();
    await page.getByText('It was fetched, and is no valid specification.').waitFor();
    expect(await page.getByLabel('What stands there').first().textContent()).toContain('› 4   version: 1');
    await page.getByText('No version yet').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await press(page, 'Give it a source');
    await page.getByRole('dialog').getByText('Text or file').click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Take a file' }).click();
    await (await chooser).setFiles([{ name: 'pets.yaml', mimeType: 'text/yaml', buffer: Buffer.from(faulty) }]);
    await page.getByLabel('Faults that do not stop reading').first().click();
    await page.getByRole('option', { name: 'Accept them, with warnings' }).click();
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByText('waits', { exact: true }).waitFor();
    await work();
    await page.getByRole('heading', { name: /Accepted faults: \d/ }).waitFor();
    await page.getByRole('link', { name: /JSON of the version/ }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    // Another tab has never seen the text: it shows the place in the version that was made from it.
    await page.reload();
    await page.getByLabel('What stands there').first().getByText('"1"').waitFor();

    await page.getByRole('region', { name: 'Visibility' }).locator('input').first().click();
    await page.getByRole('option', { name: 'Everybody' }).click();
    await page.getByText('The visibility is changed.').waitFor();
    const published = await page.getByLabel('Public address').inputValue();
    expect((await fetch(published)).status).toBe(200);

    const reader = await organization.member('read');
    const other = await workspace.current.signedIn(reader, workspace.current.home('/openapi'));
    await other.getByRole('link', { name: 'pets', exact: true }).click();
    await heading(other, 'pets');
    expect(await other.getByRole('button', { name: 'Give it a source' }).count()).toBe(0);

    await press(page, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('pets is deleted.').waitFor();
    await page.getByRole('heading', { name: 'No specifications' }).waitFor();
    expect((await api.get(`/orgs/${organization.id}/openapi/pets`)).status).toBe(404);
  });

  it('send events to webhooks, show their secret once, and deliver again', async () => {
    const { organization } = workspace.current;
    const { api } = organization.admin;
    const path = `/orgs/${organization.id}/webhooks`;
    const page = await adminAt('/webhooks');
    await page.getByRole('heading', { name: 'No webhooks' }).waitFor();
    await press(page, 'New webhook');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(receiver.url('/hook'));
    await dialog.getByLabel('Description').fill(AWKWARD);
    await dialog.getByLabel('Events', { exact: true }).first().fill('space created');
    await page.getByRole('option', { name: 'Space created' }).click();
    await page.keyboard.press('Escape');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Make the webhook' }).click();
    const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('link', { name: receiver.url('/hook') }).click();
    await heading(page, AWKWARD);
    expect(await page.getByLabel('Secret', { exact: true }).count()).toBe(0);
    await page.getByText('No deliveries').waitFor();

    receiver.answer = (response) => response.writeHead(500).end('out of <b>order');
    await press(page, 'Send a test event');
    await page.getByText('The test event is on its way.').waitFor();
    await work();
    await page.getByRole('cell', { name: '500' }).waitFor();
    receiver.answer = (response) => response.end('ok');
    await press(page, 'Deliver again: Ping');
    await page.getByText('It is delivered again.').waitFor();
    await work();
    await page.getByRole('cell', { name: '200' }).waitFor();
    const [first, second] = receiver.at('/hook');
    expect(second?.event['eventId']).toBe(first?.event['eventId']);
    expect(second && verified(second, secret)).toBe(1);
    await press(page, 'Details of Ping');
    await page.getByRole('dialog').getByText('"type": "ping"').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await press(page, 'New secret');
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    const next = await page.getByLabel('Secret', { exact: true }).inputValue();
    expect(next).not.toBe(secret);
    await page.getByText('The former secret signs as well; it ends').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByLabel('All events, those of later releases too').press(' ');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The webhook is saved.').waitFor();
    await page.getByLabel('Send events').press(' ');
    await page.getByText('The webhook is off.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const { items } = succeeded(await api.get<{ items: object[] }>(path));
    expect(items).toMatchObject([{ events: ['*'], active: false, description: AWKWARD }]);

    const reader = await organization.member('create');
    const other = await workspace.current.signedIn(reader, workspace.current.home('/webhooks'));
    await other.getByText('Only administrators of the organization see this.').waitFor();

    await press(page, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The webhook is deleted.').waitFor();
    await page.getByRole('heading', { name: 'No webhooks' }).waitFor();

    await Promise.all(
      Array.from({ length: 50 }, (_, at) => api.post(path, { url: receiver.url(`/${at}`), events: ['*'] })),
    );
    await show(page, workspace.current.home('/webhooks'));
    expect(await page.getByRole('row').count()).toBe(51);
    await press(page, 'New webhook');
    await page.getByRole('dialog').getByLabel('Address').fill(receiver.url('/more'));
    await page.getByLabel('All events, those of later releases too').click({ force: true });
    await page.getByRole('button', { name: 'Make the webhook' }).click();
    await page.getByText(/50/).first().waitFor();
  });
});
