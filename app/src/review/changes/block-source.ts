import { answered, api } from '../../api/client.js';
import type { RequestAddress } from '../queries.js';

/**
 * The Markdown of a block of a page in a change request, to begin a suggestion with. The interface gives the source of
 * whole pages: the elements that its lines become stand in the same order as the blocks of the page.
 */
export async function blockSource(path: RequestAddress, pageId: string, block: string): Promise<string> {
  const params = { path: { ...path, pageId } };
  const [{ html }, { markdown = '' }] = await Promise.all([
    answered(
      api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/html', {
        params: { ...params, query: { evaluated: 'false' } },
      }),
    ),
    answered(
      api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}', {
        params: { ...params, query: { format: 'markdown', computed: false, evaluated: 'false' } },
      }),
    ),
  ]);
  const rendered = await answered(
    api.POST('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/render', {
      params: { path },
      body: { markdown, page: pageId },
    }),
  );
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

function keyOf(element: Element): string | null {
  return (
    element.getAttribute('data-block') ?? element.querySelector('[data-block]')?.getAttribute('data-block') ?? null
  );
}

function lineOf(element: Element): number {
  return Number(element.getAttribute('data-line'));
}
