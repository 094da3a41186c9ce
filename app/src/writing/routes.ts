import { createRoute, type AnyRoute } from '@tanstack/react-router';
import { changeRequestRoute, spaceRoute } from '../routes/root.js';

interface PageSearch {
  /** The page is being written. */
  edit?: true;
  /** The comments of the page are open. */
  comments?: true;
  comment?: string;
}

function pageSearch({ edit, comments, comment }: Record<string, unknown>): PageSearch {
  return {
    ...(edit === true && { edit }),
    ...((comments === true || typeof comment === 'string') && { comments: true as const }),
    ...(typeof comment === 'string' && { comment }),
  };
}

const placeScreen = () => import('./place-screen.js').then(({ placeScreens }) => placeScreens.space);
const requestScreen = () => import('./place-screen.js').then(({ placeScreens }) => placeScreens.changeRequest);
const revisionScreen = () => import('./place-screen.js').then(({ placeScreens }) => placeScreens.revision);

const spacePlace = createRoute({ getParentRoute: () => spaceRoute, id: 'place', validateSearch: pageSearch }).lazy(
  placeScreen,
);
const requestPlace = createRoute({
  getParentRoute: () => changeRequestRoute,
  id: 'place',
  validateSearch: pageSearch,
}).lazy(requestScreen);
const revisionPlace = createRoute({
  getParentRoute: () => spaceRoute,
  path: '/~/revisions/$revisionId',
  validateSearch: pageSearch,
}).lazy(revisionScreen);

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

const filesRoute = createRoute({ getParentRoute: () => spaceRoute, path: '/~/files' }).lazy(() =>
  import('./files-screen.js').then(({ filesScreens }) => filesScreens.space),
);
const requestFilesRoute = createRoute({ getParentRoute: () => changeRequestRoute, path: '/~/files' }).lazy(() =>
  import('./files-screen.js').then(({ filesScreens }) => filesScreens.changeRequest),
);
const variablesRoute = createRoute({ getParentRoute: () => spaceRoute, path: '/~/variables' }).lazy(() =>
  import('./variables-screen.js').then(({ variablesScreens }) => variablesScreens.space),
);
const requestVariablesRoute = createRoute({ getParentRoute: () => changeRequestRoute, path: '/~/variables' }).lazy(() =>
  import('./variables-screen.js').then(({ variablesScreens }) => variablesScreens.changeRequest),
);
const historyRoute = createRoute({
  getParentRoute: () => spaceRoute,
  path: '/~/history',
  validateSearch: ({ revision, page }: Record<string, unknown>): { revision?: string; page?: string } => ({
    ...(typeof revision === 'string' && { revision }),
    ...(typeof page === 'string' && { page }),
  }),
}).lazy(() => import('./history-screen.js').then(({ historyScreen }) => historyScreen));

/** Screens of a space: reading, writing, files, history. */
export const spaceRoutes = [
  spacePlace.addChildren(pagesOf(() => spacePlace, '/')),
  revisionPlace.addChildren(pagesOf(() => revisionPlace, '/')),
  filesRoute,
  variablesRoute,
  historyRoute,
] as const;
/** Pages within a change request. */
export const changeRequestPageRoutes = [
  requestPlace.addChildren(pagesOf(() => requestPlace, '/~/pages')),
  requestFilesRoute,
  requestVariablesRoute,
] as const;
