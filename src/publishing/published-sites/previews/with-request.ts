import { claimsKey } from '../domain/visitor.js';
import type { Visit } from '../visit.js';
import type { PreviewedRequest } from './previewed-request.js';

/**
 * A visit of a site with the content of a change request in the place of its space; undefined if the visitor does not
 * see that space in the site. All that pages follow from is in the key of the claims, so that no cache mixes previews
 * with each other or with what is published.
 */
export function withRequest(visit: Visit, preview: PreviewedRequest): Visit | undefined {
  const { spaceId } = preview.grant;
  if (!visit.rows.siteSpaces.some(({ id }) => id === spaceId)) return undefined;
  const { number, subject, revisionId, app, point } = preview;
  const { line, sequence, base, hidden } = point;
  return {
    ...visit,
    preview,
    claimsKey: claimsKey({
      seen: visit.claimsKey,
      request: { number, subject, revisionId, app, line, sequence, base, hidden },
    }),
    rows: {
      ...visit.rows,
      // No address of a preview is one of the published site.
      siteSpaces: visit.rows.siteSpaces.map((row) => ({
        ...row,
        route: null,
        ...(row.id === spaceId && { revisionId, hiddenPages: hidden }),
      })),
    },
  };
}
