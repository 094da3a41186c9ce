import { createRoute, lazyRouteComponent as lazy, redirect } from '@tanstack/react-router';
import { get } from '../api/client.js';
import { organizationRoute, rootRoute, signedInRoute } from '../routes/root.js';
import { texts } from '../routes/search.js';

const atRoot = { getParentRoute: () => rootRoute };
const signedIn = { getParentRoute: () => signedInRoute };
const ofOrganization = { getParentRoute: () => organizationRoute };

const signIn = lazy(() => import('./sign-in-screen.js'), 'SignIn');
const invitation = lazy(() => import('./join-screens.js'), 'InvitationScreen');
const join = lazy(() => import('./join-screens.js'), 'JoinScreen');
const home = lazy(() => import('./organization-screen.js'), 'HomeScreen');
const notifications = lazy(() => import('./notifications-screen.js'), 'NotificationsScreen');
const account = lazy(() => import('./account-screen.js'), 'AccountScreen');
const person = lazy(() => import('./person-screen.js'), 'PersonScreen');
const organization = lazy(() => import('./organization-screen.js'), 'OrganizationScreen');
const collection = lazy(() => import('./collection-screen.js'), 'CollectionScreen');
const search = lazy(() => import('./search-screen.js'), 'SearchScreen');
const people = lazy(() => import('./people-screen.js'), 'PeopleScreen');
const access = lazy(() => import('./access/access-screen.js'), 'AccessScreen');
const trash = lazy(() => import('./trash-screen.js'), 'TrashScreen');

const notificationsSearch = (given: Readonly<Record<string, unknown>>) => ({
  ...texts('kind')(given),
  ...(given['all'] === true && { all: true }),
});

/** Leads to the address of something in its organization. */
async function leadOn(found: Promise<{ readonly organization: string }>, path: string): Promise<never> {
  throw redirect({ href: `/o/${(await found).organization}${path}` });
}

/** Screens for people who are not signed in. */
export const comingInRoutes = [
  createRoute({ ...atRoot, path: '/sign-in', component: signIn, validateSearch: texts('returnTo', 'organization') }),
  createRoute({ ...atRoot, path: '/invitations/$secret', component: invitation }),
  createRoute({ ...atRoot, path: '/join/$organizationId/$inviteId', component: join }),
] as const;

/** Screens of a person. */
export const homeRoutes = [
  createRoute({ ...signedIn, path: '/', component: home }),
  createRoute({ ...signedIn, path: '/notifications', component: notifications, validateSearch: notificationsSearch }),
  createRoute({ ...signedIn, path: '/account', component: account, validateSearch: texts('tab') }),
] as const;

/** Screens of an organization. */
export const organizationRoutes = [
  createRoute({ ...ofOrganization, path: '/', component: organization }),
  createRoute({ ...ofOrganization, path: '/c/$collectionId', component: collection }),
  createRoute({ ...ofOrganization, path: '/c/$collectionId/access', component: access }),
  createRoute({ ...ofOrganization, path: '/s/$spaceId/~/access', component: access }),
  createRoute({ ...ofOrganization, path: '/search', component: search, validateSearch: texts('query') }),
  createRoute({ ...ofOrganization, path: '/people', component: people, validateSearch: texts('tab', 'search') }),
  createRoute({ ...ofOrganization, path: '/trash', component: trash }),
] as const;

/** Short addresses, as links and mentions in content have them: they do not name the organization. */
export const shortRoutes = [
  createRoute({
    ...signedIn,
    path: '/s/$spaceId',
    beforeLoad: ({ params, location }) => leadOn(get('/v1/spaces/{spaceId}', params), location.pathname),
  }),
  createRoute({
    ...signedIn,
    path: '/c/$collectionId',
    beforeLoad: ({ params, location }) => leadOn(get('/v1/collections/{collectionId}', params), location.pathname),
  }),
  createRoute({ ...signedIn, path: '/u/$userId', component: person }),
] as const;
