import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Access } from '../people/access/access-screen.js';
import { siteTexts } from '../texts/sites.js';
import { useExtensionTabs } from '../extensions/extension-tabs.js';
import { ButtonLink } from '../ui/buttons.js';
import { Loaded, ScreenFrame, ScreenTabs } from '../ui/screens.js';

import { Publishing } from './publishing.js';
import { siteQuery } from './queries.js';
import { Redirects } from './redirects.js';
import { ShareLinks } from './share-links.js';
import { SiteAddresses } from './site-addresses.js';
import { StructureOfSite } from './structure/structure.js';
import { Visitors } from './visitors.js';
import { Look } from './look/look.js';
import { Insights } from './insights/insights.js';

const words = siteTexts;

/** One site: its publication, contents, links, redirects and access. */
export function SiteScreen() {
  const place = useParams({ from: '/signed-in/o/$organizationId/sites/$siteId' });
  const site = useQuery(siteQuery(place));
  const extensions = useExtensionTabs(place);
  return (
    <Loaded query={site}>
      {(found) => (
        <ScreenFrame
          title={found.title}
          actions={<ButtonLink label={words.preview} to="/o/$organizationId/sites/$siteId/preview" params={place} />}
        >
          <ScreenTabs
            labels={{ ...(found.permissions.admin ? words.tabs : words.tabsOfReaders), ...extensions.labels }}
            contents={{
              publishing: <Publishing site={found} place={place} />,
              contents: <StructureOfSite site={found} place={place} />,
              addresses: <SiteAddresses site={found} place={place} />,
              look: <Look place={place} />,
              visitors: <Visitors site={found} place={place} />,
              insights: <Insights place={place} />,
              links: <ShareLinks site={found} place={place} />,
              redirects: <Redirects place={place} />,
              access: <Access thing={{ ...found, organization: place.organizationId }} />,
              ...extensions.contents,
            }}
          />
        </ScreenFrame>
      )}
    </Loaded>
  );
}
