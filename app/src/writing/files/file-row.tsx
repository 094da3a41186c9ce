import { Anchor, FileButton, List, Menu, Modal, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { get } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { ActionMenu } from '../../ui/action-menu.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { showFault } from '../../ui/toasts.js';
import { addressOf, pathAt, useGoTo, useMayWrite, usePlace } from '../place.js';
import type { SpaceFile } from '../queries.js';
import { fileForWrite, useWrite, type Change } from '../write.js';

const words = texts.writing.files;
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
