import { createRoute, redirect } from '@tanstack/react-router';
import { answered, api } from '../api/client.js';
import { signedInRoute } from '../routes/root.js';

/** The address of a space in content, which does not name its organization. */
const spaceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/s/$spaceId',
  beforeLoad: async ({ params: path }) => {
    const { organization, id } = await answered(api.GET('/v1/spaces/{spaceId}', { params: { path } }));
    throw redirect({ to: '/o/$organizationId/s/$spaceId', params: { organizationId: organization, spaceId: id } });
  },
});

const collectionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/c/$collectionId',
  beforeLoad: async ({ params: path }) => {
    const { organization, id } = await answered(api.GET('/v1/collections/{collectionId}', { params: { path } }));
    throw redirect({
      to: '/o/$organizationId/c/$collectionId',
      params: { organizationId: organization, collectionId: id },
    });
  },
});

/** The address of a person who is mentioned. */
const personRoute = createRoute({ getParentRoute: () => signedInRoute, path: '/u/$userId' }).lazy(() =>
  import('./person-screen.js').then(({ personScreen }) => personScreen),
);

/** Short addresses, as links and mentions in content have them. */
export const shortRoutes = [spaceRoute, collectionRoute, personRoute] as const;
