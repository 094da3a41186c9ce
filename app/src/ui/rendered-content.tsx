import { useComputedColorScheme } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { isPlainClick, workspacePath } from './buttons.js';
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';

/** The address of the style sheet of published pages. */
const STYLES = new URL('content.css', document.baseURI).href;

/**
 * Rules of the workspace for content: it takes the width that it is given, and wide content scrolls within it. Hints are
 * lighter on the dark ground of the workspace than on that of sites, and so are the links in them.
 */
const FRAME = `:host { display: block; min-width: 0; overflow-wrap: anywhere; } .content { max-width: none; }
  :host([data-theme='dark']) .hint a { color: #7ba7f8; }`;

interface RenderedContentProps {
  /** Rendered by the server from content that people wrote; scripts are not in it. */
  readonly html: string;
  readonly label: string;
  /** Further rules for the content. */
  readonly css?: string;
  /** Called with the element that has the content, each time that it has changed; the result undoes what it did. */
  readonly onContent?: (content: HTMLElement) => (() => void) | undefined;
  /** Elements of the workspace with the attribute `slot`, shown where `onContent` puts slots into the content. */
  readonly children?: ReactNode;
}

/**
 * Content as the server renders it for published pages, in a shadow root with their style sheet. The only place of the
 * workspace that takes HTML. Links within the workspace are followed without a reload.
 */
export function RenderedContent({ html, label, css = '', onContent, children }: RenderedContentProps) {
  const host = useRef<HTMLDivElement>(null);
  const theme = useComputedColorScheme('light');
  const router = useRouter();

  useLayoutEffect(() => {
    const content = contentOf(host.current);
    if (!content) return undefined;
    content.innerHTML = html;
    return onContent?.(content);
  }, [html, onContent]);

  useLayoutEffect(() => {
    const root = host.current?.shadowRoot;
    if (!root) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${FRAME}\n${css}`);
    root.adoptedStyleSheets = [sheet];
  }, [css]);

  useEffect(() => {
    const root = host.current?.shadowRoot;
    const follow = (event: Event): void => {
      if (event instanceof MouseEvent) followLink(event, root, (path) => router.history.push(path));
    };
    root?.addEventListener('click', follow);
    return () => root?.removeEventListener('click', follow);
  }, [router]);

  return (
    <div ref={host} role="group" aria-label={label} data-theme={theme}>
      {children}
    </div>
  );
}

/** The element with the content of a host; makes its shadow root the first time. */
function contentOf(host: HTMLElement | null): HTMLElement | null {
  if (!host) return null;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const present = root.querySelector<HTMLElement>('.content');
  if (present) return present;
  const styles = document.createElement('link');
  styles.rel = 'stylesheet';
  styles.href = STYLES;
  const content = document.createElement('div');
  content.className = 'content';
  root.append(styles, content);
  return content;
}

/** Shows content that the server rendered in an element that React does not know, in the present colours. */
export function showRendered(host: HTMLElement, html: string): void {
  const content = contentOf(host);
  if (!content || !host.shadowRoot) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(FRAME);
  host.shadowRoot.adoptedStyleSheets = [sheet];
  host.dataset['theme'] = document.documentElement.dataset['mantineColorScheme'] ?? 'light';
  content.innerHTML = html;
}

/** Follows a link of a shadow tree: within it, to a screen of the workspace without a reload, or elsewhere in a new tab. */
export function followLink(event: MouseEvent, root: ShadowRoot | null | undefined, push: (path: string) => void): void {
  const link = event.composedPath().find((each): each is HTMLAnchorElement => each instanceof HTMLAnchorElement);
  if (!link || event.defaultPrevented || !isPlainClick(event)) return;
  const written = link.getAttribute('href') ?? '';
  if (written.startsWith('#')) {
    event.preventDefault();
    targetOf(written.slice(1), root)?.scrollIntoView({ block: 'start' });
    return;
  }
  const path = workspacePath(link.href);
  if (path === undefined) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    return;
  }
  event.preventDefault();
  push(path);
}

/** The element that a fragment names; people may write fragments that no browser can decode. */
function targetOf(fragment: string, root: ShadowRoot | null | undefined): HTMLElement | null | undefined {
  const names = [fragment];
  try {
    names.push(decodeURIComponent(fragment));
  } catch {
    // It is a name as it is written only.
  }
  return names.map((name) => root?.getElementById(name)).find(Boolean);
}
