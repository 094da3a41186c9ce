import { createRoute, lazyRouteComponent as lazy } from '@tanstack/react-router';
import { changeRequestRoute, organizationRoute, spaceRoute } from '../routes/root.js';
import { texts } from '../routes/search.js';
import type { RequestStatus } from './queries.js';

const ofRequest = { getParentRoute: () => changeRequestRoute };
const request = lazy(() => import('./request-screen.js'), 'RequestScreen');
const changes = lazy(() => import('./changes/changes-screen.js'), 'ChangesScreen');
const conflicts = lazy(() => import('./conflicts/conflicts-screen.js'), 'ConflictsScreen');

export const STATUSES: readonly RequestStatus[] = ['open', 'draft', 'merged', 'archived'];

/** The filters of a list, from its address. */
export type ListSearch = Readonly<{ status?: RequestStatus; by?: 'me' | 'for-me'; subject?: string }>;

const list = {
  component: lazy(() => import('./requests-screen.js'), 'RequestsScreen'),
  validateSearch: ({ status, by, ...search }: Record<string, unknown>): ListSearch => ({
    ...(STATUSES.includes(status as RequestStatus) && { status: status as RequestStatus }),
    ...((by === 'me' || by === 'for-me') && { by }),
    ...texts('subject')(search),
  }),
};

export const organizationReviewRoutes = [
  createRoute({ getParentRoute: () => organizationRoute, path: '/changes', ...list }),
] as const;

export const spaceReviewRoutes = [
  createRoute({ getParentRoute: () => spaceRoute, path: '/~/changes', ...list }),
] as const;

export const changeRequestRoutes = [
  createRoute({ ...ofRequest, path: '/', component: request, validateSearch: texts('comment') }),
  createRoute({
    ...ofRequest,
    path: '/~/changes',
    component: changes,
    validateSearch: texts('view', 'page', 'comment'),
  }),
  createRoute({ ...ofRequest, path: '/~/conflicts', component: conflicts }),
] as const;
