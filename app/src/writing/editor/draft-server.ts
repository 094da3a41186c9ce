import { answeredWithResponse, api, get } from '../../api/client.js';
import type { Place } from '../place.js';
import { write } from '../write.js';
import type { DraftServer } from './draft.js';
import { markdownOf, textOf } from './page-text.js';

/** Reads and writes one page at a place over the public interface. */
export function draftServer(place: Place, pageId: string): DraftServer {
  const { spaceId, changeRequestId } = place;
  return {
    head: async () => {
      const { data, response } = await answeredWithResponse<{ readonly revision: string }>(
        changeRequestId === undefined
          ? api.GET('/v1/spaces/{spaceId}', { params: { path: { spaceId } } })
          : api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}', {
              params: { path: { spaceId, changeRequestId } },
            }),
      );
      return { revision: data.revision, etag: response.headers.get('ETag') ?? '*' };
    },
    write: async (text, base, etag) => {
      const document = { markdown: markdownOf(text) };
      const { revision } = await write(place, [{ operation: 'update_page', page: pageId, base, document }], etag);
      return revision;
    },
    read: async (revisionId) => {
      const page = await get(
        '/v1/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}',
        { spaceId, revisionId, pageId },
        { format: 'markdown', computed: false, evaluated: 'false' },
      );
      return {
        ...textOf(page.markdown ?? '', page.title),
        title: page.title,
        version: `${page.documentId} ${page.title}`,
      };
    },
  };
}
