import { createRouter } from '@tanstack/react-router';
import { queries } from '../api/client.js';
import { LoadingScreen } from '../ui/screens.js';
import { changeRequestRoute, organizationRoute, rootRoute, signedInRoute, spaceRoute } from './root.js';
import { extensionRoutes, spaceExtensionRoutes } from '../extensions/routes.js';
import { comingInRoutes, homeRoutes, organizationRoutes, shortRoutes } from '../people/routes.js';
import { changeRequestRoutes, organizationReviewRoutes, spaceReviewRoutes } from '../review/routes.js';
import { changeRequestServiceRoutes, serviceRoutes, spaceServiceRoutes } from '../services/routes.js';
import { settingsRoutes, spaceSettingsRoutes } from '../settings/routes.js';
import { siteRoutes } from '../sites/routes.js';
import { changeRequestPageRoutes, spaceRoutes } from '../writing/routes.js';

const routeTree = rootRoute.addChildren([
  ...comingInRoutes,
  signedInRoute.addChildren([
    ...homeRoutes,
    ...shortRoutes,
    organizationRoute.addChildren([
      ...organizationRoutes,
      ...organizationReviewRoutes,
      ...siteRoutes,
      ...serviceRoutes,
      ...settingsRoutes,
      ...extensionRoutes,
      spaceRoute.addChildren([
        ...spaceRoutes,
        ...spaceReviewRoutes,
        ...spaceServiceRoutes,
        ...spaceSettingsRoutes,
        ...spaceExtensionRoutes,
        changeRequestRoute.addChildren([
          ...changeRequestRoutes,
          ...changeRequestPageRoutes,
          ...changeRequestServiceRoutes,
        ]),
      ]),
    ]),
  ]),
]);

/** The screens by their addresses below the address of the workspace, which index.html names. */
export const router = createRouter({
  routeTree,
  basepath: new URL(document.baseURI).pathname.replace(/\/$/, ''),
  context: { queries },
  defaultPreload: 'intent',
  defaultPendingComponent: LoadingScreen,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
