import { get, REQUEST, send } from '../../api/client.js';
import type { RequestAddress } from '../../api/queries.js';

/**
 * The Markdown of a block of a page in a change request, to begin a suggestion with. The interface gives the source of
 * whole pages: the elements that its lines become stand in the same order as the blocks of the page.
 */
export async function blockSource(request: RequestAddress, page: string, block: string): Promise<string> {
  const path = { ...request, pageId: page };
  const [{ html }, { markdown = '' }] = await Promise.all([
    get(`${REQUEST}/content/page/{pageId}/html`, path, { evaluated: 'false' }),
    get(`${REQUEST}/content/page/{pageId}`, path, { format: 'markdown', computed: false, evaluated: 'false' }),
  ]);
  const rendered = await send('post', `${REQUEST}/content/render`, path, { markdown, page });
  const blocks = elementsOf(html);
  const written = elementsOf(rendered.html);
  const at = blocks.findIndex((element) => keyOf(element) === block);
  const found = written[at];
  if (at < 0 || blocks.length !== written.length || !found) return '';
  const line = lineOf(found);
  const next = written.slice(at + 1).find((element) => lineOf(element) > line);
  const lines = markdown.split('\n').slice(line - 1, next ? lineOf(next) - 1 : undefined);
  return `${lines.join('\n').trim()}\n`;
}

function elementsOf(html: string): Element[] {
  return [...new DOMParser().parseFromString(html, 'text/html').body.children];
}

function keyOf(element: Element): string | null | undefined {
  return element.getAttribute('data-block') ?? element.querySelector('[data-block]')?.getAttribute('data-block');
}

function lineOf(element: Element): number {
  return Number(element.getAttribute('data-line'));
}
