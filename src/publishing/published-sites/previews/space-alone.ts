import type { Data, DataObject } from '../../../kernel/common/expressions/tree.js';
import type { SpaceForCaller } from '../../../workspace/spaces/spaces.schema.js';
import type { SiteForCaller } from '../../sites/sites.schema.js';
import { claimsKey } from '../domain/visitor.js';
import type { Visit } from '../visit.js';
import type { PreviewGrant } from './previewed-request.js';

/**
 * A visit of a space that is shown by itself, as a plain site of its title with the settings of a new site. Without
 * declarations of a site, conditions see the claims as they were given.
 */
export function spaceAlone(
  space: SpaceForCaller,
  hiddenPages: readonly string[],
  { memberId, signed, unsigned, until }: PreviewGrant,
): Visit {
  const { id, organizationId, title, version, createdAt } = space;
  const site: SiteForCaller = {
    id,
    organizationId,
    type: 'ultimate',
    title,
    basename: id,
    hostname: null,
    claimedHostname: null,
    proxy: null,
    visibility: 'unlisted',
    published: false,
    adaptiveContent: true,
    agentsContext: 'included',
    unansweredQuestions: 'discarded',
    defaultSectionId: null,
    defaultSiteSpaceId: id,
    customization: {},
    version,
    createdAt,
    siteSpaces: 1,
  };
  const visitor: DataObject = { claims: { ...(signed as DataObject), unsigned: (unsigned ?? {}) as Data } };
  return {
    site,
    rows: {
      groups: [],
      sections: [],
      links: [],
      siteSpaces: [
        {
          ...space,
          hiddenPages,
          siteSpaceId: id,
          siteSpacePath: id,
          siteSpaceVersion: version,
          sectionId: null,
          draft: false,
          condition: null,
          overrides: {},
          isDefault: true,
          route: null,
        },
      ],
    },
    visitor,
    claimsKey: claimsKey(visitor),
    isRestricted: false,
    stamp: `${version} ${title}`,
    grant: { siteId: id, organizationId, memberId, until },
  };
}
