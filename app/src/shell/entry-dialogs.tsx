import { Button, Group, Modal, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { answered, api } from '../api/client.js';
import { refreshTree, templatesQuery } from '../people/queries.js';
import { texts } from '../texts/en.js';
import { moveEntry, renameEntry } from './tree-actions.js';
import { collectionOptions, moveTo, ROOT, takesContent, type TreeEntry, type WorkspaceTree } from './tree-data.js';

const MAX_TITLE = 50;
const EMPTY = '';

interface DialogProps {
  readonly organizationId: string;
  readonly tree: WorkspaceTree;
  readonly mayCreateAtTop: boolean;
  readonly onClose: () => void;
}

interface EntryDialogProps extends DialogProps {
  readonly entry: Exclude<TreeEntry, { readonly type: 'root' }>;
}

interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  readonly canSubmit: boolean;
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with fields and one button. */
export function FormDialog({ title, action, canSubmit, onSubmit, onClose, children }: FormDialogProps): ReactNode {
  const submit = useMutation({ mutationFn: onSubmit });
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (canSubmit && !submit.isPending) submit.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={send}>
        <Stack>
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.common.cancel}
            </Button>
            <Button type="submit" disabled={!canSubmit} loading={submit.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

export function RenameDialog({ organizationId, entry, onClose }: EntryDialogProps): ReactNode {
  const words = texts.people.tree;
  const [title, setTitle] = useState(entry.title);
  return (
    <FormDialog
      title={words.renameTitle(entry.title)}
      action={texts.common.save}
      canSubmit={title.trim() !== ''}
      onSubmit={() => renameEntry(organizationId, entry, title.trim())}
      onClose={onClose}
    >
      <TitleField value={title} onChange={setTitle} />
    </FormDialog>
  );
}

export function MoveDialog({ organizationId, tree, mayCreateAtTop, entry, onClose }: EntryDialogProps): ReactNode {
  const words = texts.people.tree;
  const [parent, setParent] = useState(tree.parents.get(entry.id) ?? ROOT);
  const move = moveTo(tree, entry.id, parent);
  return (
    <FormDialog
      title={words.moveTitle(entry.title)}
      action={words.moveAction}
      canSubmit={move !== undefined}
      onSubmit={async () => move && moveEntry(organizationId, entry, move)}
      onClose={onClose}
    >
      <ParentField {...{ tree, mayCreateAtTop }} value={parent} onChange={setParent} except={entry.id} />
    </FormDialog>
  );
}

interface CreateDialogProps extends DialogProps {
  readonly parent?: string;
}

export function CreateCollectionDialog(props: CreateDialogProps): ReactNode {
  const { organizationId, onClose } = props;
  const words = texts.people.tree;
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const [parent, setParent] = useState(props.parent ?? ROOT);
  const create = async (): Promise<void> => {
    const collection = await answered(
      api.POST('/v1/orgs/{organizationId}/collections', {
        params: { path: { organizationId } },
        body: { title: title.trim(), ...(parent !== ROOT && { parent }) },
      }),
    );
    await refreshTree(organizationId);
    await navigate({
      to: '/o/$organizationId/c/$collectionId',
      params: { organizationId, collectionId: collection.id },
    });
  };
  return (
    <FormDialog
      title={words.newCollection}
      action={words.create}
      canSubmit={title.trim() !== ''}
      onSubmit={create}
      onClose={onClose}
    >
      <TitleField value={title} onChange={setTitle} />
      <ParentField {...props} value={parent} onChange={setParent} />
    </FormDialog>
  );
}

export function CreateSpaceDialog(props: CreateDialogProps): ReactNode {
  const { organizationId, onClose } = props;
  const words = texts.people.tree;
  const navigate = useNavigate();
  const { data: templates } = useQuery(templatesQuery(organizationId));
  const [title, setTitle] = useState('');
  const [parent, setParent] = useState(props.parent ?? ROOT);
  const [template, setTemplate] = useState(EMPTY);
  const [editMode, setEditMode] = useState<'live' | 'locked'>('locked');
  const create = async (): Promise<void> => {
    const space = await answered(
      api.POST('/v1/orgs/{organizationId}/spaces', {
        params: { path: { organizationId } },
        body: {
          title: title.trim(),
          editMode,
          ...(parent !== ROOT && { parent }),
          ...(template !== EMPTY && { template: { id: template } }),
        },
      }),
    );
    await refreshTree(organizationId);
    await navigate({ to: '/o/$organizationId/s/$spaceId', params: { organizationId, spaceId: space.id } });
  };
  const chosen = templates?.items.find(({ id }) => id === template);
  return (
    <FormDialog
      title={words.newSpace}
      action={words.create}
      canSubmit={title.trim() !== ''}
      onSubmit={create}
      onClose={onClose}
    >
      <TitleField value={title} onChange={setTitle} />
      <ParentField {...props} value={parent} onChange={setParent} />
      <Select
        label={words.template}
        description={chosen?.description}
        data={[
          { value: EMPTY, label: words.noTemplate },
          ...(templates?.items.map(({ id, title: label }) => ({ value: id, label })) ?? []),
        ]}
        value={template}
        onChange={(value) => setTemplate(value ?? EMPTY)}
        allowDeselect={false}
      />
      <Radio.Group
        label={words.editMode}
        value={editMode}
        onChange={(value) => setEditMode(value === 'live' ? 'live' : 'locked')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="locked" label={words.locked} />
          <Radio value="live" label={words.live} />
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}

function TitleField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (title: string) => void;
}): ReactNode {
  return (
    <TextInput
      label={texts.people.tree.titleField}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      maxLength={MAX_TITLE}
      data-autofocus
      required
    />
  );
}

interface ParentFieldProps extends Pick<DialogProps, 'tree' | 'mayCreateAtTop'> {
  readonly value: string;
  readonly onChange: (parent: string) => void;
  readonly except?: string;
}

function ParentField({ tree, mayCreateAtTop, value, onChange, except }: ParentFieldProps): ReactNode {
  const words = texts.people.tree;
  const collections = collectionOptions(tree, except).filter(({ id }) => takesContent(tree, id, mayCreateAtTop));
  return (
    <Select
      label={words.parent}
      data={[
        { value: ROOT, label: words.top, disabled: !mayCreateAtTop },
        ...collections.map(({ id, title, depth }) => ({ value: id, label: `${'– '.repeat(depth)}${title}` })),
      ]}
      value={value}
      onChange={(parent) => onChange(parent ?? ROOT)}
      allowDeselect={false}
      searchable
    />
  );
}
