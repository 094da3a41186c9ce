import { Anchor, FileButton, Group, List, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../api/client.js';
import { useMutation } from '../api/mutations.js';
import { texts } from '../texts/en.js';
import { writingTexts } from '../texts/writing.js';
import { ActionButton, FormDialog, NEW_CHOICE, TextField, useText } from '../ui/forms.js';
import { LinkButton, ActionMenu, Button, MenuItem } from '../ui/buttons.js';
import { Loaded, Note, EmptyScreen } from '../ui/screens.js';
import { DataTable } from '../ui/tables.js';
import { showDone } from '../ui/toasts.js';
import { PlaceFrame } from './place-frame.js';
import { pathAt, useMayWrite, useOpenPage, usePlace } from './place.js';
import { filesQuery, renewContent, type SpaceFile, upload, useWrite } from './queries.js';

const MOST_SHOWN = 500;
const SIZES = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 });
const words = writingTexts.files;

/** The files of a place. */
export function FilesScreen() {
  const query = useQuery(filesQuery(usePlace()));
  const mayChange = useMayWrite();
  const empty = <EmptyScreen title={words.empty} text={mayChange ? words.emptyText : words.emptyRead} />;
  return (
    <PlaceFrame title={words.title} editFirst={words.editFirst} actions={<UploadButtons />}>
      <Loaded query={query}>{(files) => (files.length === 0 ? empty : <Files files={files} />)}</Loaded>
    </PlaceFrame>
  );
}

function Files({ files }: Readonly<{ files: readonly SpaceFile[] }>) {
  const filter = useText();
  const found = files.filter(({ name }) => name.toLowerCase().includes(filter.value.toLowerCase()));
  return (
    <>
      <TextField aria-label={words.filter} placeholder={words.filter} {...filter} />
      <DataTable
        items={found.slice(0, MOST_SHOWN)}
        minWidth={340}
        columns={[
          {
            heading: words.name,
            cell: ({ name, downloadURL }) => (
              <Anchor href={downloadURL} target="_blank" rel="noopener" children={name} />
            ),
          },
          { heading: words.type, cell: ({ contentType }) => contentType },
          { heading: words.size, cell: ({ size }) => SIZES.format(size / 1000) },
          { heading: writingTexts.read.more, isButtons: true, cell: (file) => <FileMenu file={file} /> },
        ]}
      />
      {found.length > MOST_SHOWN && <Note>{`${MOST_SHOWN} / ${found.length}`}</Note>}
    </>
  );
}

type FileProps = Readonly<{ file: SpaceFile }>;

/** Uploads files, or the bytes of one that is there, and tells what was done. */
function useUpload(done: (count: number) => string, replaced?: string) {
  const place = usePlace();
  return useMutation({
    mutationFn: async (chosen: readonly File[]) => {
      for (const file of chosen) await upload(place, file, replaced);
      showDone(done(chosen.length));
    },
    onSettled: () => renewContent(place),
  });
}

function UploadButtons() {
  const uploading = useUpload(words.uploaded);
  return (
    <Group gap="xs">
      <FetchFile />
      <FileButton multiple inputProps={NEW_CHOICE} onChange={(chosen) => chosen.length > 0 && uploading.mutate(chosen)}>
        {(props) => <Button label={words.upload} size="xs" loading={uploading.isPending} {...props} />}
      </FileButton>
    </Group>
  );
}

/** The last part of the path of an address, which may be typed only in part. */
function fileNameOf(address: string): string {
  try {
    return decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? '') || 'file';
  } catch {
    return 'file';
  }
}

/** Lets the server fetch a file from an address. */
function FetchFile() {
  const address = useText();
  const url = address.value;
  const name = fileNameOf(url);
  const write = useWrite();
  return (
    <ActionButton
      label={words.byAddress}
      size="xs"
      ask={{ title: words.byAddress, text: words.byAddressText, action: words.fetch }}
      action={() => write({ operation: 'insert_files', files: [{ name, url }] }, words.uploaded(1))}
    >
      <TextField data-autofocus required type="url" label={words.address} {...address} />
    </ActionButton>
  );
}

function FileMenu({ file }: FileProps) {
  const { id, name } = file;
  const mayChange = useMayWrite();
  const [dialog, setDialog] = useState<'where' | 'rename' | 'delete'>();
  const newName = useText(name);
  const write = useWrite();
  const replace = useUpload(() => words.replaced(name), id);
  const close = (): void => setDialog(undefined);
  return (
    <>
      <FileButton inputProps={NEW_CHOICE} onChange={(chosen) => chosen && replace.mutate([chosen])}>
        {({ onClick }) => (
          <ActionMenu label={words.actions(name)} loading={replace.isPending}>
            <MenuItem label={words.where} onClick={() => setDialog('where')} />
            {mayChange && (
              <>
                <MenuItem label={words.replace} onClick={onClick} />
                <MenuItem label={texts.common.rename} onClick={() => setDialog('rename')} />
                <MenuItem label={texts.common.delete} color="red" onClick={() => setDialog('delete')} />
              </>
            )}
          </ActionMenu>
        )}
      </FileButton>
      {dialog === 'where' && <WhereUsed file={file} onClose={close} />}
      <FormDialog
        opened={dialog === 'rename'}
        onClose={close}
        title={texts.common.rename}
        action={texts.common.rename}
        onSubmit={() => write({ operation: 'update_file', file: id, name: newName.value }, texts.common.rename)}
      >
        <TextField data-autofocus required label={words.name} {...newName} />
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

function WhereUsed({ file, onClose }: FileProps & Readonly<{ onClose: () => void }>) {
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
            <LinkButton label={title} onClick={() => openPage(id)} />
          </List.Item>
        ))}
      </List>
    </Modal>
  );
}
