import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { get, send } from '../api/client.js';
import { refreshTree } from '../people/queries.js';
import { texts } from '../texts/en.js';
import { FormDialog } from '../ui/form-dialog.js';
import { deleteCollection, moveEntry, renameEntry } from './tree-actions.js';
import {
  collectionOptions,
  moveTo,
  ROOT,
  takesContent,
  type Movable,
  type TreeEntry,
  type WorkspaceTree,
} from './tree-data.js';

export type EntryDialogKind = 'rename' | 'move' | 'space' | 'collection' | 'delete';

const MAX_TITLE = 50;
const EMPTY = '';
const words = texts.people.tree;

interface CommonProps {
  readonly tree: WorkspaceTree;
  readonly onClose: () => void;
}

interface EntryDialogProps extends CommonProps {
  readonly dialog: EntryDialogKind;
  /** The entry that is changed, or in which something is made. */
  readonly entry: TreeEntry;
}

interface MovableProps extends CommonProps {
  readonly entry: Movable;
}

/** One of the dialogs of spaces and collections. */
export function EntryDialog({ dialog, entry, ...common }: EntryDialogProps): ReactNode {
  if (dialog === 'space' || dialog === 'collection')
    return <CreateDialog {...common} object={dialog} within={entry.id} />;
  if (entry.object === ROOT) return null;
  if (dialog === 'rename') return <RenameDialog {...common} entry={entry} />;
  if (dialog === 'move') return <MoveDialog {...common} entry={entry} />;
  return (
    <FormDialog
      color="red"
      title={words.deleteTitle(entry.title)}
      text={words.deleteCollection}
      action={texts.common.delete}
      onSubmit={() => deleteCollection(entry.organization, entry.id)}
      onClose={common.onClose}
    />
  );
}

function RenameDialog({ entry, onClose }: MovableProps): ReactNode {
  const [title, setTitle] = useState(entry.title);
  return (
    <FormDialog
      title={words.renameTitle(entry.title)}
      action={texts.common.save}
      disabled={title.trim() === ''}
      onSubmit={() => renameEntry(entry, title.trim())}
      onClose={onClose}
    >
      <TitleField value={title} onChange={setTitle} />
    </FormDialog>
  );
}

function MoveDialog({ tree, entry, onClose }: MovableProps): ReactNode {
  const [parent, setParent] = useState(tree.parents.get(entry.id) ?? ROOT);
  const move = moveTo(tree, entry.id, parent);
  return (
    <FormDialog
      title={words.moveTitle(entry.title)}
      action={words.moveAction}
      disabled={move === undefined}
      onSubmit={async () => move && moveEntry(entry, move)}
      onClose={onClose}
    >
      <ParentField tree={tree} value={parent} onChange={setParent} except={entry.id} />
    </FormDialog>
  );
}

interface CreateDialogProps extends CommonProps {
  readonly object: 'space' | 'collection';
  readonly within: string;
}

/** Makes a space or a collection, and leads to it. */
function CreateDialog({ tree, object, within, onClose }: CreateDialogProps): ReactNode {
  const { organizationId } = tree;
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const [parent, setParent] = useState(within);
  const [beginning, setBeginning] = useState<Beginning>({ template: EMPTY, editMode: 'locked' });
  const create = async (): Promise<void> => {
    const body = { title: title.trim(), ...(parent !== ROOT && { parent }) };
    const { id } =
      object === 'collection'
        ? await send('post', '/v1/orgs/{organizationId}/collections', { organizationId }, body)
        : await send(
            'post',
            '/v1/orgs/{organizationId}/spaces',
            { organizationId },
            {
              ...body,
              editMode: beginning.editMode,
              ...(beginning.template !== EMPTY && { template: { id: beginning.template } }),
            },
          );
    await refreshTree(organizationId);
    await navigate({ href: `/o/${organizationId}/${object === 'space' ? 's' : 'c'}/${id}` });
  };
  return (
    <FormDialog
      title={object === 'space' ? words.newSpace : words.newCollection}
      action={words.create}
      disabled={title.trim() === ''}
      onSubmit={create}
      onClose={onClose}
    >
      <TitleField value={title} onChange={setTitle} />
      <ParentField tree={tree} value={parent} onChange={setParent} />
      {object === 'space' && (
        <BeginningFields organizationId={organizationId} value={beginning} onChange={setBeginning} />
      )}
    </FormDialog>
  );
}

/** With what a space begins, and how it is changed afterwards. */
interface Beginning {
  readonly template: string;
  readonly editMode: 'live' | 'locked';
}

interface FieldProps<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

interface BeginningFieldsProps extends FieldProps<Beginning> {
  readonly organizationId: string;
}

function BeginningFields({ organizationId, value, onChange }: BeginningFieldsProps): ReactNode {
  const { data } = useQuery({
    queryKey: ['templates', organizationId],
    staleTime: Infinity,
    queryFn: () => get('/v1/orgs/{organizationId}/templates', { organizationId }),
  });
  const templates = data?.items ?? [];
  return (
    <>
      <Select
        label={words.template}
        description={templates.find(({ id }) => id === value.template)?.description}
        data={[
          { value: EMPTY, label: words.noTemplate },
          ...templates.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        value={value.template}
        onChange={(template) => onChange({ ...value, template: template ?? EMPTY })}
        allowDeselect={false}
      />
      <Radio.Group
        label={words.editMode}
        value={value.editMode}
        onChange={(editMode) => onChange({ ...value, editMode: editMode === 'live' ? 'live' : 'locked' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="locked" label={words.locked} />
          <Radio value="live" label={words.live} />
        </Stack>
      </Radio.Group>
    </>
  );
}

function TitleField({ value, onChange }: FieldProps<string>): ReactNode {
  return (
    <TextInput
      label={words.titleField}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      maxLength={MAX_TITLE}
      data-autofocus
      required
    />
  );
}

interface ParentFieldProps extends FieldProps<string> {
  readonly tree: WorkspaceTree;
  readonly except?: string;
}

function ParentField({ tree, value, onChange, except }: ParentFieldProps): ReactNode {
  const collections = collectionOptions(tree, except).filter(({ id }) => takesContent(tree, id));
  return (
    <Select
      label={words.parent}
      data={[
        { value: ROOT, label: words.top, disabled: !tree.mayCreateAtTop },
        ...collections.map(({ id, title, depth }) => ({ value: id, label: `${'– '.repeat(depth)}${title}` })),
      ]}
      value={value}
      onChange={(parent) => onChange(parent ?? ROOT)}
      allowDeselect={false}
      searchable
    />
  );
}
