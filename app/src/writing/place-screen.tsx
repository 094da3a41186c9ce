import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { EmptyScreen, LoadingScreen } from '../ui/screens.js';
import { useTitle } from '../ui/title.js';
import { EditButton } from './edit-button.js';
import { PageSettings } from './page-settings.js';
import { PageView } from './page-view.js';
import { addressOf, useGoTo, usePlace, type Place } from './place.js';
import { PlaceBanner } from './place-banner.js';
import { PlaceSidebar } from './place-sidebar.js';
import './place-screen.css';
import { pageByPathQuery, pagesQuery, requestQuery, spaceQuery, type Page } from './queries.js';
import { firstPage, treeData, type TreeData } from './tree/tree-data.js';
import { useTreeActions } from './tree/use-tree-actions.js';
import { mayWrite } from './write.js';

const EditorScreen = lazy(() =>
  import('./editor/editor-screen.js').then((module) => ({ default: module.EditorScreen })),
);

/** The pages of a place beside the one that is shown or written. */
function PlaceScreen(): ReactNode {
  const place = usePlace();
  const { data: space } = useSuspenseQuery(spaceQuery(place.spaceId));
  const { data: pages } = useSuspenseQuery(pagesQuery(place));
  const { changeRequestId = '' } = place;
  const { data: request } = useQuery({
    ...requestQuery(place.spaceId, changeRequestId),
    enabled: changeRequestId !== '',
  });
  const tree = useMemo(() => treeData(pages), [pages]);
  const actions = useTreeActions(place, tree);
  const [settings, setSettings] = useState<Page>();
  const page = useShownPage(place, tree);
  const mayChange = mayWrite(place, space, request);
  useTitle(page ? `${page.title} · ${space.title}` : space.title);
  const goTo = useGoTo();
  const open = ({ id }: Page): void => goTo(addressOf(place, { page: id }));

  return (
    <div className="place">
      <PlaceSidebar
        {...{ place, space, tree, open }}
        current={page?.id}
        onSettings={setSettings}
        actions={mayChange ? actions : undefined}
      />
      <div className="place-main">
        <PlaceBanner place={place} space={space} request={request} />
        {page ? (
          <ShownPage {...{ place, page, tree }} mayChange={mayChange} onSettings={() => setSettings(page)} />
        ) : (
          <NoPage place={place} tree={tree} mayChange={mayChange} />
        )}
      </div>
      {settings && (
        <PageSettings
          place={place}
          page={tree.nodes.get(settings.id)?.page ?? settings}
          onClose={() => setSettings(undefined)}
        />
      )}
    </div>
  );
}

interface ShownPageProps {
  readonly place: Place;
  readonly page: Page;
  readonly tree: TreeData;
  readonly mayChange: boolean;
  readonly onSettings: () => void;
}

function ShownPage({ place, page, tree, mayChange, onSettings }: ShownPageProps): ReactNode {
  const { edit = false } = useSearch({ strict: false });
  const navigate = useNavigate();
  if (!edit || !mayChange || page.type !== 'document')
    return <PageView key={page.id} {...{ place, page, tree, mayChange, onSettings }} />;
  const done = (): void => void navigate({ to: '.', search: {} });
  return (
    <Suspense fallback={<LoadingScreen />}>
      <EditorScreen
        key={`${page.id} ${place.changeRequestId ?? ''}`}
        {...{ place, page, tree, onSettings }}
        onDone={done}
      />
    </Suspense>
  );
}

/** The page that the address names: by its id, by its path, or the first one. */
function useShownPage(place: Place, tree: TreeData): Page | undefined {
  const { pageId, _splat: path = '' } = useParams({ strict: false });
  const inTree = useMemo(() => {
    if (pageId !== undefined) return tree.nodes.get(pageId)?.page;
    if (path === '') return firstPage(tree);
    for (const { page } of tree.nodes.values()) if (page.type !== 'link' && page.path === path) return page;
    return undefined;
  }, [tree, pageId, path]);
  // The tree does not know where a page was before it was moved.
  const { data: moved } = useQuery({
    ...pageByPathQuery(place, path),
    enabled: path !== '' && pageId === undefined && !inTree,
  });
  return inTree ?? (path === '' ? undefined : moved);
}

function NoPage({
  place,
  tree,
  mayChange,
}: {
  readonly place: Place;
  readonly tree: TreeData;
  readonly mayChange: boolean;
}): ReactNode {
  const isEmpty = tree.roots.length === 0;
  const words = texts.writing.tree;
  return (
    <EmptyScreen
      title={isEmpty ? words.empty : texts.faults.notFoundTitle}
      text={isEmpty ? (mayChange ? words.emptyText : words.emptyRead) : texts.faults.notFoundText}
    >
      {isEmpty && !mayChange && <EditButton place={place} />}
    </EmptyScreen>
  );
}

/** The same screen at the places that have pages. */
export const placeScreens = {
  space: createLazyRoute('/signed-in/o/$organizationId/s/$spaceId/place')({ component: PlaceScreen }),
  changeRequest: createLazyRoute('/signed-in/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/place')({
    component: PlaceScreen,
  }),
  revision: createLazyRoute('/signed-in/o/$organizationId/s/$spaceId/~/revisions/$revisionId')({
    component: PlaceScreen,
  }),
};
