import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { StaticSites } from '../../src/publishing/published-sites/pages/static/static-sites.service.js';
import { useApp } from '../app.js';
import { buildOrganization } from '../build.js';
import { buildSpace, publish } from '../published-site.js';
import { serveFolder, type StaticServer } from '../static-server.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';

const app = useApp();
const BASE = '/handbook';

describeInBrowser('a site of static files in a browser', (browsing) => {
  let folder: string;
  let server: StaticServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-static-'));
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    const page = (title: string, markdown: string): object => ({
      operation: 'insert_page',
      title,
      document: { markdown },
    });
    await space.write(
      page('Welcome', 'Begin here.\n\n```mermaid\ngraph TD; A-->B;\n```\n'),
      page('Glazes', '## Copper\n\nReduction makes copper reds.\n'),
    );
    const site = await publish(workspace, [space]);
    await app.current.get(StaticSites).write({ site: site.id, folder, url: `https://docs.example.com${BASE}` });
    server = await serveFolder(folder, BASE);
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('runs its scripts and no others, and searches without a service', async () => {
    const { page, faults } = await browsing.open();
    await page.goto(`${server.origin}${BASE}/`);
    await page.mouse.wheel(0, 100);
    await page.locator('figure.diagram').waitFor();
    await page.locator('.search input[type=search]').fill('copp');
    const hits = page.locator('.search-results .hit');
    await hits.first().waitFor();
    expect(await hits.allInnerTexts()).toEqual([expect.stringContaining('Glazes'), expect.stringContaining('Copper')]);
    await hits.last().click();
    await page.waitForURL(`${server.origin}${BASE}/glazes/#copper`);
    await page.locator('.search input[type=search]').fill('reds');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${server.origin}${BASE}/~search/?q=reds**`);
    await page.locator('.results .hit').first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('script'), { src: '${BASE}/llms.txt' }))`,
    );
    await page.waitForTimeout(200);
    expect(faults.join()).toContain('Content Security Policy');
  });

  it('can be read without scripts, and has no search then', async () => {
    const { page, faults } = await browsing.open({ javaScriptEnabled: false });
    await page.goto(`${server.origin}${BASE}/`);
    expect(await page.locator('.search').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Glazes' }).first().click();
    await page.waitForURL(`${server.origin}${BASE}/glazes/`);
    expect(await page.locator('main').innerText()).toContain('Reduction makes copper reds');
    expect(faults).toEqual([]);
  });
});
