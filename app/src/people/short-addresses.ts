import { createRoute, redirect } from '@tanstack/react-router';
import { get } from '../api/client.js';
import { signedInRoute } from '../routes/root.js';

/** The address of a space in content, which does not name its organization. */
const spaceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/s/$spaceId',
  beforeLoad: async ({ params: path }) => {
    const { organization: organizationId } = await get('/v1/spaces/{spaceId}', path);
    throw redirect({ to: '/o/$organizationId/s/$spaceId', params: { ...path, organizationId } });
  },
});

const collectionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/c/$collectionId',
  beforeLoad: async ({ params: path }) => {
    const { organization: organizationId } = await get('/v1/collections/{collectionId}', path);
    throw redirect({ to: '/o/$organizationId/c/$collectionId', params: { ...path, organizationId } });
  },
});

/** The address of a person who is mentioned. */
const personRoute = createRoute({ getParentRoute: () => signedInRoute, path: '/u/$userId' }).lazy(() =>
  import('./person-screen.js').then(({ personScreen }) => personScreen),
);

/** Short addresses, as links and mentions in content have them. */
export const shortRoutes = [spaceRoute, collectionRoute, personRoute] as const;
