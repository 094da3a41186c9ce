import { expect, it } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { FilledWorkspace, unvisitedRoutes } from './workspace-screens.js';
import { enter, show, useWorkspace } from './workspace.js';

const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 380, height: 800 };
const LOOKS: readonly (readonly [string, BrowserContextOptions & { readonly viewport: typeof WIDE }])[] = [
  ['light', { viewport: WIDE, colorScheme: 'light' }],
  ['dark', { viewport: WIDE, colorScheme: 'dark' }],
  ['light-phone', { viewport: PHONE, colorScheme: 'light' }],
  ['dark-phone', { viewport: PHONE, colorScheme: 'dark' }],
];

/** Names of controls that reach beyond the window, and that no table brings there by scrolling. */
const BEYOND = `[...document.querySelectorAll('button, a, input')]
  .filter((control) => control.getBoundingClientRect().right > innerWidth && !control.closest('.mantine-ScrollArea-viewport'))
  .map((control) => control.getAttribute('aria-label') ?? control.textContent)`;

describeInBrowser('every screen of the workspace', (browsing) => {
  const workspace = useWorkspace(browsing);

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
        for (const control of await page.evaluate<string[]>(BEYOND)) faults.push([path, `${control} is cut off`]);
        await browsing.take(page, `${look}-${visited.length}`);
        visited.push(path.replace(/[?#].*/, ''));
      };
      const filled = new FilledWorkspace(workspace.current);
      for (const address of await filled.outside()) await visit(address);
      await enter(page, await workspace.current.linkFor(workspace.current.organization.admin));
      for (const address of [...(await filled.inside()), await filled.preview()]) await visit(address);
      expect(faults).toEqual([]);
      expect(unvisitedRoutes(visited)).toEqual([]);
    },
    900_000,
  );
});
