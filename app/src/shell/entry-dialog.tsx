import { Radio, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFollow } from '../ui/buttons.js';
import { useState, type ComponentProps } from 'react';
import { get, send } from '../api/client.js';
import { refreshTree } from '../people/queries.js';
import { texts } from '../texts/en.js';
import { TextField, FormDialog } from '../ui/forms.js';
import { ROOT } from '../ui/tree/forest.js';
import { deleteCollection, moveEntry, renameEntry } from './tree-actions.js';
import { collectionOptions, moveTo, takesContent, type Movable, type TOP, type WorkspaceTree } from './tree-data.js';

export type EntryDialogKind = 'rename' | 'move' | 'space' | 'collection' | 'delete';

const MAX_TITLE = 50;
const words = texts.people.tree;

interface EntryDialogProps {
  readonly tree: WorkspaceTree;
  readonly kind: EntryDialogKind;
  /** The entry that is changed, or in which something is made. */
  readonly entry: Movable | typeof TOP;
  readonly onClose: () => void;
}

type Values = Readonly<{ title: string; parent: string; template: string | null; editMode: 'locked' | 'live' }>;

/** One of the dialogs of spaces and collections. */
export function EntryDialog({ tree, kind, entry, onClose }: EntryDialogProps) {
  const isNew = kind === 'space' || kind === 'collection';
  const [values, setValues] = useState<Values>({
    title: isNew ? '' : entry.title,
    parent: isNew ? entry.id : (tree.parents.get(entry.id) ?? ROOT),
    template: null,
    editMode: 'locked',
  });
  const form = useForm(tree, entry, values)[kind];
  const change = (changed: Partial<Values>): void => setValues({ ...values, ...changed });
  return (
    <FormDialog {...form} onClose={onClose}>
      {(isNew || kind === 'rename') && (
        <TextField
          label={words.titleField}
          value={values.title}
          onText={(title) => change({ title })}
          maxLength={MAX_TITLE}
          data-autofocus
          required
        />
      )}
      {(isNew || kind === 'move') && (
        <Select
          label={words.parent}
          data={parentOptions(tree, isNew ? undefined : entry.id)}
          value={values.parent}
          onChange={(parent) => change({ parent: parent ?? ROOT })}
          searchable
        />
      )}
      {kind === 'space' && <SpaceFields organizationId={tree.organizationId} values={values} onChange={change} />}
    </FormDialog>
  );
}

/** The names and the actions of the dialogs. */
function useForm(tree: WorkspaceTree, entry: EntryDialogProps['entry'], values: Values) {
  const create = useCreate(tree.organizationId, values);
  const title = values.title.trim();
  const move = moveTo(tree, entry.id, values.parent);
  const changed = entry.object === ROOT ? undefined : entry;
  const common = { action: words.create, disabled: title === '' };
  const forms: Readonly<Record<EntryDialogKind, Omit<ComponentProps<typeof FormDialog>, 'onClose'>>> = {
    space: { ...common, title: words.newSpace, onSubmit: () => create('space') },
    collection: { ...common, title: words.newCollection, onSubmit: () => create('collection') },
    rename: {
      ...common,
      title: words.renameTitle(entry.title),
      action: texts.common.save,
      onSubmit: async () => changed && renameEntry(changed, title),
    },
    move: {
      title: words.moveTitle(entry.title),
      action: words.moveAction,
      disabled: !move,
      onSubmit: async () => changed && move && moveEntry(changed, move),
    },
    delete: {
      color: 'red',
      title: words.deleteTitle(entry.title),
      text: words.deleteCollection,
      action: texts.common.delete,
      onSubmit: () => deleteCollection(tree.organizationId, entry.id),
    },
  };
  return forms;
}

/** Makes a space or a collection, and leads to it. */
function useCreate(organizationId: string, { title, parent, template, editMode }: Values) {
  const follow = useFollow();
  const body = { title: title.trim(), ...(parent !== ROOT && { parent }) };
  const ofSpace = { editMode, ...(template !== null && { template: { id: template } }) };
  return async (object: 'space' | 'collection'): Promise<void> => {
    const made =
      object === 'collection'
        ? await send('post', '/v1/orgs/{organizationId}/collections', { organizationId }, body)
        : await send('post', '/v1/orgs/{organizationId}/spaces', { organizationId }, { ...body, ...ofSpace });
    await refreshTree(organizationId);
    follow(made.urls.app);
  };
}

function parentOptions(tree: WorkspaceTree, except: string | undefined) {
  const collections = collectionOptions(tree, except)
    .filter(({ id }) => takesContent(tree, id))
    .map(({ id, title, depth }) => ({
      value: id,
      label: `${'– '.repeat(depth)}${title}`,
    }));
  return [{ value: ROOT, label: words.top, disabled: !tree.mayCreateAtTop }, ...collections];
}

type SpaceFieldsProps = Readonly<{
  organizationId: string;
  values: Values;
  onChange: (changed: Partial<Values>) => void;
}>;

function SpaceFields({ organizationId, values, onChange }: SpaceFieldsProps) {
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
        description={templates.find(({ id }) => id === values.template)?.description}
        data={[
          { value: '', label: words.noTemplate },
          ...templates.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        value={values.template ?? ''}
        onChange={(template) => onChange({ template: template === '' ? null : template })}
      />
      <Radio.Group label={words.editMode} value={values.editMode}>
        <Stack gap="xs" mt="xs">
          {(['locked', 'live'] as const).map((editMode) => (
            <Radio key={editMode} value={editMode} label={words[editMode]} onChange={() => onChange({ editMode })} />
          ))}
        </Stack>
      </Radio.Group>
    </>
  );
}
