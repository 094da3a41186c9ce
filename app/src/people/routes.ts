import { createRoute } from '@tanstack/react-router';
import { rootRoute, signedInRoute } from '../routes/root.js';

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: ({ returnTo }: Record<string, unknown>): { returnTo?: string } =>
    typeof returnTo === 'string' ? { returnTo } : {},
}).lazy(() => import('./sign-in-screen.js').then(({ signInScreen }) => signInScreen));

const homeRoute = createRoute({ getParentRoute: () => signedInRoute, path: '/' }).lazy(() =>
  import('./home-screen.js').then(({ homeScreen }) => homeScreen),
);

/** Screens for people who are not signed in. */
export const comingInRoutes = [signInRoute] as const;
/** Screens of a person. */
export const homeRoutes = [homeRoute] as const;
/** Screens of an organization. */
export const organizationRoutes = [] as const;
