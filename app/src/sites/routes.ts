import { createRoute, lazyRouteComponent as lazy, redirect } from '@tanstack/react-router';
import { get } from '../api/client.js';
import { organizationRoute } from '../routes/root.js';
import { texts } from '../routes/search.js';

const ofOrganization = { getParentRoute: () => organizationRoute };
const sites = lazy(() => import('./sites-screen.js'), 'SitesScreen');
const site = lazy(() => import('./site-screen.js'), 'SiteScreen');

/** Screens of the sites of an organization. */
export const siteRoutes = [
  createRoute({ ...ofOrganization, path: '/sites', component: sites }),
  createRoute({ ...ofOrganization, path: '/sites/$siteId', component: site, validateSearch: texts('tab', 'source') }),
  createRoute({
    ...ofOrganization,
    path: '/sites/$siteId/preview',
    beforeLoad: async ({ params }) => {
      const { url } = await get('/v1/orgs/{organizationId}/sites/{siteId}/publishing/preview', params);
      throw redirect({ href: url, reloadDocument: true });
    },
  }),
] as const;
