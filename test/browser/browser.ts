import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core';

const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
];

/** The browser of this machine: what CHROMIUM_PATH names, else Chromium where Debian puts it. */
function chromiumPath(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  return (CHROMIUM_PATH === undefined ? USUAL : [CHROMIUM_PATH]).find((path) => existsSync(path));
}

const NO_BROWSER = 'there is no Chromium: install it, or set CHROMIUM_PATH';

function launch(executablePath: string): Promise<Browser> {
  // Root has no sandbox, and containers have little shared memory.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** Notes every shift of the layout, in the page itself. */
const WATCH_SHIFTS = `window.layoutShift = 0;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShift += entry.value }).observe({ type: 'layout-shift', buffered: true });`;

/** A page in a context of its own, and whatever went wrong in it. */
export interface Tab {
  readonly page: Page;
  /** What the console said of errors, refusals of the content security policy among them, and answers of 400 and above. */
  readonly faults: string[];
  close(): Promise<void>;
}

async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.addInitScript({ content: WATCH_SHIFTS });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  return { page, faults, close: () => context.close() };
}

interface AxeFound {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** What is fading in has not its colours yet; endless animations are not waited for. */
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished)).then(() => undefined)`;

/** Faults that axe-core finds in a page, one line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(SETTLED);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeFound>('axe.run(document, { resultTypes: ["violations"] })');
  return violations.flatMap(({ id, help, nodes }) =>
    nodes
      .slice(0, 5)
      .map(
        ({ html, failureSummary = '' }) =>
          `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary.replace(/\s+/g, ' ').slice(0, 300)}`,
      ),
  );
}

/** Bytes that the network carried for a page, its pictures left out; compression counts. */
export async function transferred(
  page: Page,
  url: string,
): Promise<{ readonly bytes: number; readonly requests: readonly string[] }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const kinds = new Map<string, string>();
  const requests: string[] = [];
  let bytes = 0;
  session.on('Network.requestWillBeSent', ({ requestId, type = '', request }) =>
    kinds.set(requestId, `${type} ${request.url}`),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? '';
    if (kind.startsWith('Image ')) return;
    bytes += encodedDataLength;
    requests.push(`${encodedDataLength} ${kind}`);
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  await session.detach();
  return { bytes, requests };
}

/** The files of the program that a page loads during an action, and their bytes as browsers load them over HTTPS, in brotli. */
export async function programBytes(
  page: Page,
  act: () => Promise<unknown>,
): Promise<{ readonly bytes: number; readonly names: readonly string[] }> {
  const urls = new Set<string>();
  const note = (request: Request): void => {
    if (['document', 'script', 'stylesheet'].includes(request.resourceType())) urls.add(request.url());
  };
  page.on('request', note);
  await act();
  page.off('request', note);
  const answers = await Promise.all([...urls].map((url) => fetch(url, { headers: { 'Accept-Encoding': 'br' } })));
  const lengths = await Promise.all(
    answers.map(async (answer) => Number(answer.headers.get('content-length') ?? (await answer.text()).length)),
  );
  return {
    bytes: lengths.reduce((sum, length) => sum + length, 0),
    names: [...urls].map((url) => url.split('/').at(-1) ?? ''),
  };
}

/** The browser of some tests, with a folder of screenshots to be looked at. */
export class Browsing {
  private readonly tabs: Tab[] = [];

  constructor(
    private readonly browser: () => Browser,
    private readonly folder: () => string,
  ) {}

  /** A tab until the end of the test. */
  async open(options?: BrowserContextOptions): Promise<Tab> {
    const tab = await openTab(this.browser(), options);
    this.tabs.push(tab);
    return tab;
  }

  async take(page: Page, name: string): Promise<void> {
    await page.screenshot({ path: join(this.folder(), `${name}.png`) });
  }

  async closeTabs(): Promise<void> {
    for (const tab of this.tabs.splice(0)) await tab.close();
  }
}

/** Describes what is seen in the browser of this machine; where there is none, it says so and skips, or fails if REQUIRE_CHROMIUM is set. */
export function describeInBrowser(title: string, tests: (browsing: Browsing) => void): void {
  const path = chromiumPath();
  const isSkipped = path === undefined && !process.env['REQUIRE_CHROMIUM'];
  if (isSkipped) process.stdout.write(`skipped: ${NO_BROWSER}\n`);
  (isSkipped ? describe.skip : describe)(title, () => {
    let browser: Browser;
    let folder: string;
    const browsing = new Browsing(
      () => browser,
      () => folder,
    );
    beforeAll(async () => {
      if (path === undefined) throw new Error(NO_BROWSER);
      browser = await launch(path);
      folder = await mkdtemp(join(tmpdir(), 'bindery-screenshots-'));
      process.stdout.write(`screenshots: ${folder}\n`);
    }, 60_000);
    afterEach(() => browsing.closeTabs());
    afterAll(() => browser.close());
    tests(browsing);
  });
}
