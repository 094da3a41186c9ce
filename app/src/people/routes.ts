import { createRoute, redirect } from '@tanstack/react-router';
import { get } from '../api/client.js';
import { organizationRoute, rootRoute, signedInRoute } from '../routes/root.js';

type Search = Readonly<Record<string, unknown>>;

/** A parameter of an address that is a text. */
function text<Name extends string>(search: Search, name: Name): { readonly [each in Name]?: string } {
  const value = search[name];
  const given = typeof value === 'number' ? String(value) : value;
  return (typeof given === 'string' && given !== '' ? { [name]: given } : {}) as { readonly [each in Name]?: string };
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Search) => ({ ...text(search, 'returnTo'), ...text(search, 'organization') }),
}).lazy(() => import('./sign-in-screen.js').then(({ signInScreen }) => signInScreen));

const invitationRoute = createRoute({ getParentRoute: () => rootRoute, path: '/invitations/$secret' }).lazy(() =>
  import('./join-screens.js').then(({ invitationScreen }) => invitationScreen),
);

const joinRoute = createRoute({ getParentRoute: () => rootRoute, path: '/join/$organizationId/$inviteId' }).lazy(() =>
  import('./join-screens.js').then(({ joinScreen }) => joinScreen),
);

const homeRoute = createRoute({ getParentRoute: () => signedInRoute, path: '/' }).lazy(() =>
  import('./home-screen.js').then(({ homeScreen }) => homeScreen),
);

const notificationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/notifications',
  validateSearch: (search: Search) => ({ ...text(search, 'kind'), ...(search['all'] === true && { all: true }) }),
}).lazy(() => import('./notifications-screen.js').then(({ notificationsScreen }) => notificationsScreen));

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  validateSearch: (search: Search) => text(search, 'tab'),
}).lazy(() => import('./account-screen.js').then(({ accountScreen }) => accountScreen));

const organizationHomeRoute = createRoute({ getParentRoute: () => organizationRoute, path: '/' }).lazy(() =>
  import('./organization-screen.js').then(({ organizationScreen }) => organizationScreen),
);

const collectionRoute = createRoute({ getParentRoute: () => organizationRoute, path: '/c/$collectionId' }).lazy(() =>
  import('./collection-screen.js').then(({ collectionScreen }) => collectionScreen),
);

const searchRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/search',
  validateSearch: (search: Search) => text(search, 'query'),
}).lazy(() => import('./search-screen.js').then(({ searchScreen }) => searchScreen));

const peopleRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/people',
  validateSearch: (search: Search) => ({ ...text(search, 'tab'), ...text(search, 'search') }),
}).lazy(() => import('./people-screen.js').then(({ peopleScreen }) => peopleScreen));

const trashRoute = createRoute({ getParentRoute: () => organizationRoute, path: '/trash' }).lazy(() =>
  import('./trash-screen.js').then(({ trashScreen }) => trashScreen),
);

/** The address of a person who is mentioned. */
const personRoute = createRoute({ getParentRoute: () => signedInRoute, path: '/u/$userId' }).lazy(() =>
  import('./person-screen.js').then(({ personScreen }) => personScreen),
);

/** Screens for people who are not signed in. */
export const comingInRoutes = [signInRoute, invitationRoute, joinRoute] as const;
/** Screens of a person. */
export const homeRoutes = [homeRoute, notificationsRoute, accountRoute] as const;
/** Screens of an organization. */
export const organizationRoutes = [
  organizationHomeRoute,
  collectionRoute,
  searchRoute,
  peopleRoute,
  trashRoute,
] as const;
/** Short addresses, as links and mentions in content have them: they do not name the organization. */
export const shortRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/s/$spaceId',
    beforeLoad: async ({ params: path }) => {
      const { organization: organizationId } = await get('/v1/spaces/{spaceId}', path);
      throw redirect({ to: '/o/$organizationId/s/$spaceId', params: { ...path, organizationId } });
    },
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/c/$collectionId',
    beforeLoad: async ({ params: path }) => {
      const { organization: organizationId } = await get('/v1/collections/{collectionId}', path);
      throw redirect({ to: '/o/$organizationId/c/$collectionId', params: { ...path, organizationId } });
    },
  }),
  personRoute,
] as const;
