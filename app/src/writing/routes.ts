import { createRoute, lazyRouteComponent as lazy, type AnyRoute } from '@tanstack/react-router';
import { changeRequestRoute, spaceRoute } from '../routes/root.js';
import { texts } from '../routes/search.js';

interface PageSearch {
  /** The page is being written. */
  edit?: true;
  /** The comments of the page are open. */
  comments?: true;
  comment?: string;
}

const place = {
  component: lazy(() => import('./place-screen.js'), 'PlaceScreen'),
  validateSearch: ({ edit, comments, comment }: Record<string, unknown>): PageSearch => ({
    ...(edit === true && { edit }),
    ...((comments === true || typeof comment === 'string') && { comments: true as const }),
    ...(typeof comment === 'string' && { comment }),
  }),
};
const ofSpace = { getParentRoute: () => spaceRoute };
const files = lazy(() => import('./files-screen.js'), 'FilesScreen');
const variables = lazy(() => import('./variables-screen.js'), 'VariablesScreen');
const history = {
  component: lazy(() => import('./history-screen.js'), 'HistoryScreen'),
  validateSearch: texts('revision', 'page'),
};
const spacePlace = createRoute({ ...ofSpace, id: 'place', ...place });
const requestPlace = createRoute({ getParentRoute: () => changeRequestRoute, id: 'place', ...place });
const revisionPlace = createRoute({ ...ofSpace, path: '/~/revisions/$revisionId', ...place });

/**
 * The pages of a place: the first one, one by its id, one by its path. The place itself shows them beside its tree; the
 * screen of a change request is that of its review, so its first page has an address of its own.
 */
function pagesOf<Parent extends AnyRoute, First extends '/' | '/~/pages'>(getParentRoute: () => Parent, first: First) {
  return [
    createRoute({ getParentRoute, path: first }),
    createRoute({ getParentRoute, path: '/~/pages/$pageId' }),
    createRoute({ getParentRoute, path: '/$' }),
  ] as const;
}

/** The files, the variables and the history of a space, or of a change request. */
function partsOf<Parent extends AnyRoute>(getParentRoute: () => Parent) {
  return [
    createRoute({ getParentRoute, path: '/~/files', component: files }),
    createRoute({ getParentRoute, path: '/~/variables', component: variables }),
    createRoute({ getParentRoute, path: '/~/history', ...history }),
  ] as const;
}

/** Screens of a space: reading, writing, files, history. */
export const spaceRoutes = [
  spacePlace.addChildren(pagesOf(() => spacePlace, '/')),
  revisionPlace.addChildren(pagesOf(() => revisionPlace, '/')),
  ...partsOf(() => spaceRoute),
] as const;

/** Pages within a change request. */
export const changeRequestPageRoutes = [
  requestPlace.addChildren(pagesOf(() => requestPlace, '/~/pages')),
  ...partsOf(() => changeRequestRoute),
] as const;
