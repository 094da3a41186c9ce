import { Button, FileButton, Group, Table, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { FormDialog } from '../ui/form-dialog.js';
import { HiddenHeading } from '../ui/hidden-heading.js';
import { Loaded } from '../ui/loaded.js';
import { Note } from '../ui/note.js';
import { EmptyScreen } from '../ui/screens.js';
import { showDone } from '../ui/toasts.js';
import { FileRow } from './files/file-row.js';
import { useMayWrite, usePlace } from './place.js';
import { PlaceFrame } from './place-frame.js';
import { filesQuery, renewContent, type SpaceFile } from './queries.js';
import { fileForWrite, useWrite, write } from './write.js';

const MOST_SHOWN = 500;
const words = texts.writing.files;

/** The files of a place. */
export function FilesScreen(): ReactNode {
  const query = useQuery(filesQuery(usePlace()));
  const mayChange = useMayWrite();
  return (
    <PlaceFrame title={words.title} editFirst={words.editFirst} actions={<UploadButtons />}>
      <Loaded query={query}>
        {(files) =>
          files.length === 0 ? (
            <EmptyScreen title={words.empty} text={mayChange ? words.emptyText : words.emptyRead} />
          ) : (
            <Files files={files} />
          )
        }
      </Loaded>
    </PlaceFrame>
  );
}

function Files({ files }: Readonly<{ files: readonly SpaceFile[] }>): ReactNode {
  const [filter, setFilter] = useState('');
  const found = files.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  return (
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
              <HiddenHeading>{texts.writing.read.more}</HiddenHeading>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.slice(0, MOST_SHOWN).map((file) => (
              <FileRow key={file.id} file={file} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {found.length > MOST_SHOWN && <Note>{`${MOST_SHOWN} / ${found.length}`}</Note>}
    </>
  );
}

function UploadButtons(): ReactNode {
  const place = usePlace();
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
      <FetchFile />
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

/** Lets the server fetch a file from an address, which is the way for files that are too large to be uploaded. */
function FetchFile(): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const [url, setUrl] = useState('');
  const name = decodeURIComponent(/\/([^/?#]+)(?:[?#]|$)/.exec(url.replace(/^https?:\/\/[^/]*/, ''))?.[1] ?? 'file');
  const { mutateAsync } = useWrite();
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {words.byAddress}
      </Button>
      <FormDialog
        opened={isOpen}
        onClose={close}
        title={words.byAddress}
        text={words.byAddressText}
        action={words.fetch}
        onSubmit={() =>
          mutateAsync({ changes: [{ operation: 'insert_files', files: [{ name, url }] }], done: words.uploaded(1) })
        }
      >
        <TextInput
          data-autofocus
          required
          type="url"
          label={words.address}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
      </FormDialog>
    </>
  );
}
