import { Anchor, Button, FileButton, Group, List, Menu, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { get } from '../api/client.js';
import { texts } from '../texts/en.js';
import { ActionMenu } from '../ui/action-menu.js';
import { TextField } from '../ui/fields.js';
import { FormDialog } from '../ui/form-dialog.js';
import { DataTable } from '../ui/list-table.js';
import { Loaded } from '../ui/loaded.js';
import { Note } from '../ui/note.js';
import { EmptyScreen } from '../ui/screens.js';
import { PlaceFrame } from './place-frame.js';
import { pathAt, useMayWrite, useOpenPage, usePlace } from './place.js';
import { filesQuery, type SpaceFile } from './queries.js';
import { fileForWrite, useWrite } from './write.js';

const MOST_SHOWN = 500;
const SIZES = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 });
const words = texts.writing.files;

/** The files of a place. */
export function FilesScreen(): ReactNode {
  const query = useQuery(filesQuery(usePlace()));
  const mayChange = useMayWrite();
  const empty = <EmptyScreen title={words.empty} text={mayChange ? words.emptyText : words.emptyRead} />;
  return (
    <PlaceFrame title={words.title} editFirst={words.editFirst} actions={<UploadButtons />}>
      <Loaded query={query}>{(files) => (files.length === 0 ? empty : <Files files={files} />)}</Loaded>
    </PlaceFrame>
  );
}

function Files({ files }: Readonly<{ files: readonly SpaceFile[] }>): ReactNode {
  const [filter, setFilter] = useState('');
  const found = files.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  return (
    <>
      <TextField aria-label={words.filter} placeholder={words.filter} value={filter} onText={setFilter} />
      <DataTable
        items={found.slice(0, MOST_SHOWN)}
        minWidth={340}
        columns={[
          { heading: words.name, cell: (file) => <FileLink file={file} /> },
          { heading: words.type, cell: ({ contentType }) => contentType },
          { heading: words.size, cell: ({ size }) => SIZES.format(size / 1000) },
          { heading: texts.writing.read.more, isButtons: true, cell: (file) => <FileMenu file={file} /> },
        ]}
      />
      {found.length > MOST_SHOWN && <Note>{`${MOST_SHOWN} / ${found.length}`}</Note>}
    </>
  );
}

type FileProps = Readonly<{ file: SpaceFile }>;

function FileLink({ file: { name, downloadURL } }: FileProps): ReactNode {
  return (
    <Anchor href={downloadURL} target="_blank" rel="noopener">
      {name}
    </Anchor>
  );
}

function UploadButtons(): ReactNode {
  const write = useWrite();
  const upload = useMutation({
    mutationFn: async (chosen: readonly File[]) => {
      for (const [index, file] of chosen.entries()) {
        const given = await fileForWrite(file, texts.writing.editor.tooLarge);
        const done = index === chosen.length - 1 ? words.uploaded(chosen.length) : undefined;
        await write({ operation: 'insert_files', files: [given] }, done);
      }
    },
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
  const write = useWrite();
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
        onSubmit={() => write({ operation: 'insert_files', files: [{ name, url }] }, words.uploaded(1))}
      >
        <TextField data-autofocus required type="url" label={words.address} value={url} onText={setUrl} />
      </FormDialog>
    </>
  );
}

function FileMenu({ file }: FileProps): ReactNode {
  const { id, name } = file;
  const mayChange = useMayWrite();
  const [dialog, setDialog] = useState<'where' | 'rename' | 'delete'>();
  const [newName, setNewName] = useState(name);
  const write = useWrite();
  const replace = useMutation({
    mutationFn: async (chosen: File) => {
      const { base64, contentType } = await fileForWrite(chosen, texts.writing.editor.tooLarge);
      await write({ operation: 'update_file', file: id, base64, contentType }, words.replaced(name));
    },
  });
  const close = (): void => setDialog(undefined);
  return (
    <>
      <FileButton onChange={(chosen) => chosen && replace.mutate(chosen)}>
        {({ onClick }) => (
          <ActionMenu label={words.actions(name)} loading={replace.isPending}>
            <Menu.Item onClick={() => setDialog('where')}>{words.where}</Menu.Item>
            {mayChange && (
              <>
                <Menu.Item onClick={onClick}>{words.replace}</Menu.Item>
                <Menu.Item onClick={() => setDialog('rename')}>{words.rename}</Menu.Item>
                <Menu.Item color="red" onClick={() => setDialog('delete')}>
                  {texts.common.delete}
                </Menu.Item>
              </>
            )}
          </ActionMenu>
        )}
      </FileButton>
      {dialog === 'where' && <WhereUsed file={file} onClose={close} />}
      <FormDialog
        opened={dialog === 'rename'}
        onClose={close}
        title={words.rename}
        action={words.rename}
        onSubmit={() => write({ operation: 'update_file', file: id, name: newName }, words.rename)}
      >
        <TextField data-autofocus required label={words.name} value={newName} onText={setNewName} />
      </FormDialog>
      <FormDialog
        opened={dialog === 'delete'}
        onClose={close}
        title={words.confirm(name)}
        text={words.confirmText}
        action={texts.common.delete}
        color="red"
        onSubmit={() => write({ operation: 'delete_files', files: [id] }, words.deleted(name))}
      />
    </>
  );
}

function WhereUsed({ file, onClose }: FileProps & Readonly<{ onClose: () => void }>): ReactNode {
  const openPage = useOpenPage();
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
            <Anchor component="button" onClick={() => openPage(id)}>
              {title}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Modal>
  );
}
