import { Stack, Text } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEntryDialogs, EntryMenu } from '../shell/entry-menu.js';
import { useWorkspaceTree } from '../shell/tree-actions.js';
import { texts } from '../texts/en.js';
import { ButtonLink, DropMenu, SecondaryButton } from '../ui/buttons.js';
import { Loaded, ScreenFrame, EmptyScreen, LoadingScreen, NotFoundScreen } from '../ui/screens.js';
import { SpaceCards } from './organization-screen.js';
import { useOrganization } from './queries.js';

const words = texts.people.collection;

export function CollectionScreen() {
  const organization = useOrganization();
  const path = useParams({ from: '/signed-in/o/$organizationId/c/$collectionId' });
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
          <DropMenu position="bottom-start" target={<SecondaryButton label={texts.people.people.actions} />}>
            <EntryMenu tree={tree} entry={collection} onOpen={() => void navigate({ to: '.' })} onDialog={show} />
          </DropMenu>
        )
      }
    >
      <Stack>
        {description !== undefined && <Text>{description}</Text>}
        {below.map((each) => (
          <ButtonLink
            label={each.title}
            key={each.id}
            variant="default"
            justify="flex-start"
            to="/o/$organizationId/c/$collectionId"
            params={{ ...path, collectionId: each.id }}
          />
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
