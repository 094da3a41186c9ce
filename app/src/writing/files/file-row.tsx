import {
  ActionIcon,
  Anchor,
  Button,
  FileButton,
  Group,
  List,
  Menu,
  Modal,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import IconMore from '~icons/fa7-solid/ellipsis';
import { answered, api } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { showDone } from '../../ui/toasts.js';
import { addressOf, pathAt, useGoTo, type Place } from '../place.js';
import { renewContent, type SpaceFile } from '../queries.js';
import { fileForWrite, write, type Change } from '../write.js';

const words = texts.writing.files;
const SIZES = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 });

type Dialog = 'where' | 'rename' | 'delete';

interface FileProps {
  readonly place: Place;
  readonly file: SpaceFile;
}

/** A file in the list of a place. */
export function FileRow({ place, file, mayChange }: FileProps & { readonly mayChange: boolean }): ReactNode {
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<Dialog>();
  const pick = useRef<() => void>(null);
  const change = useMutation({
    mutationFn: ({ changes }: { readonly changes: readonly Change[]; readonly done: string }) => write(place, changes),
    onSuccess: async (_written, { done }) => {
      setDialog(undefined);
      await renewContent(queries, place);
      showDone(done);
    },
  });
  const replace = async (chosen: File | null): Promise<void> => {
    if (!chosen) return;
    const { base64, contentType } = await fileForWrite(chosen, texts.writing.editor.tooLarge);
    const changes: Change[] = [{ operation: 'update_file', file: file.id, base64, contentType }];
    await change.mutateAsync({ changes, done: words.replaced(file.name) });
  };
  const rename = (name: string): void =>
    change.mutate({ changes: [{ operation: 'update_file', file: file.id, name }], done: texts.writing.files.rename });
  const remove = (): void =>
    change.mutate({
      changes: [{ operation: 'delete_files', files: [file.id] }],
      done: words.deleted(file.name),
    });
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor href={file.downloadURL} target="_blank" rel="noopener">
          {file.name}
        </Anchor>
      </Table.Td>
      <Table.Td>{file.contentType}</Table.Td>
      <Table.Td>{SIZES.format(file.size / 1000)}</Table.Td>
      <Table.Td>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={words.actions(file.name)} loading={change.isPending}>
              <IconMore width={14} aria-hidden="true" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setDialog('where')}>{words.where}</Menu.Item>
            {mayChange && (
              <>
                <Menu.Item onClick={() => pick.current?.()}>{words.replace}</Menu.Item>
                <Menu.Item onClick={() => setDialog('rename')}>{words.rename}</Menu.Item>
                <Menu.Item color="red" onClick={() => setDialog('delete')}>
                  {words.delete}
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
        <FileButton onChange={(chosen) => void replace(chosen).catch(change.reset)}>
          {({ onClick }) => {
            pick.current = onClick;
            return null;
          }}
        </FileButton>
        {dialog === 'where' && <WhereUsed {...{ place, file }} onClose={() => setDialog(undefined)} />}
        {dialog === 'rename' && <Rename file={file} onClose={() => setDialog(undefined)} onRename={rename} />}
        <Modal opened={dialog === 'delete'} onClose={() => setDialog(undefined)} title={words.confirm(file.name)}>
          <Stack>
            <Text size="sm">{words.confirmText}</Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setDialog(undefined)}>
                {texts.common.cancel}
              </Button>
              <Button color="red" loading={change.isPending} onClick={remove}>
                {words.delete}
              </Button>
            </Group>
          </Stack>
        </Modal>
      </Table.Td>
    </Table.Tr>
  );
}

function WhereUsed({ place, file, onClose }: FileProps & { readonly onClose: () => void }): ReactNode {
  const goTo = useGoTo();
  const { data } = useQuery({
    queryKey: ['content', place.spaceId, 'backlinks', place.changeRequestId, file.id],
    queryFn: () =>
      answered(
        api.GET(pathAt(place, '/v1/spaces/{spaceId}/content/files/{fileId}/backlinks'), {
          params: { path: { spaceId: place.spaceId, fileId: file.id }, query: { limit: 100 } },
        }),
      ),
  });
  const pages = new Map(data?.items.flatMap(({ page }) => (page ? [[page.id, page] as const] : [])));
  return (
    <Modal opened onClose={onClose} title={words.usedOn(file.name)}>
      {data && pages.size === 0 && <Text size="sm">{words.nowhere}</Text>}
      <List>
        {[...pages.values()].map(({ id, title }) => (
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

function Rename({
  file,
  onClose,
  onRename,
}: {
  readonly file: SpaceFile;
  readonly onClose: () => void;
  readonly onRename: (name: string) => void;
}): ReactNode {
  const [name, setName] = useState(file.name);
  return (
    <Modal opened onClose={onClose} title={words.rename}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onRename(name);
        }}
      >
        <Stack>
          <TextInput
            data-autofocus
            required
            label={words.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit">{words.rename}</Button>
        </Stack>
      </form>
    </Modal>
  );
}
