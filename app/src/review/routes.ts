import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { changeRequestRoute, organizationRoute, spaceRoute } from '../routes/root.js';
import type { RequestStatus } from './queries.js';

export const STATUSES: readonly RequestStatus[] = ['open', 'draft', 'merged', 'archived'];

/** The filters of a list, from its address. */
export interface ListSearch {
  readonly status?: RequestStatus | undefined;
  readonly by?: 'me' | 'for-me' | undefined;
  readonly subject?: string | undefined;
}

const list = {
  component: lazyRouteComponent(() => import('./requests-screen.js'), 'RequestsScreen'),
  validateSearch: ({ status, by, subject }: Record<string, unknown>): ListSearch => ({
    ...(STATUSES.includes(status as RequestStatus) && { status: status as RequestStatus }),
    ...((by === 'me' || by === 'for-me') && { by }),
    ...(typeof subject === 'string' && subject !== '' && { subject }),
  }),
};

interface ChangesSearch {
  /** The differences as Markdown. */
  readonly view?: 'source' | undefined;
  /** The page to begin with. */
  readonly page?: string;
  readonly comment?: string;
}

/** Lists of change requests of an organization. */
export const organizationReviewRoutes = [
  createRoute({ getParentRoute: () => organizationRoute, path: '/changes', ...list }),
] as const;

/** Screens of a space that list change requests. */
export const spaceReviewRoutes = [
  createRoute({ getParentRoute: () => spaceRoute, path: '/~/changes', ...list }),
] as const;

/** Screens of one change request. */
export const changeRequestRoutes = [
  createRoute({
    getParentRoute: () => changeRequestRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./request-screen.js'), 'RequestScreen'),
    validateSearch: ({ comment }: Record<string, unknown>): { comment?: string } =>
      typeof comment === 'string' ? { comment } : {},
  }),
  createRoute({
    getParentRoute: () => changeRequestRoute,
    path: '/~/changes',
    component: lazyRouteComponent(() => import('./changes/changes-screen.js'), 'ChangesScreen'),
    validateSearch: ({ view, page, comment }: Record<string, unknown>): ChangesSearch => ({
      ...(view === 'source' && { view }),
      ...(typeof page === 'string' && { page }),
      ...(typeof comment === 'string' && { comment }),
    }),
  }),
  createRoute({
    getParentRoute: () => changeRequestRoute,
    path: '/~/conflicts',
    component: lazyRouteComponent(() => import('./conflicts/conflicts-screen.js'), 'ConflictsScreen'),
  }),
] as const;
