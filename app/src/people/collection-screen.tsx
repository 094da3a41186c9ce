import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { useState, type MouseEvent, type ReactNode } from 'react';
import { EntryMenu, type MenuPlace } from '../shell/entry-menu.js';
import { useWorkspaceTree } from '../shell/sidebar.js';
import { texts } from '../texts/en.js';
import { Loaded } from '../ui/loaded.js';
import { ScreenFrame } from '../ui/screen-frame.js';
import { EmptyScreen, LoadingScreen, NotFoundScreen } from '../ui/screens.js';
import { SpaceCards } from './organization-screen.js';
import { collectionsQuery, organizationsQuery } from './queries.js';

const words = texts.people.collection;

function CollectionScreen(): ReactNode {
  const { organizationId, collectionId } = collectionScreen.useParams();
  const navigate = useNavigate();
  const { data: organizations } = useQuery(organizationsQuery);
  const { data: collections } = useQuery(collectionsQuery(organizationId));
  const { spaces, tree } = useWorkspaceTree(organizationId);
  const [menu, setMenu] = useState<MenuPlace>();
  if (!collections) return <LoadingScreen />;
  const collection = collections.find(({ id }) => id === collectionId);
  if (!collection) return <NotFoundScreen />;

  const openMenu = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    const { left, bottom } = currentTarget.getBoundingClientRect();
    setMenu({ id: collectionId, left, top: bottom });
  };
  const below = collections.filter(({ parent }) => parent === collectionId);
  return (
    <ScreenFrame
      title={collection.title}
      actions={
        (collection.permissions.admin || collection.permissions.create) && (
          <Button variant="default" aria-haspopup="menu" onClick={openMenu}>
            {words.actions}
          </Button>
        )
      }
    >
      <Stack>
        {collection.description !== undefined && <Text>{collection.description}</Text>}
        {below.map(({ id, title }) => (
          <Button
            key={id}
            variant="default"
            justify="flex-start"
            renderRoot={(props) => (
              <Link {...props} to="/o/$organizationId/c/$collectionId" params={{ organizationId, collectionId: id }} />
            )}
          >
            {title}
          </Button>
        ))}
        <Loaded query={spaces}>
          {(all) => {
            const here = all.filter(({ parent }) => parent === collectionId);
            if (here.length + below.length === 0) return <EmptyScreen title={words.empty} text={words.emptyText} />;
            return <SpaceCards spaces={here} />;
          }}
        </Loaded>
      </Stack>
      {menu && (
        <EntryMenu
          organizationId={organizationId}
          tree={tree}
          mayCreateAtTop={organizations?.find(({ id }) => id === organizationId)?.permissions.createContent === true}
          place={menu}
          onOpen={() => void navigate({ to: '.' })}
          onClose={() => setMenu(undefined)}
        />
      )}
    </ScreenFrame>
  );
}

export const collectionScreen = createLazyRoute('/signed-in/o/$organizationId/c/$collectionId')({
  component: CollectionScreen,
});
