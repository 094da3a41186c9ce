import { Anchor, Button, FileButton, Group, List, Menu, Modal, Table, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { get } from '../api/client.js';
import { texts } from '../texts/en.js';
import { ActionMenu } from '../ui/action-menu.js';
import { FormDialog } from '../ui/form-dialog.js';
import { HiddenHeading } from '../ui/hidden-heading.js';
import { Loaded } from '../ui/loaded.js';
import { Note } from '../ui/note.js';
import { EmptyScreen } from '../ui/screens.js';
import { showDone, showFault } from '../ui/toasts.js';
import { PlaceFrame } from './place-frame.js';
import { addressOf, pathAt, useGoTo, useMayWrite, usePlace } from './place.js';
import { filesQuery, renewContent, type SpaceFile } from './queries.js';
import { type Change, fileForWrite, useWrite, write } from './write.js';

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

const SIZES = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 });

/** A file in the list of a place. */
export function FileRow({ file }: Readonly<{ file: SpaceFile }>): ReactNode {
  const { id, name, contentType, size, downloadURL } = file;
  const mayChange = useMayWrite();
  const [dialog, setDialog] = useState<'where' | 'rename' | 'delete'>();
  const [newName, setNewName] = useState(name);
  const pick = useRef<() => void>(null);
  const { mutateAsync, isPending } = useWrite();
  const change = (done: string, given: Change): Promise<unknown> => mutateAsync({ changes: [given], done });
  const close = (): void => setDialog(undefined);
  const replace = async (chosen: File | null): Promise<void> => {
    if (!chosen) return;
    const given = await fileForWrite(chosen, texts.writing.editor.tooLarge);
    const { base64, contentType: type } = given;
    await change(words.replaced(name), { operation: 'update_file', file: id, base64, contentType: type });
  };
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor href={downloadURL} target="_blank" rel="noopener">
          {name}
        </Anchor>
      </Table.Td>
      <Table.Td>{contentType}</Table.Td>
      <Table.Td>{SIZES.format(size / 1000)}</Table.Td>
      <Table.Td>
        <ActionMenu label={words.actions(name)} loading={isPending}>
          <Menu.Item onClick={() => setDialog('where')}>{words.where}</Menu.Item>
          {mayChange && (
            <>
              <Menu.Item onClick={() => pick.current?.()}>{words.replace}</Menu.Item>
              <Menu.Item onClick={() => setDialog('rename')}>{words.rename}</Menu.Item>
              <Menu.Item color="red" onClick={() => setDialog('delete')}>
                {texts.common.delete}
              </Menu.Item>
            </>
          )}
        </ActionMenu>
        <FileButton onChange={(chosen) => void replace(chosen).catch(showFault)}>
          {({ onClick }) => {
            pick.current = onClick;
            return null;
          }}
        </FileButton>
        {dialog === 'where' && <WhereUsed file={file} onClose={close} />}
        <FormDialog
          opened={dialog === 'rename'}
          onClose={close}
          title={words.rename}
          action={words.rename}
          onSubmit={() => change(words.rename, { operation: 'update_file', file: id, name: newName })}
        >
          <TextInput
            data-autofocus
            required
            label={words.name}
            value={newName}
            onChange={(event) => setNewName(event.currentTarget.value)}
          />
        </FormDialog>
        <FormDialog
          opened={dialog === 'delete'}
          onClose={close}
          title={words.confirm(name)}
          text={words.confirmText}
          action={texts.common.delete}
          color="red"
          onSubmit={() => change(words.deleted(name), { operation: 'delete_files', files: [id] })}
        />
      </Table.Td>
    </Table.Tr>
  );
}

function WhereUsed({ file, onClose }: Readonly<{ file: SpaceFile; onClose: () => void }>): ReactNode {
  const goTo = useGoTo();
  const place = usePlace();
  const { data } = useQuery({
    queryKey: ['content', place.spaceId, 'backlinks', place.changeRequestId, file.id],
    queryFn: () => {
      const path = { ...place, fileId: file.id };
      return get(pathAt(place, '/v1/spaces/{spaceId}/content/files/{fileId}/backlinks'), path, { limit: 100 });
    },
  });
  const pages = new Map(data?.items.flatMap(({ page }) => (page ? [[page.id, page.title] as const] : [])));
  return (
    <Modal opened onClose={onClose} title={words.usedOn(file.name)}>
      {data && pages.size === 0 && <Text size="sm">{words.nowhere}</Text>}
      <List>
        {[...pages].map(([id, title]) => (
          <List.Item key={id}>
            <Anchor component="button" onClick={() => goTo(addressOf(place, { page: id }))}>
              {title}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Modal>
  );
}
