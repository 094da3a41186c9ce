import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { texts } from '../texts/en.js';
import { FlagField, TextField, FormDialog } from '../ui/forms.js';
import { emojiOf } from '../ui/emoji.js';
import { coverTarget, filesQuery, type Page, type Change, useWrite } from './queries.js';
import { usePlace } from './place.js';

type Layout = NonNullable<Page['layout']>;
type Fields = ReturnType<typeof fieldsOf>;

const words = texts.writing.settings;
const names = texts.writing.diff.attributes;
const ADDRESS = 'address';
const UNLINKED: readonly Page['type'][] = ['document', 'group'];
const ALL: readonly Page['type'][] = [...UNLINKED, 'link'];
/** The texts with the most characters that they may have, and the types of pages that have them. */
const TEXTS: readonly (readonly [
  name: keyof ReturnType<typeof textsOf>,
  most: number,
  types: readonly Page['type'][],
])[] = [
  ['title', 250, ALL],
  ['target', 2048, ['link']],
  ['slug', 100, UNLINKED],
  ['description', 300, ['document']],
  ['linkTitle', 100, ['document']],
  ['emoji', 20, ALL],
  ['icon', 50, ALL],
  ['condition', 1024, ['document']],
];
const FLAGS = ['hidden', 'noIndex', 'noRobotsIndex'] as const;
const LAYOUT = ['tableOfContents', 'outline', 'pagination'] as const;

/** Everything of a page besides its text. */
export function PageSettings({ page, onClose }: Readonly<{ page: Page; onClose: () => void }>) {
  const [first] = useState(() => fieldsOf(page));
  const [fields, setFields] = useState(first);
  const set = (next: Partial<Fields>): void => setFields({ ...fields, ...next });
  const write = useWrite();
  return (
    <FormDialog
      title={words.title}
      size="lg"
      action={texts.common.save}
      disabled={fields.title.trim() === ''}
      onSubmit={() => write(changeOf(page, first, fields), words.saved)}
      onClose={onClose}
    >
      {TEXTS.filter(([, , types]) => types.includes(page.type)).map(([name, most]) => (
        <TextField
          key={name}
          label={names[name]}
          description={words.hints[name]}
          type={name === 'target' ? 'url' : 'text'}
          required={name === 'title' || name === 'target'}
          data-autofocus={name === 'title' || undefined}
          maxLength={most}
          value={fields[name]}
          onText={(text) => set({ [name]: text })}
        />
      ))}
      {page.type === 'document' && <CoverFields fields={fields} set={set} />}
      {FLAGS.filter((name) => (name === 'hidden' ? ALL : UNLINKED).includes(page.type)).map((name) => (
        <FlagField key={name} label={names[name]} checked={fields[name]} onFlag={(flag) => set({ [name]: flag })} />
      ))}
      {fields.layout && <LayoutFields layout={fields.layout} onChange={(layout) => set({ layout })} />}
    </FormDialog>
  );
}

type CoverFieldsProps = Readonly<{ fields: Fields; set: (next: Partial<Fields>) => void }>;

function CoverFields({ fields: { cover, coverUrl }, set }: CoverFieldsProps) {
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
        value={cover === '' ? null : cover}
        onChange={(next) => set({ cover: next ?? '' })}
      />
      {cover === ADDRESS && (
        <TextField
          type="url"
          required
          label={words.coverUrl}
          value={coverUrl}
          onText={(url) => set({ coverUrl: url })}
        />
      )}
    </>
  );
}

function LayoutFields({ layout, onChange }: Readonly<{ layout: Layout; onChange: (layout: Layout) => void }>) {
  const isWide = layout.width === 'wide';
  return (
    <>
      <FlagField
        label={words.width}
        checked={isWide}
        onFlag={() => onChange({ ...layout, width: isWide ? 'default' : 'wide' })}
      />
      {LAYOUT.map((name) => (
        <FlagField
          key={name}
          label={words[name]}
          checked={layout[name]}
          onFlag={(flag) => onChange({ ...layout, [name]: flag })}
        />
      ))}
    </>
  );
}

function textsOf(page: Page) {
  const { title, slug = '', description = '', linkTitle, icon, condition, href: target = '' } = page;
  const others = { linkTitle: linkTitle ?? '', icon: icon ?? '', condition: condition ?? '' };
  return { title, slug, description, target, emoji: emojiOf(page) ?? '', ...others };
}

/** The fields of the dialog; `cover` is the file of the cover, `address`, or nothing. */
function fieldsOf(page: Page) {
  const { hidden = false, noIndex = false, noRobotsIndex = false, layout } = page;
  const { file, url: coverUrl = '' } = coverTarget(page.cover);
  const cover = file ?? (coverUrl === '' ? '' : ADDRESS);
  return { ...textsOf(page), hidden, noIndex, noRobotsIndex, layout, cover, coverUrl };
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
