import { Flex, Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { lazyRouteComponent, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { texts } from '../texts/en.js';
import { EmptyScreen, LoadingScreen, NotFoundScreen, useTitle } from '../ui/screens.js';
import { EditButton } from './edit-button.js';
import { PageSettings } from './page-settings.js';
import { PageView } from './page-view.js';
import { SCREEN_HEIGHT, useMayWrite, useOpenPage, usePlace, useSpace } from './place.js';
import { PlaceBanner } from './place-frame.js';
import { PlaceSidebar } from './place-sidebar.js';
import './panes.css';
import { pageByPathQuery, pagesQuery, type Page } from './queries.js';
import { RoomProvider } from './presence/use-room.js';
import { firstPage, treeData, type TreeData } from './tree/tree-data.js';
import { useTreeActions } from './tree/use-tree-actions.js';

const EditorScreen = lazyRouteComponent(() => import('./editor/editor-screen.js'), 'EditorScreen');

/** The pages of a place beside the one that is shown or written. */
export function PlaceScreen() {
  const place = usePlace();
  const space = useSpace();
  const { data: pages } = useSuspenseQuery(pagesQuery(place));
  const tree = useMemo(() => treeData(pages), [pages]);
  const actions = useTreeActions(place, tree);
  const [settings, setSettings] = useState<Page>();
  const page = useShownPage(tree);
  const mayChange = useMayWrite();
  useTitle(page ? `${page.title} · ${space.title}` : space.title);
  const openPage = useOpenPage();
  const { edit = false } = useSearch({ strict: false });
  return (
    <RoomProvider page={page?.id} writing={edit && mayChange && page?.type === 'document'}>
      <Flex direction={{ base: 'column', sm: 'row' }} h={SCREEN_HEIGHT} miw={0}>
        <PlaceSidebar
          tree={tree}
          current={page?.id}
          onOpen={({ id }) => openPage(id)}
          onSettings={setSettings}
          actions={mayChange ? actions : undefined}
        />
        <Stack className="pane" flex={1} gap={0}>
          <PlaceBanner />
          {page ? (
            <ShownPage page={page} tree={tree} onSettings={() => setSettings(page)} />
          ) : (
            <NoPage isEmpty={tree.items.size === 0} />
          )}
        </Stack>
        {settings && (
          <PageSettings
            key={settings.id}
            page={tree.items.get(settings.id) ?? settings}
            onClose={() => setSettings(undefined)}
          />
        )}
      </Flex>
    </RoomProvider>
  );
}

function ShownPage(props: Readonly<{ page: Page; tree: TreeData; onSettings: () => void }>) {
  const { page } = props;
  const { edit = false } = useSearch({ strict: false });
  const { changeRequestId = '' } = usePlace();
  const mayChange = useMayWrite();
  const navigate = useNavigate();
  if (!edit || !mayChange || page.type !== 'document') return <PageView key={page.id} {...props} />;
  const done = (): void => void navigate({ to: '.', search: {} });
  return (
    <Suspense fallback={<LoadingScreen />}>
      <EditorScreen key={`${page.id} ${changeRequestId}`} {...props} onDone={done} />
    </Suspense>
  );
}

/** The page that the address names: by its id, by its path, or the first one. */
function useShownPage(tree: TreeData): Page | undefined {
  const place = usePlace();
  const { pageId, _splat: path = '' } = useParams({ strict: false });
  const inTree = useMemo(() => {
    if (pageId !== undefined) return tree.items.get(pageId);
    if (path === '') return firstPage(tree);
    return [...tree.items.values()].find((page) => page.type !== 'link' && page.path === path);
  }, [tree, pageId, path]);
  // The tree does not know where a page was before it was moved.
  const { data: moved } = useQuery({
    ...pageByPathQuery(place, path),
    enabled: path !== '' && pageId === undefined && !inTree,
  });
  return inTree ?? (path === '' ? undefined : moved);
}

function NoPage({ isEmpty }: Readonly<{ isEmpty: boolean }>) {
  const mayChange = useMayWrite();
  const words = texts.tree;
  if (!isEmpty) return <NotFoundScreen />;
  return (
    <EmptyScreen order={1} title={words.empty} text={mayChange ? words.emptyText : words.emptyRead}>
      {!mayChange && <EditButton />}
    </EmptyScreen>
  );
}
