import { MultiSelect, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import IconAdd from '~icons/fa7-solid/plus';
import { writingTexts } from '../texts/writing.js';
import { SecondaryButton } from '../ui/buttons.js';
import { FlagField, TextField } from '../ui/forms.js';
import { emojiOf } from '../ui/emoji.js';
import { type Change, coverTarget, filesQuery, type Page, revisionQuery } from './queries.js';
import { usePlace } from './place.js';
import { areNamed, rowsOf, valuesOf, type VariableRow, VariableRows, withNewRow } from './variable-rows.js';

type Layout = NonNullable<Page['layout']>;
export type Fields = ReturnType<typeof fieldsOf>;
type SetFields = (next: Partial<Fields>) => void;

const words = writingTexts.settings;
const names = writingTexts.diff.attributes;
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
  ['canonical', 2048, ['document']],
];
const ADDRESSES: ReadonlySet<string> = new Set(['target', 'canonical']);
const FLAGS = ['hidden', 'noIndex', 'noRobotsIndex'] as const;
const LAYOUT = [
  ...(['title', 'description', 'cover', 'tableOfContents', 'outline', 'pagination'] as const),
  ...(['metadata', 'tags', 'actions', 'anchors'] as const),
];

interface PageFieldsProps {
  readonly page: Page;
  readonly fields: Fields;
  readonly set: SetFields;
  /** False where the title is written elsewhere. */
  readonly hasTitle?: boolean;
}

/** Everything of a page besides its text, which Markdown has as frontmatter. */
export function PageFields({ page, fields, set, hasTitle = true }: PageFieldsProps) {
  const isDocument = page.type === 'document';
  return (
    <>
      {TEXTS.filter(([name, , types]) => types.includes(page.type) && (hasTitle || name !== 'title')).map(
        ([name, most]) => (
          <TextField
            key={name}
            label={names[name]}
            description={words.hints[name]}
            type={ADDRESSES.has(name) ? 'url' : 'text'}
            required={name === 'title' || name === 'target'}
            data-autofocus={name === 'title' || undefined}
            maxLength={most}
            value={fields[name]}
            onText={(text) => set({ [name]: text })}
          />
        ),
      )}
      {isDocument && <TagFields fields={fields} set={set} />}
      {isDocument && <CoverFields fields={fields} set={set} />}
      {isDocument && (
        <fieldset className="plain-fields">
          <Text component="legend" size="sm" fw={600} mb={4}>
            {words.variables}
          </Text>
          <VariableRows rows={fields.variables} onRows={(variables) => set({ variables })} mayChange />
          <SecondaryButton
            label={writingTexts.variables.add}
            size="xs"
            leftSection={<IconAdd />}
            onClick={() => set({ variables: withNewRow(fields.variables) })}
          />
        </fieldset>
      )}
      {FLAGS.filter((name) => (name === 'hidden' ? ALL : UNLINKED).includes(page.type)).map((name) => (
        <FlagField key={name} label={names[name]} checked={fields[name]} onFlag={(flag) => set({ [name]: flag })} />
      ))}
      {fields.layout && <LayoutFields layout={fields.layout} onChange={(layout) => set({ layout })} />}
    </>
  );
}

type PartProps = Readonly<{ fields: Fields; set: SetFields }>;

function TagFields({ fields: { tags, primaryTag }, set }: PartProps) {
  const { data } = useQuery({ ...revisionQuery(usePlace()), staleTime: 60_000 });
  const labels = new Map(data?.tags.map(({ slug, label }) => [slug, label]));
  const known = [...new Set([...labels.keys(), ...tags])].map((value) => ({
    value,
    label: labels.get(value) ?? value,
  }));
  if (known.length === 0) return null;
  return (
    <>
      <MultiSelect
        searchable
        clearable
        label={words.tags}
        data={known}
        value={[...tags]}
        onChange={(next) => set({ tags: next, primaryTag: next.includes(primaryTag) ? primaryTag : '' })}
      />
      {tags.length > 0 && (
        <Select
          clearable
          label={words.primaryTag}
          data={known.filter(({ value }) => tags.includes(value))}
          value={primaryTag === '' ? null : primaryTag}
          onChange={(next) => set({ primaryTag: next ?? '' })}
        />
      )}
    </>
  );
}

function CoverFields({ fields: { cover, coverUrl }, set }: PartProps) {
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
          label={words.layout[name]}
          checked={layout[name]}
          onFlag={(flag) => onChange({ ...layout, [name]: flag })}
        />
      ))}
    </>
  );
}

function textsOf(page: Page) {
  const { title, slug = '', description = '', linkTitle, icon, condition, href: target = '' } = page;
  const { canonical } = (page.metaLinks ?? {}) as { readonly canonical?: { readonly url?: string } };
  const others = { linkTitle: linkTitle ?? '', icon: icon ?? '', condition: condition ?? '' };
  return { title, slug, description, target, emoji: emojiOf(page) ?? '', canonical: canonical?.url ?? '', ...others };
}

/** The fields of a page; `cover` is the file of the cover, `address`, or nothing. */
export function fieldsOf(page: Page) {
  const { hidden = false, noIndex = false, noRobotsIndex = false, layout, tags = [] } = page;
  const { file, url: coverUrl = '' } = coverTarget(page.cover);
  const cover = file ?? (coverUrl === '' ? '' : ADDRESS);
  return {
    ...textsOf(page),
    ...{ hidden, noIndex, noRobotsIndex, layout, cover, coverUrl },
    tags: tags.map(({ tag }): string => tag.tag) as readonly string[],
    primaryTag: tags.find(({ primary }) => primary === true)?.tag.tag ?? '',
    variables: rowsOf(page.variables ?? {}) as readonly VariableRow[],
  };
}

export const isComplete = ({ title, variables }: Fields): boolean => title.trim() !== '' && areNamed(variables);

/** The change that names what differs. */
export function changeOf(page: Page, before: Fields, after: Fields): Change {
  const changed = Object.fromEntries(
    Object.entries(after).filter(([name, value]) => before[name as keyof Fields] !== value),
  ) as Partial<Fields>;
  const { emoji, cover, coverUrl, target, tags, primaryTag, variables, canonical, ...rest } = changed;
  return {
    operation: 'update_page',
    page: page.id,
    ...rest,
    ...(emoji !== undefined && { emoji: emojiCodes(emoji) }),
    ...((cover !== undefined || coverUrl !== undefined) && { cover: coverOf(page, after) }),
    ...(target !== undefined && { target: { kind: 'url', url: target } }),
    ...((tags !== undefined || primaryTag !== undefined) && { tags: tagsOf(after) }),
    ...(variables !== undefined && { variables: variablesOf(page, after) }),
    ...(canonical !== undefined && { metaLinks: metaLinksOf(page, canonical) }),
  };
}

function coverOf(page: Page, { cover, coverUrl }: Fields): Record<string, unknown> | null {
  if (cover === '') return null;
  const ref = cover === ADDRESS ? { kind: 'url', url: coverUrl } : { kind: 'file', file: cover };
  return { ...page.cover, ref };
}

function tagsOf({ tags, primaryTag }: Fields): Page['tags'] | null {
  if (tags.length === 0) return null;
  return tags.map((tag) => ({ tag: { kind: 'tag', tag }, ...(tag === primaryTag && { primary: true }) }));
}

function variablesOf(page: Page, { variables }: Fields): Record<string, unknown> | null {
  return variables.length === 0 ? null : valuesOf(variables, page.variables ?? {});
}

function metaLinksOf({ metaLinks }: Page, url: string): Record<string, unknown> | null {
  const { canonical: _before, ...others } = (metaLinks ?? {}) as Record<string, unknown>;
  const next = { ...others, ...(url !== '' && { canonical: { kind: 'url', url } }) };
  return Object.keys(next).length === 0 ? null : next;
}

/** An emoji as the codes of its characters, as pages have it. */
function emojiCodes(emoji: string): string {
  return [...emoji.trim()].map((character) => character.codePointAt(0)?.toString(16) ?? '').join('-');
}
