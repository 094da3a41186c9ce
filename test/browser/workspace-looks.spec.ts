import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { buildSpace } from '../published-site.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { edit, enter, show, succeeded, useWorkspace } from './workspace.js';

const APP = join(import.meta.dirname, '../../app/src');
const TEXT =
  'Needs **Node.js** 18.\n\n{% hint style="info" %}\nA hint.\n{% endhint %}\n\n| A | B |\n|---|---|\n| 1 | 2 |\n';
const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 380, height: 800 };
const LOOKS: readonly (readonly [string, BrowserContextOptions & { readonly viewport: typeof WIDE }])[] = [
  ['light', { viewport: WIDE, colorScheme: 'light' }],
  ['dark', { viewport: WIDE, colorScheme: 'dark' }],
  ['light-phone', { viewport: PHONE, colorScheme: 'light' }],
  ['dark-phone', { viewport: PHONE, colorScheme: 'dark' }],
];

interface Made {
  readonly id: string;
}

/** Paths of all routes, as the files of routes name them. */
function pathsOfRoutes(): string[] {
  return readdirSync(APP, { recursive: true, encoding: 'utf8' })
    .filter((name) => /routes?\.tsx?$/.test(name))
    .flatMap((name) => [...readFileSync(join(APP, name), 'utf8').matchAll(/\bpath: '([^']+)'/g)])
    .map(([, path = '']) => path)
    .filter((path) => path !== '/' && path !== '/$');
}

describeInBrowser('every screen of the workspace', (browsing) => {
  const workspace = useWorkspace(browsing);

  /** Addresses of the screens that need nobody to be signed in. */
  async function outside(): Promise<string[]> {
    const { organization } = workspace.current;
    const { admin, id } = organization;
    const email = `${Math.random().toString(36).slice(2)}@example.com`;
    succeeded(await admin.api.post(`/orgs/${id}/invites`, { emails: [email], role: 'edit' }));
    const join = succeeded(await admin.api.post<Made>(`/orgs/${id}/link-invites`, { role: 'read' }));
    return [
      ...['/sign-in', '/sign-in#unknown', '/invitations/unknown', `/join/${id}/${join.id}`].map((path) =>
        workspace.current.at(path),
      ),
      await workspace.current.linkFor(admin),
      await workspace.current.addressFor(email, /http\S+\/invitations\/\w+/),
    ];
  }

  /** Addresses of the screens behind the sign-in of the administrator, each with something to show. */
  async function inside(): Promise<string[]> {
    const { organization, app } = workspace.current;
    const { admin, id } = organization;
    const colleague = await organization.member('review');
    const collection = succeeded(await admin.api.post<Made>(`/orgs/${id}/collections`, { title: 'Guides' }));
    const [space, deleted] = [await buildSpace(organization, 'Handbook'), await buildSpace(organization, 'Old')];
    succeeded(await admin.api.post(`/spaces/${space.id}/move`, { parent: collection.id }));
    succeeded(await admin.api.delete(`/spaces/${deleted.id}`));
    const [install = ''] = await space.write({
      operation: 'insert_page',
      title: 'Install',
      document: { markdown: TEXT },
    });
    const { number, path } = await workspace.current.propose(space, 'Newer', edit(install, TEXT.replace('18', '22')));
    await space.write(edit(install, TEXT.replace('18', '20')));
    succeeded(await colleague.api.post(`${path}/comments`, { body: { markdown: 'Is **22** right?' } }));
    await app.get(Jobs).drain();
    const { revision } = succeeded(await admin.api.get<{ revision: string }>(`/spaces/${space.id}`));
    const place = `/s/${space.id}`;
    const request = `${place}/~/changes/${number}`;
    const page = `/~/pages/${install}`;
    const inOrganization = [
      ...['', `/c/${collection.id}`, '/people', '/people?tab=invitations', '/people?tab=links'],
      ...['/search?query=node', '/search', '/trash', '/changes', '/no/such/screen'],
      ...['', page, `${page}?edit=true`, '/~/changes', '/~/files', '/~/variables', '/~/history'].map(
        (to) => place + to,
      ),
      ...['', page].map((to) => `${place}/~/revisions/${revision}${to}`),
      ...['', '/~/changes', '/~/conflicts', '/~/files', page, `${page}?edit=true`].map((to) => request + to),
    ];
    const tabs = ['', '?tab=sessions', '?tab=tokens', '?tab=notifications'];
    return [
      ...['/', '/notifications', `/u/${colleague.id}`, ...tabs.map((tab) => `/account${tab}`)].map((to) =>
        workspace.current.at(to),
      ),
      ...inOrganization.map((to) => workspace.current.home(to)),
    ];
  }

  it.each(LOOKS)(
    'has no fault of accessibility and is not wider than the window: %s',
    async (look, options) => {
      const faults: unknown[] = [];
      const visited: string[] = [];
      const { page } = await browsing.open(options);
      const visit = async (address: string): Promise<void> => {
        const path = address.slice(workspace.current.at('').length);
        // Another hash alone loads nothing.
        await page.goto('about:blank');
        await show(page, address).catch((error: unknown) => faults.push([path, String(error)]));
        for (const fault of await accessibilityFaults(page)) faults.push([path, fault]);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (width > options.viewport.width) faults.push([path, `is ${width} wide`]);
        await browsing.take(page, `${look}-${visited.length}`);
        visited.push(path.replace(/[?#].*/, ''));
      };
      for (const address of await outside()) await visit(address);
      await enter(page, await workspace.current.linkFor(workspace.current.organization.admin));
      for (const address of await inside()) await visit(address);
      expect(faults).toEqual([]);
      for (const path of pathsOfRoutes()) {
        const pattern = new RegExp(`${path.replaceAll(/\$\w+/g, '[^/]+')}(/|$)`);
        expect([path, visited.some((each) => pattern.test(each))]).toEqual([path, true]);
      }
    },
    900_000,
  );
});
