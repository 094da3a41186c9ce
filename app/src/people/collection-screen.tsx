import { Button, Menu, Stack, Text } from '@mantine/core';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEntryDialogs } from '../shell/entry-dialogs.js';
import { EntryMenu } from '../shell/entry-menu.js';
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
  const { dialog, show } = useEntryDialogs(tree);
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
          <Menu position="bottom-start">
            <Menu.Target>
              <Button variant="default">{words.actions}</Button>
            </Menu.Target>
            <Menu.Dropdown>
              <EntryMenu tree={tree} entry={collection} onOpen={() => void navigate({ to: '.' })} onDialog={show} />
            </Menu.Dropdown>
          </Menu>
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
      {dialog}
    </ScreenFrame>
  );
}

export const collectionScreen = createLazyRoute('/signed-in/o/$organizationId/c/$collectionId')({
  component: ofOrganization(CollectionScreen),
});
