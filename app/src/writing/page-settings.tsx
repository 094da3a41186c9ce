import { Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { texts } from '../texts/en.js';
import { FormDialog } from '../ui/form-dialog.js';
import { emojiOf } from '../ui/page-icon.js';
import { coverTarget, filesQuery, type Page } from './queries.js';
import { usePlace } from './place.js';
import { type Change, useWrite } from './write.js';

type Layout = NonNullable<Page['layout']>;
type TextName = 'title' | 'slug' | 'description' | 'linkTitle' | 'emoji' | 'icon' | 'condition' | 'target';
type FlagName = 'hidden' | 'noIndex' | 'noRobotsIndex';

interface Fields extends Readonly<Record<TextName, string> & Record<FlagName, boolean>> {
  /** The file of the cover, `address`, or nothing. */
  readonly cover: string;
  readonly coverUrl: string;
  readonly layout: Layout | undefined;
}

const words = texts.writing.settings;
const names = texts.writing.diff.attributes;
const ADDRESS = 'address';
const ALL = ['document', 'group', 'link'] as const;
const UNLINKED = ['document', 'group'] as const;
/** The texts with the most characters that they may have, and the types of pages that have them. */
const TEXTS: readonly (readonly [TextName, number, readonly Page['type'][]])[] = [
  ['title', 250, ALL],
  ['target', 2048, ['link']],
  ['slug', 100, UNLINKED],
  ['description', 300, ['document']],
  ['linkTitle', 100, ['document']],
  ['emoji', 20, ALL],
  ['icon', 50, ALL],
  ['condition', 1024, ['document']],
];
const FLAGS: readonly (readonly [FlagName, readonly Page['type'][]])[] = [
  ['hidden', ALL],
  ['noIndex', UNLINKED],
  ['noRobotsIndex', UNLINKED],
];
const LAYOUT = ['tableOfContents', 'outline', 'pagination'] as const;

/** Everything of a page besides its text. */
export function PageSettings({ page, onClose }: Readonly<{ page: Page; onClose: () => void }>): ReactNode {
  const [first] = useState(() => fieldsOf(page));
  const [fields, setFields] = useState(first);
  const set = (next: Partial<Fields>): void => setFields({ ...fields, ...next });
  const { mutateAsync } = useWrite();
  return (
    <FormDialog
      title={words.title}
      size="lg"
      action={texts.common.save}
      disabled={fields.title.trim() === ''}
      onSubmit={() => mutateAsync({ changes: [changeOf(page, first, fields)], done: words.saved })}
      onClose={onClose}
    >
      {TEXTS.filter(([, , types]) => types.includes(page.type)).map(([name, most]) => (
        <TextInput
          key={name}
          label={names[name]}
          description={words.hints[name]}
          type={name === 'target' ? 'url' : 'text'}
          required={name === 'title' || name === 'target'}
          data-autofocus={name === 'title' || undefined}
          maxLength={most}
          value={fields[name]}
          onChange={(event) => set({ [name]: event.currentTarget.value })}
        />
      ))}
      {page.type === 'document' && <CoverFields fields={fields} set={set} />}
      {FLAGS.filter(([, types]) => types.includes(page.type)).map(([name]) => (
        <Switch
          key={name}
          label={names[name]}
          checked={fields[name]}
          onChange={(event) => set({ [name]: event.currentTarget.checked })}
        />
      ))}
      {fields.layout && <LayoutFields layout={fields.layout} set={set} />}
    </FormDialog>
  );
}

type SetFields = (next: Partial<Fields>) => void;

function CoverFields({ fields, set }: Readonly<{ fields: Fields; set: SetFields }>): ReactNode {
  const { data: files = [] } = useQuery(filesQuery(usePlace()));
  const pictures = files
    .filter(({ contentType }) => contentType.startsWith('image/'))
    .map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <Select
        searchable
        clearable
        limit={50}
        label={names['cover']}
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
          label={words.coverUrl}
          value={fields.coverUrl}
          onChange={(event) => set({ coverUrl: event.currentTarget.value })}
        />
      )}
    </>
  );
}

function LayoutFields({ layout, set }: Readonly<{ layout: Layout; set: SetFields }>): ReactNode {
  const setLayout = (next: Partial<Layout>): void => set({ layout: { ...layout, ...next } });
  return (
    <>
      <Switch
        label={words.width}
        checked={layout.width === 'wide'}
        onChange={(event) => setLayout({ width: event.currentTarget.checked ? 'wide' : 'default' })}
      />
      {LAYOUT.map((name) => (
        <Switch
          key={name}
          label={words[name]}
          checked={layout[name]}
          onChange={(event) => setLayout({ [name]: event.currentTarget.checked })}
        />
      ))}
    </>
  );
}

function fieldsOf(page: Page): Fields {
  const { title, slug = '', description = '', linkTitle, icon, condition, href = '', layout } = page;
  const { hidden = false, noIndex = false, noRobotsIndex = false } = page;
  const { file, url = '' } = coverTarget(page.cover);
  return {
    ...{ title, slug, description, hidden, noIndex, noRobotsIndex, layout },
    linkTitle: linkTitle ?? '',
    icon: icon ?? '',
    condition: condition ?? '',
    emoji: emojiOf(page) ?? '',
    target: href,
    cover: file ?? (url === '' ? '' : ADDRESS),
    coverUrl: url,
  };
}

/** The change that names what differs. */
function changeOf(page: Page, before: Fields, after: Fields): Change {
  const changed = Object.fromEntries(
    Object.entries(after).filter(([name, value]) => before[name as keyof Fields] !== value),
  ) as Partial<Fields>;
  const { emoji, cover, coverUrl, target, ...rest } = changed;
  return {
    operation: 'update_page',
    page: page.id,
    ...rest,
    ...(emoji !== undefined && { emoji: emojiCodes(emoji) }),
    ...((cover !== undefined || coverUrl !== undefined) && { cover: coverOf(page, after) }),
    ...(target !== undefined && { target: { kind: 'url', url: target } }),
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
