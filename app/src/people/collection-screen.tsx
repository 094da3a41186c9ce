import { Button, Stack, Text } from '@mantine/core';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { EntryMenu, menuPlace, type MenuPlace } from '../shell/entry-menu.js';
import { useWorkspaceTree } from '../shell/workspace-tree.js';
import { texts } from '../texts/en.js';
import { ButtonLink } from '../ui/links.js';
import { Loaded } from '../ui/loaded.js';
import { ScreenFrame } from '../ui/screen-frame.js';
import { EmptyScreen, LoadingScreen, NotFoundScreen } from '../ui/screens.js';
import { ofOrganization, type OrganizationProps } from './of-organization.js';
import { SpaceCards } from './organization-screen.js';

const words = texts.people.collection;

function CollectionScreen({ organization }: OrganizationProps): ReactNode {
  const path = collectionScreen.useParams();
  const navigate = useNavigate();
  const { spaces, collections, tree } = useWorkspaceTree(organization);
  const [menu, setMenu] = useState<MenuPlace>();
  if (!collections.data) return <LoadingScreen />;
  const collection = collections.data.find(({ id }) => id === path.collectionId);
  if (!collection) return <NotFoundScreen />;

  const { id, title, description, permissions } = collection;
  const below = collections.data.filter(({ parent }) => parent === id);
  return (
    <ScreenFrame
      title={title}
      actions={
        (permissions.admin || permissions.create) && (
          <Button variant="default" aria-haspopup="menu" onClick={(event) => setMenu(menuPlace(id, event))}>
            {words.actions}
          </Button>
        )
      }
    >
      <Stack>
        {description !== undefined && <Text>{description}</Text>}
        {below.map((each) => (
          <ButtonLink
            key={each.id}
            variant="default"
            justify="flex-start"
            to="/o/$organizationId/c/$collectionId"
            params={{ ...path, collectionId: each.id }}
          >
            {each.title}
          </ButtonLink>
        ))}
        <Loaded query={spaces}>
          {(all) => {
            const here = all.filter(({ parent }) => parent === id);
            if (here.length + below.length === 0) return <EmptyScreen title={words.empty} text={words.emptyText} />;
            return <SpaceCards spaces={here} />;
          }}
        </Loaded>
      </Stack>
      {menu && (
        <EntryMenu
          tree={tree}
          place={menu}
          onOpen={() => void navigate({ to: '.' })}
          onClose={() => setMenu(undefined)}
        />
      )}
    </ScreenFrame>
  );
}

export const collectionScreen = createLazyRoute('/signed-in/o/$organizationId/c/$collectionId')({
  component: ofOrganization(CollectionScreen),
});
