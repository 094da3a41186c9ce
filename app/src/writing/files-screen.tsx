import { Alert, Button, FileButton, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { useTitle } from '../ui/title.js';
import { EmptyScreen, FaultScreen, LoadingScreen } from '../ui/screens.js';
import { showDone } from '../ui/toasts.js';
import { FetchFile } from './files/fetch-file.js';
import { FileRow } from './files/file-row.js';
import { EditButton } from './edit-button.js';
import { usePlace, type Place } from './place.js';
import { PlaceHeader } from './place-header.js';
import { filesQuery, renewContent, requestQuery, spaceQuery } from './queries.js';
import { fileForWrite, mayWrite, write } from './write.js';

const MOST_SHOWN = 500;
const words = texts.writing.files;

/** Whether somebody may write at the place of the screen. */
export function useMayWrite(place: Place): boolean {
  const { data: space } = useSuspenseQuery(spaceQuery(place.spaceId));
  const { changeRequestId = '' } = place;
  const { data: request } = useQuery({
    ...requestQuery(place.spaceId, changeRequestId),
    enabled: changeRequestId !== '',
  });
  return mayWrite(place, space, request);
}

/** The files of a place. */
function FilesScreen(): ReactNode {
  const place = usePlace();
  const mayChange = useMayWrite(place);
  useTitle(words.title);
  const { data: files, error } = useQuery(filesQuery(place));
  const [filter, setFilter] = useState('');
  if (error) return <FaultScreen error={error} />;
  if (!files) return <LoadingScreen />;
  const found = files.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  return (
    <Stack p="md" maw={1000} mx="auto">
      <PlaceHeader place={place} />
      <Group justify="space-between">
        <Title order={1} size="h2">
          {words.title}
        </Title>
        {mayChange ? <UploadButtons place={place} /> : <EditButton place={place} />}
      </Group>
      {!mayChange && <Alert py="xs">{words.editFirst}</Alert>}
      {files.length === 0 ? (
        <EmptyScreen title={words.empty} text={mayChange ? words.emptyText : words.emptyRead} />
      ) : (
        <>
          <TextInput
            aria-label={words.filter}
            placeholder={words.filter}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
          <Table.ScrollContainer minWidth={340}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{words.name}</Table.Th>
                  <Table.Th>{words.type}</Table.Th>
                  <Table.Th>{words.size}</Table.Th>
                  <Table.Th>
                    <span className="visually-hidden">{texts.writing.read.more}</span>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {found.slice(0, MOST_SHOWN).map((file) => (
                  <FileRow key={file.id} place={place} file={file} mayChange={mayChange} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          {found.length > MOST_SHOWN && (
            <Text size="sm" c="dimmed">
              {MOST_SHOWN} / {found.length}
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}

function UploadButtons({ place }: { readonly place: Place }): ReactNode {
  const queries = useQueryClient();
  const upload = useMutation({
    mutationFn: async (chosen: readonly File[]) => {
      for (const file of chosen) {
        const given = await fileForWrite(file, texts.writing.editor.tooLarge);
        await write(place, [{ operation: 'insert_files', files: [given] }]);
      }
      showDone(words.uploaded(chosen.length));
    },
    onSettled: () => renewContent(queries, place),
  });
  return (
    <Group gap="xs">
      <FetchFile place={place} />
      <FileButton multiple onChange={(chosen) => chosen.length > 0 && upload.mutate(chosen)}>
        {(props) => (
          <Button size="xs" loading={upload.isPending} {...props}>
            {words.upload}
          </Button>
        )}
      </FileButton>
    </Group>
  );
}

export const filesScreens = {
  space: createLazyRoute('/signed-in/o/$organizationId/s/$spaceId/~/files')({ component: FilesScreen }),
  changeRequest: createLazyRoute('/signed-in/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/files')({
    component: FilesScreen,
  }),
};
