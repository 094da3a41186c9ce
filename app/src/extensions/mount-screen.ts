import type { Host, Screen, Unmount } from '../../workspace.js';
import { extensionTexts as words } from '../texts/extensions.js';
import { isMissing } from './missing-script.js';
import type { ModuleScreen } from './queries.js';
import sheetText from './screen.css?inline';

/** Milliseconds after which a screen that is not there counts as failed. */
const LATE = 15_000;

export interface MountOptions {
  readonly screen: ModuleScreen;
  readonly host: Host;
  /** Counts the attempts: browsers remember a script that failed by its address. */
  readonly attempt: number;
  readonly onShown: () => void;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Shows a screen of a module in a shadow tree of its own within an element of the workspace, so that neither's styles
 * reach the other; the result ends it. Whatever the module does wrong is told to `onFault`, once.
 */
export function mountScreen(
  container: HTMLElement,
  { screen, host, attempt, onShown, onFault }: MountOptions,
): () => void {
  const element = document.createElement('div');
  const content = document.createElement('div');
  element.attachShadow({ mode: 'open' }).append(content);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(sheetText);
  element.shadowRoot?.adoptedStyleSheets.push(sheet);
  container.append(element);

  let isOver = false;
  let unmount: Unmount | undefined;
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
    element.remove();
    quietly(unmount);
    unmount = undefined;
  };
  const fail = (fault: unknown): void => {
    if (isOver) return;
    console.error(`The screen ${screen.path} of the module ${screen.module} failed.`, fault);
    end();
    onFault(fault);
  };
  const timer = setTimeout(() => fail(new Error(words.late)), LATE);

  const show = async (): Promise<void> => {
    const [script] = await Promise.all([
      load(screen.urls.script, attempt),
      ...screen.urls.styles.map(styleIn(element)),
    ]);
    if (isOver) return;
    const ending = (await script.mount(content, host)) ?? undefined;
    if (isOver) return quietly(ending);
    unmount = typeof ending === 'function' ? ending : undefined;
    clearTimeout(timer);
    onShown();
  };
  show().catch(fail);
  return end;
}

/** Ends a screen; what goes wrong then is nobody's concern but the module's. */
function quietly(unmount: unknown): void {
  try {
    if (typeof unmount === 'function') (unmount as Unmount)();
  } catch (error) {
    console.error(error);
  }
}

/** A file of a module did not arrive. */
export class MissingFile extends Error {}

/** An address of a file of a module; others are never loaded. */
function ownAddress(address: string): URL {
  const url = new URL(address);
  if (!url.href.startsWith(new URL('extensions/', document.baseURI).href)) throw new Error(words.noFile);
  return url;
}

async function load(address: string, attempt: number): Promise<Screen> {
  const url = ownAddress(address);
  if (attempt > 0) url.searchParams.set('attempt', String(attempt));
  const found = (await import(/* @vite-ignore */ url.href).catch((error: unknown) => {
    throw isMissing(error) ? new MissingFile(words.noFile, { cause: error }) : error;
  })) as Partial<Screen>;
  if (typeof found.mount !== 'function') throw new Error(words.noMount);
  return found as Screen;
}

const styleIn =
  (element: HTMLElement) =>
  (address: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = ownAddress(address).href;
      link.addEventListener('load', () => resolve());
      link.addEventListener('error', () => reject(new MissingFile(words.noFile)));
      element.shadowRoot?.prepend(link);
    });
