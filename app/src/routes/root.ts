import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { queries } from '../api/query-client.js';
import { sessionQuery } from '../api/session.js';
import { FaultScreen, NothingScreen } from '../ui/screens.js';

/** The root of all screens. */
export const rootRoute = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Outlet,
  errorComponent: FaultScreen,
  notFoundComponent: NothingScreen,
});

/** Screens for people who are signed in, within the frame of the workspace; others are asked to sign in first. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const session = await queries.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: '/sign-in', search: { returnTo: location.href } });
  },
}).lazy(() => import('../shell/shell-route.js').then(({ shellRoute }) => shellRoute));

/** Everything of one organization. */
export const organizationRoute = createRoute({ getParentRoute: () => signedInRoute, path: '/o/$organizationId' });

/** Everything of one space. */
export const spaceRoute = createRoute({ getParentRoute: () => organizationRoute, path: '/s/$spaceId' });

/** Everything of one change request, by its number or id. */
export const changeRequestRoute = createRoute({
  getParentRoute: () => spaceRoute,
  path: '/~/changes/$changeRequestId',
});
