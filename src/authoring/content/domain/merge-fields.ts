import { sameValue, type Item, type ItemProps } from './content-item.js';

/** One attribute of an item that merges as a whole. */
export interface MergeField {
  readonly name: string;
  readonly value: unknown;
}

const SLUG_GIVEN = 'slugGiven';
/** The fields of the tags of a page begin so: each tag is one, so that tags of both sides are united. */
const TAG = 'tags.';
const FILE_CONTENT = ['contentType', 'size', 'width', 'height'];

/**
 * The attributes of an item, one by one: order and parent are one (`place`), a slug belongs with its mark as explicit,
 * the metadata of a file's bytes belong together, and each tag of a page is one. The document is merged by blocks and is not among them.
 */
export function mergeFieldsOf(item: Item): MergeField[] {
  const fields: MergeField[] = [
    { name: 'place', value: [item.parentId, item.position] },
    { name: 'type', value: item.type },
    { name: 'title', value: item.title },
    { name: 'slug', value: [item.slug, item.props[SLUG_GIVEN] === true] },
  ];
  const whole = new Set([SLUG_GIVEN, 'tags', ...(item.kind === 'file' ? FILE_CONTENT : [])]);
  for (const slug of slugsOfTags(item.props)) fields.push({ name: `${TAG}${slug}`, value: true });
  if (item.kind === 'file')
    fields.push({ name: 'content', value: [item.hash, ...FILE_CONTENT.map((name) => item.props[name])] });
  for (const [name, value] of Object.entries(item.props)) {
    if (!whole.has(name) && value !== undefined) fields.push({ name: `props.${name}`, value });
  }
  return fields;
}

/**
 * Replaces one attribute of an item; `value` is the result of `mergeFieldsOf` for another version, undefined unsets.
 */
export function withField(item: Item, name: string, value: unknown): Item {
  if (name === 'place' && Array.isArray(value))
    return { ...item, parentId: String(value[0]), position: String(value[1]) };
  if (name === 'type') return { ...item, type: String(value) };
  if (name === 'title') return { ...item, title: String(value) };
  if (name === 'slug' && Array.isArray(value)) {
    return {
      ...item,
      slug: value[0] as string | null,
      props: withProp(item.props, SLUG_GIVEN, value[1] === true ? true : undefined),
    };
  }
  if (name === 'content' && Array.isArray(value)) {
    const props = FILE_CONTENT.reduce(
      (all, field, index) => withProp(all, field, value[index + 1] as unknown),
      item.props,
    );
    return { ...item, hash: value[0] as string | null, props };
  }
  if (name.startsWith(TAG)) {
    const slug = name.slice(TAG.length);
    const others = slugsOfTags(item.props).filter((other) => other !== slug);
    const tags = (value === true ? [...others, slug] : others).sort();
    return { ...item, props: withProp(item.props, 'tags', tags.length === 0 ? undefined : tags) };
  }
  return { ...item, props: withProp(item.props, name.slice('props.'.length), value) };
}

function slugsOfTags(props: ItemProps): readonly string[] {
  return (props['tags'] as readonly string[] | undefined) ?? [];
}

function withProp(props: ItemProps, name: string, value: unknown): ItemProps {
  const { [name]: _, ...rest } = props;
  return value === undefined ? rest : { ...rest, [name]: value };
}

export interface FieldConflict {
  readonly name: string;
  readonly base: unknown;
  readonly primary: unknown;
  readonly changed: unknown;
}

/**
 * Merges the attributes of three versions one by one, starting from `primary`. An explicit slug takes precedence over a
 * derived one, which never conflicts by itself: two different titles do that already.
 */
export function mergeFields(
  base: Item | undefined,
  primary: Item,
  changed: Item,
): { merged: Item; conflicts: FieldConflict[] } {
  const values = [base, primary, changed].map(
    (item) => new Map((item ? mergeFieldsOf(item) : []).map((field) => [field.name, field.value])),
  );
  const [b, p, c] = values as [Map<string, unknown>, Map<string, unknown>, Map<string, unknown>];
  const conflicts: FieldConflict[] = [];
  let merged = primary;
  for (const name of new Set([...b.keys(), ...p.keys(), ...c.keys()])) {
    const [was, ours, theirs] = [b.get(name), p.get(name), c.get(name)];
    if (sameValue(ours, theirs) || sameValue(was, theirs)) continue;
    if (base && sameValue(was, ours)) merged = withField(merged, name, theirs);
    else if (name === 'slug') merged = withField(merged, name, strongerSlug(ours, theirs, conflicts, was));
    else conflicts.push({ name, base: was, primary: ours, changed: theirs });
  }
  return { merged: latest(merged, changed), conflicts };
}

function strongerSlug(ours: unknown, theirs: unknown, conflicts: FieldConflict[], was: unknown): unknown {
  const given = (value: unknown) => Array.isArray(value) && value[1] === true;
  if (given(ours) && given(theirs)) conflicts.push({ name: 'slug', base: was, primary: ours, changed: theirs });
  return given(theirs) && !given(ours) ? theirs : ours;
}

function latest(item: Item, other: Item): Item {
  return other.updatedAt > item.updatedAt ? { ...item, updatedAt: other.updatedAt } : item;
}
