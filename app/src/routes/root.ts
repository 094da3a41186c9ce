import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { queries, sessionQuery } from '../api/client.js';
import { FaultScreen, NotFoundScreen, NothingScreen } from '../ui/screens.js';

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
  component: lazyRouteComponent(() => import('../shell/shell.js'), 'Shell'),
  beforeLoad: async ({ location }) => {
    const session = await queries.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: '/sign-in', search: { returnTo: location.href } });
  },
});

/** Everything of one organization. */
export const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/o/$organizationId',
  notFoundComponent: NotFoundScreen,
});

/** Everything of one space. */
export const spaceRoute = createRoute({ getParentRoute: () => organizationRoute, path: '/s/$spaceId' });

/** Everything of one change request, by its number or id. */
export const changeRequestRoute = createRoute({
  getParentRoute: () => spaceRoute,
  path: '/~/changes/$changeRequestId',
});
