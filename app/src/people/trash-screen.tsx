import { Button, Table, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answered, api } from '../api/client.js';
import { nextPage } from '../api/pages.js';
import { restoreSpace } from '../shell/tree-actions.js';
import { texts } from '../texts/en.js';
import { HiddenHeading } from '../ui/hidden-heading.js';
import { LoadedList } from '../ui/loaded.js';
import { ScreenFrame } from '../ui/screen-frame.js';
import { EmptyScreen } from '../ui/screens.js';
import { Time } from '../ui/time.js';
import { showDone } from '../ui/toasts.js';
import type { Space } from './queries.js';

const words = texts.people.trash;

function Trash(): ReactNode {
  const { organizationId } = trashScreen.useParams();
  const spaces = useInfiniteQuery({
    queryKey: ['trash', organizationId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: page }) =>
      answered(api.GET('/v1/orgs/{organizationId}/trash', { params: { path: { organizationId }, query: { page } } })),
    getNextPageParam: nextPage<Space>,
  });
  return (
    <ScreenFrame title={words.title}>
      <Text c="dimmed" mb="md">
        {words.text}
      </Text>
      <LoadedList query={spaces} empty={<EmptyScreen title={words.empty} text={words.emptyText} />}>
        {(items) => (
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.space}</Table.Th>
                <Table.Th>{words.deleted}</Table.Th>
                <HiddenHeading>{words.restore}</HiddenHeading>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map((space) => (
                <Row key={space.id} organizationId={organizationId} space={space} />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </LoadedList>
    </ScreenFrame>
  );
}

function Row({ organizationId, space }: { readonly organizationId: string; readonly space: Space }): ReactNode {
  const restore = useMutation({
    mutationFn: () => restoreSpace(organizationId, space.id),
    onSuccess: () => showDone(words.restored(space.title)),
  });
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={600}>
        {space.title}
      </Table.Th>
      <Table.Td>{space.deletedAt !== undefined && <Time at={space.deletedAt} />}</Table.Td>
      <Table.Td ta="right">
        <Button
          variant="default"
          size="xs"
          loading={restore.isPending}
          onClick={() => restore.mutate()}
          aria-label={words.restoreOne(space.title)}
        >
          {words.restore}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

export const trashScreen = createLazyRoute('/signed-in/o/$organizationId/trash')({ component: Trash });
