import { Button, Group, Modal, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { showDone } from '../ui/toasts.js';
import { coverTarget } from './page-cover.js';
import type { Place } from './place.js';
import { filesQuery, renewContent, type Page } from './queries.js';
import { emojiOf } from './tree/tree-data.js';
import { write, type Change } from './write.js';

const words = texts.writing.settings;
const ADDRESS = 'address';
const LAYOUT = ['tableOfContents', 'outline', 'pagination'] as const;

type Layout = NonNullable<Page['layout']>;

interface Fields {
  readonly title: string;
  readonly slug: string;
  readonly description: string;
  readonly linkTitle: string;
  readonly emoji: string;
  readonly icon: string;
  readonly condition: string;
  /** The file of the cover, `address`, or nothing. */
  readonly cover: string;
  readonly coverUrl: string;
  readonly target: string;
  readonly hidden: boolean;
  readonly noIndex: boolean;
  readonly noRobotsIndex: boolean;
  readonly layout: Layout | undefined;
}

interface PageSettingsProps {
  readonly place: Place;
  readonly page: Page;
  readonly onClose: () => void;
}

/** Everything of a page besides its text. */
export function PageSettings({ place, page, onClose }: PageSettingsProps): ReactNode {
  const queries = useQueryClient();
  const [first] = useState(() => fieldsOf(page));
  const [fields, setFields] = useState(first);
  const set = (next: Partial<Fields>): void => setFields({ ...fields, ...next });
  const save = useMutation({
    mutationFn: () => write(place, [changeOf(page, first, fields)]),
    onSuccess: async () => {
      await renewContent(queries, place);
      showDone(words.saved);
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={words.title} size="lg">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextFields page={page} fields={fields} set={set} />
          {page.type === 'document' && <CoverFields place={place} fields={fields} set={set} />}
          <Switch
            label={words.hidden}
            checked={fields.hidden}
            onChange={(event) => set({ hidden: event.currentTarget.checked })}
          />
          {page.type !== 'link' && (
            <>
              <Switch
                label={words.noIndex}
                checked={fields.noIndex}
                onChange={(event) => set({ noIndex: event.currentTarget.checked })}
              />
              <Switch
                label={words.noRobotsIndex}
                checked={fields.noRobotsIndex}
                onChange={(event) => set({ noRobotsIndex: event.currentTarget.checked })}
              />
            </>
          )}
          {fields.layout && <LayoutFields layout={fields.layout} set={set} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.common.cancel}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={fields.title.trim() === ''}>
              {words.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface FieldsProps {
  readonly fields: Fields;
  readonly set: (next: Partial<Fields>) => void;
}

function TextFields({ page, fields, set }: FieldsProps & { readonly page: Page }): ReactNode {
  const text = (name: 'title' | 'slug' | 'linkTitle' | 'emoji' | 'icon' | 'condition' | 'target') => ({
    value: fields[name],
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  });
  const isDocument = page.type === 'document';
  return (
    <>
      <TextInput data-autofocus required maxLength={250} label={words.pageTitle} {...text('title')} />
      {page.type === 'link' && <TextInput type="url" required label={words.target} {...text('target')} />}
      {page.type !== 'link' && (
        <TextInput maxLength={100} label={words.slug} description={words.slugHint} {...text('slug')} />
      )}
      {isDocument && (
        <>
          <Textarea
            autosize
            maxLength={300}
            label={words.description}
            value={fields.description}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
          <TextInput maxLength={100} label={words.linkTitle} {...text('linkTitle')} />
        </>
      )}
      <Group grow align="flex-start">
        <TextInput maxLength={20} label={words.emoji} description={words.emojiHint} {...text('emoji')} />
        <TextInput maxLength={50} label={words.icon} description={words.iconHint} {...text('icon')} />
      </Group>
      {isDocument && (
        <TextInput maxLength={1024} label={words.condition} description={words.conditionHint} {...text('condition')} />
      )}
    </>
  );
}

function CoverFields({ place, fields, set }: FieldsProps & { readonly place: Place }): ReactNode {
  const { data: files = [] } = useQuery(filesQuery(place));
  const pictures = files
    .filter(({ contentType }) => contentType.startsWith('image/'))
    .map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <Select
        searchable
        clearable
        limit={50}
        label={words.coverFile}
        description={words.coverHint}
        placeholder={words.coverNone}
        data={[{ value: ADDRESS, label: words.coverAddress }, ...pictures]}
        value={fields.cover === '' ? null : fields.cover}
        onChange={(cover) => set({ cover: cover ?? '' })}
      />
      {fields.cover === ADDRESS && (
        <TextInput
          type="url"
          required
          label={words.cover}
          value={fields.coverUrl}
          onChange={(event) => set({ coverUrl: event.currentTarget.value })}
        />
      )}
    </>
  );
}

function LayoutFields({
  layout,
  set,
}: {
  readonly layout: Layout;
  readonly set: (next: Partial<Fields>) => void;
}): ReactNode {
  return (
    <>
      <Switch
        label={words.width}
        checked={layout.width === 'wide'}
        onChange={(event) => set({ layout: { ...layout, width: event.currentTarget.checked ? 'wide' : 'default' } })}
      />
      {LAYOUT.map((name) => (
        <Switch
          key={name}
          label={words[name]}
          checked={layout[name]}
          onChange={(event) => set({ layout: { ...layout, [name]: event.currentTarget.checked } })}
        />
      ))}
    </>
  );
}

function fieldsOf(page: Page): Fields {
  const { file, url = '' } = coverTarget(page.cover);
  return {
    title: page.title,
    slug: page.slug ?? '',
    description: page.description ?? '',
    linkTitle: page.linkTitle ?? '',
    emoji: emojiOf(page) ?? '',
    icon: page.icon ?? '',
    condition: page.condition ?? '',
    cover: file ?? (url === '' ? '' : ADDRESS),
    coverUrl: url,
    target: page.href ?? '',
    hidden: page.hidden ?? false,
    noIndex: page.noIndex ?? false,
    noRobotsIndex: page.noRobotsIndex ?? false,
    layout: page.layout,
  };
}

/** The change that names what differs. */
function changeOf(page: Page, before: Fields, after: Fields): Change {
  const texts = ['title', 'slug', 'description', 'linkTitle', 'icon', 'condition'] as const;
  const flags = ['hidden', 'noIndex', 'noRobotsIndex'] as const;
  const changed = [...texts, ...flags].filter((name) => before[name] !== after[name]);
  const hasCover = before.cover !== after.cover || before.coverUrl !== after.coverUrl;
  return {
    operation: 'update_page',
    page: page.id,
    ...Object.fromEntries(changed.map((name) => [name, after[name]])),
    ...(before.emoji !== after.emoji && { emoji: emojiCodes(after.emoji) }),
    ...(hasCover && { cover: coverOf(page, after) }),
    ...(before.target !== after.target && { target: { kind: 'url', url: after.target } }),
    ...(after.layout && before.layout !== after.layout && { layout: after.layout }),
  };
}

function coverOf(page: Page, { cover, coverUrl }: Fields): Record<string, unknown> | null {
  if (cover === '') return null;
  const ref = cover === ADDRESS ? { kind: 'url', url: coverUrl } : { kind: 'file', file: cover };
  return { ...page.cover, ref };
}

/** An emoji as the codes of its characters, as pages have it. */
function emojiCodes(emoji: string): string {
  return [...emoji.trim()].map((character) => character.codePointAt(0)?.toString(16) ?? '').join('-');
}
