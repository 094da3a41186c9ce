import { createRoute } from '@tanstack/react-router';
import { changeRequestRoute, organizationRoute, spaceRoute } from '../routes/root.js';
import type { RequestStatus } from './queries.js';

const STATUSES: readonly RequestStatus[] = ['open', 'draft', 'merged', 'archived'];

/** The filters of a list, from its address. */
export interface ListSearch {
  readonly status?: RequestStatus;
  readonly by?: 'me' | 'for-me';
  readonly subject?: string;
}

function listSearch({ status, by, subject }: Record<string, unknown>): ListSearch {
  return {
    ...(STATUSES.includes(status as RequestStatus) && { status: status as RequestStatus }),
    ...((by === 'me' || by === 'for-me') && { by }),
    ...(typeof subject === 'string' && subject !== '' && { subject }),
  };
}

const organizationListRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/changes',
  validateSearch: listSearch,
}).lazy(() =>
  import('./organization-requests-screen.js').then(({ organizationRequestsScreen }) => organizationRequestsScreen),
);

const spaceListRoute = createRoute({
  getParentRoute: () => spaceRoute,
  path: '/~/changes',
  validateSearch: listSearch,
}).lazy(() => import('./space-requests-screen.js').then(({ spaceRequestsScreen }) => spaceRequestsScreen));

const requestRoute = createRoute({
  getParentRoute: () => changeRequestRoute,
  path: '/',
  validateSearch: ({ comment }: Record<string, unknown>): { comment?: string } =>
    typeof comment === 'string' ? { comment } : {},
}).lazy(() => import('./request-screen.js').then(({ requestScreen }) => requestScreen));

interface ChangesSearch {
  /** The differences as Markdown. */
  readonly view?: 'source';
  /** The page to begin with. */
  readonly page?: string;
  readonly comment?: string;
}

const changesRoute = createRoute({
  getParentRoute: () => changeRequestRoute,
  path: '/~/changes',
  validateSearch: ({ view, page, comment }: Record<string, unknown>): ChangesSearch => ({
    ...(view === 'source' && { view }),
    ...(typeof page === 'string' && { page }),
    ...(typeof comment === 'string' && { comment }),
  }),
}).lazy(() => import('./changes/changes-screen.js').then(({ changesScreen }) => changesScreen));

const conflictsRoute = createRoute({ getParentRoute: () => changeRequestRoute, path: '/~/conflicts' }).lazy(() =>
  import('./conflicts/conflicts-screen.js').then(({ conflictsScreen }) => conflictsScreen),
);

/** Lists of change requests of an organization. */
export const organizationReviewRoutes = [organizationListRoute] as const;
/** Screens of a space that list change requests. */
export const spaceReviewRoutes = [spaceListRoute] as const;
/** Screens of one change request. */
export const changeRequestRoutes = [requestRoute, changesRoute, conflictsRoute] as const;
