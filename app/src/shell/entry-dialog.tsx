import { Radio, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { get, send } from '../api/client.js';
import { refreshTree } from '../people/queries.js';
import { texts } from '../texts/en.js';
import { TextField } from '../ui/fields.js';
import { FormDialog } from '../ui/form-dialog.js';
import { ROOT } from '../ui/tree/forest.js';
import { deleteCollection, moveEntry, renameEntry } from './tree-actions.js';
import {
  collectionOptions,
  moveTo,
  pathOf,
  takesContent,
  type Movable,
  type TOP,
  type WorkspaceTree,
} from './tree-data.js';

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

/** The fields of the dialogs; each of them shows a part of them. */
interface Values {
  readonly title: string;
  readonly parent: string;
  readonly template: string | null;
  readonly editMode: string;
}

type Form = Pick<ComponentProps<typeof FormDialog>, 'title' | 'text' | 'action' | 'color' | 'disabled' | 'onSubmit'>;

/** One of the dialogs of spaces and collections. */
export function EntryDialog({ tree, kind, entry, onClose }: EntryDialogProps): ReactNode {
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
          allowDeselect={false}
          searchable
        />
      )}
      {kind === 'space' && <SpaceFields organizationId={tree.organizationId} values={values} onChange={change} />}
    </FormDialog>
  );
}

/** The names and the actions of the dialogs. */
function useForm(
  tree: WorkspaceTree,
  entry: EntryDialogProps['entry'],
  values: Values,
): Readonly<Record<EntryDialogKind, Form>> {
  const create = useCreate(tree.organizationId, values);
  const title = values.title.trim();
  const move = moveTo(tree, entry.id, values.parent);
  const changed = entry.object === ROOT ? undefined : entry;
  const common = { action: words.create, disabled: title === '' };
  return {
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
}

/** Makes a space or a collection, and leads to it. */
function useCreate(organizationId: string, { title, parent, template, editMode }: Values) {
  const navigate = useNavigate();
  const body = { title: title.trim(), ...(parent !== ROOT && { parent }) };
  return async (object: 'space' | 'collection'): Promise<void> => {
    const made =
      object === 'collection'
        ? await send('post', '/v1/orgs/{organizationId}/collections', { organizationId }, body)
        : await send(
            'post',
            '/v1/orgs/{organizationId}/spaces',
            { organizationId },
            {
              ...body,
              editMode: editMode === 'live' ? 'live' : 'locked',
              ...(template !== null && { template: { id: template } }),
            },
          );
    await refreshTree(organizationId);
    await navigate({ href: pathOf(made) });
  };
}

function parentOptions(tree: WorkspaceTree, except: string | undefined) {
  const collections = collectionOptions(tree, except).filter(({ id }) => takesContent(tree, id));
  return [
    { value: ROOT, label: words.top, disabled: !tree.mayCreateAtTop },
    ...collections.map(({ id, title, depth }) => ({ value: id, label: `${'– '.repeat(depth)}${title}` })),
  ];
}

interface SpaceFieldsProps {
  readonly organizationId: string;
  readonly values: Values;
  readonly onChange: (changed: Partial<Values>) => void;
}

function SpaceFields({ organizationId, values, onChange }: SpaceFieldsProps): ReactNode {
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
        allowDeselect={false}
      />
      <Radio.Group label={words.editMode} value={values.editMode} onChange={(editMode) => onChange({ editMode })}>
        <Stack gap="xs" mt="xs">
          <Radio value="locked" label={words.locked} />
          <Radio value="live" label={words.live} />
        </Stack>
      </Radio.Group>
    </>
  );
}
