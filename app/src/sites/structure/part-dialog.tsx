import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/client.js';
import { spacesQuery } from '../../people/queries.js';
import { texts } from '../../texts/en.js';
import { siteTexts } from '../../texts/sites.js';
import { changing, FlagField, FormDialog, TextField, useFieldFaults } from '../../ui/forms.js';
import { ROOT } from '../../ui/tree/forest.js';
import { SITE, siteKey, type SitePlace } from '../queries.js';
import { fits, movePart, PATHS, pathOf, type Kind, type Part, type Parts } from './parts.js';

const words = siteTexts.structure;

/** The text fields of a kind of part with the most characters that they take, and whether a new part has them. */
const FIELDS = [
  ['title', 128, ['site-section', 'site-section-group', 'site-external-link'], true],
  ['url', 2048, ['site-external-link'], true],
  ['path', 100, ['site-space', 'site-section'], false],
  ['icon', 50, ['site-section', 'site-section-group', 'site-external-link'], true],
  ['description', 256, ['site-section', 'site-external-link'], false],
  ['condition', 1024, ['site-space', 'site-section', 'site-external-link'], false],
] as const satisfies readonly (readonly [string, number, readonly Kind[], boolean])[];
type Name = (typeof FIELDS)[number][0];
const REQUIRED: readonly Name[] = ['title', 'url', 'path'];
const MOST_GROUP_TITLE = 100;

const fieldsOf = (kind: Kind, isNew: boolean) =>
  FIELDS.filter(([, , kinds, ofNew]) => (kinds as readonly Kind[]).includes(kind) && (ofNew || !isNew));

interface PartDialogProps {
  readonly place: SitePlace;
  readonly parts: Parts;
  readonly kind: Kind;
  /** Absent for a new one. */
  readonly part?: Part | undefined;
  /** The section or group that a new part is added to. */
  readonly into?: string | undefined;
  readonly onClose: () => void;
}

/** Everything of a part of the structure, or of a new one. */
export function PartDialog({ place, parts, kind, part, into, onClose }: PartDialogProps) {
  const fields = fieldsOf(kind, part === undefined);
  const [first] = useState(() => valuesOf(part));
  const [values, setValues] = useState(first);
  const firstParent = part === undefined ? (into ?? ROOT) : (parts.parents.get(part.id) ?? ROOT);
  const [parent, setParent] = useState(firstParent);
  const { at, noting } = useFieldFaults();
  const set = (next: Partial<typeof values>): void => setValues({ ...values, ...next });
  const name = values.title.trim() === '' ? (part?.title ?? '') : values.title.trim();
  const save = async (): Promise<void> => {
    if (part === undefined) return add(place, kind, values, parent);
    const changed = changesOf(part, first, values);
    if (Object.keys(changed).length > 0) await send('patch', PATHS[kind], pathOf(place, part), changed as never);
    if (parent !== firstParent) await movePart(place, parts, part, parent);
  };
  const done =
    part === undefined && kind === 'site-space' ? words.addedSpace : (part ? words.saved : words.added)(name);
  const needsSpace = kind === 'site-space' || (kind === 'site-section' && part === undefined);
  return (
    <FormDialog
      title={part === undefined ? words.addOne[kind] : words.edit(part.title)}
      text={part === undefined ? words.addText[kind] : undefined}
      size="lg"
      action={part === undefined ? words.add : texts.common.save}
      disabled={
        fields.some(([field]) => REQUIRED.includes(field) && values[field].trim() === '') ||
        (needsSpace && values.spaceId === '')
      }
      onSubmit={noting(changing(save, { refresh: siteKey(place), done }))}
      onClose={onClose}
    >
      {needsSpace && (
        <SpaceField
          organizationId={place.organizationId}
          parts={parts}
          own={first.spaceId}
          value={values.spaceId}
          error={at('spaceId')}
          onChoose={({ id, title }) => set({ spaceId: id, ...(part === undefined && { title: title.slice(0, 128) }) })}
        />
      )}
      {fields.map(([field, most]) => (
        <TextField
          key={field}
          label={words[field]}
          description={words.hints[field]}
          type={field === 'url' ? 'url' : 'text'}
          required={REQUIRED.includes(field)}
          maxLength={kind === 'site-section-group' && field === 'title' ? MOST_GROUP_TITLE : most}
          value={values[field]}
          error={at(field)}
          onText={(text) => set({ [field]: text })}
        />
      ))}
      {part?.object === 'site-section' && part.siteSpaces.length > 1 && (
        <Select
          label={words.firstSpace}
          allowDeselect={false}
          data={part.siteSpaces.map(({ id, title }) => ({ value: id, label: title }))}
          value={values.defaultSiteSpace}
          error={at('defaultSiteSpace')}
          onChange={(id) => set({ defaultSiteSpace: id ?? '' })}
        />
      )}
      {(part !== undefined || kind !== 'site-section') && (
        <ParentField parts={parts} kind={kind} part={part} value={parent} error={at('parent')} onChoose={setParent} />
      )}
      <FlagField
        label={words.draftField}
        description={words.draftHint}
        error={at('draft')}
        checked={values.draft}
        onFlag={(draft) => set({ draft })}
      />
    </FormDialog>
  );
}

interface SpaceFieldProps {
  readonly organizationId: string;
  readonly parts: Parts;
  readonly own: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChoose: (space: Readonly<{ id: string; title: string }>) => void;
}

function SpaceField({ organizationId, parts, own, value, error, onChoose }: SpaceFieldProps) {
  const { data: spaces = [] } = useQuery(spacesQuery(organizationId));
  const present = new Set([...parts.items.values()].map((each) => each.object === 'site-space' && each.space.id));
  const free = spaces.filter(({ id }) => id === own || !present.has(id));
  return (
    <Select
      label={words.space}
      required
      searchable
      allowDeselect={false}
      limit={100}
      data={free.map(({ id, title }) => ({ value: id, label: title }))}
      nothingFoundMessage={words.noSpace}
      value={value === '' ? null : value}
      error={error}
      onChange={(id) => {
        const space = free.find((each) => each.id === id);
        if (space) onChoose(space);
      }}
    />
  );
}

interface ParentFieldProps {
  readonly parts: Parts;
  readonly kind: Kind;
  readonly part: Part | undefined;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChoose: (id: string) => void;
}

/** The part that a part stands in, as far as there is a choice. */
function ParentField({ parts, kind, part, value, error, onChoose }: ParentFieldProps) {
  const probe = part ?? ({ object: kind, id: '' } as Part);
  const takes = (into: Part | undefined): boolean =>
    kind === 'site-space' && part === undefined
      ? into === undefined
        ? ![...parts.items.values()].some(({ object }) => object !== 'site-space')
        : into.object === 'site-section'
      : fits(parts, into, probe);
  const data = [
    ...(takes(undefined) ? [{ value: ROOT, label: words.top }] : []),
    ...[...parts.items.values()].filter(takes).map(({ id, title }) => ({ value: id, label: title })),
  ];
  if (data.length < 2 && data[0]?.value === value) return null;
  return (
    <Select
      label={words.parent}
      allowDeselect={false}
      searchable
      data={data}
      value={data.some((each) => each.value === value) ? value : null}
      error={error}
      onChange={(id) => onChoose(id ?? value)}
    />
  );
}

function valuesOf(part: Part | undefined) {
  const given: Partial<Record<Name, string>> = part ?? {};
  const text = (name: Name): string => given[name] ?? '';
  return {
    title: text('title'),
    url: text('url'),
    path: text('path'),
    icon: text('icon'),
    description: text('description'),
    condition: text('condition'),
    draft: part?.draft ?? false,
    spaceId: part?.object === 'site-space' ? part.space.id : '',
    defaultSiteSpace:
      part?.object === 'site-section' ? (part.siteSpaces.find((each) => each.default)?.id ?? null) : null,
  };
}

type Values = ReturnType<typeof valuesOf>;

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** The fields that differ; optional ones that are empty are removed. */
function changesOf(part: Part, before: Values, after: Values): Readonly<Record<string, unknown>> {
  const changed = Object.entries(after).filter(([name, value]) => before[name as keyof Values] !== value);
  const names = new Set<string>(fieldsOf(part.object, false).map(([name]) => name));
  return Object.fromEntries(
    changed.map(([name, value]) => {
      if (typeof value !== 'string' || !names.has(name)) return [name, value];
      return [name, REQUIRED.includes(name as Name) ? value.trim() : orNull(value)];
    }),
  );
}

async function add(place: SitePlace, kind: Kind, values: Values, parent: string): Promise<void> {
  const { draft, spaceId } = values;
  const [title, icon] = [values.title.trim(), orNull(values.icon)];
  const below = parent === ROOT ? {} : { parent };
  if (kind === 'site-space')
    await send('post', `${SITE}/site-spaces`, place, {
      spaceId,
      draft,
      ...(parent !== ROOT && { sectionId: parent }),
    });
  else if (kind === 'site-section') await send('post', `${SITE}/sections`, place, { spaceId, title, icon, draft });
  else if (kind === 'site-section-group')
    await send('post', `${SITE}/section-groups`, place, { title, icon, draft, ...below });
  else await send('post', `${SITE}/external-links`, place, { title, icon, draft, url: values.url.trim(), ...below });
}
