import { ICON_NAME } from '../../../kernel/common/icon-name.js';
import { ChangeFault, type ContentChange, type TagLook } from './content-change.js';
import { blankItem, type ItemKey, type ItemProps, type PageType } from './content-item.js';
import { isSlug, slugOf } from './slug.js';
import { storedTags, type PageTag } from './tags.js';
import type { WorkingTree } from './working-tree.js';

export const MAX_PAGE_TAGS = 50;

type TagChange = Extract<ContentChange, { operation: 'insert_tag' | 'update_tag' | 'delete_tag' }>;

/** The slug of a new tag: the given one, or derived from its label. */
export function newTagSlug({ slug, label }: { readonly slug?: string; readonly label: string }): string {
  return slug === undefined ? slugOf(label) : slug.normalize('NFC').toLowerCase();
}

/** Applies a change of a tag to a working tree; throws `ChangeFault`. */
export function applyTagChange(tree: WorkingTree, change: TagChange, now: Date): void {
  const key: ItemKey = `tag:${change.operation === 'insert_tag' ? change.slug : change.tag}`;
  const before = tree.get(key);
  if (change.operation === 'insert_tag') {
    if (before) throw new ChangeFault('slug', `the tag ${change.slug} is there already`);
    if (!isSlug(change.slug))
      throw new ChangeFault('slug', 'may have letters, digits, hyphens, dots, underscores and tildes');
    tree.put({ ...blankItem('tag', change.slug, change.label, now), props: lookOf({}, change) });
    return;
  }
  if (!before) throw new ChangeFault('tag', 'is not in this content');
  if (change.operation === 'delete_tag') tree.remove(key);
  else
    tree.put({
      ...before,
      title: change.label ?? before.title,
      props: lookOf(before.props, change),
      updatedAt: now,
    });
}

/** A tag has an emoji or an icon: each takes the place of the other. */
function lookOf(before: TagLook, { color, emoji, icon }: TagLook): ItemProps {
  if (emoji && icon) throw new ChangeFault('icon', 'a tag has an emoji or an icon, not both');
  if (icon && !ICON_NAME.test(icon)) throw new ChangeFault('icon', 'must be the name of an icon');
  const look = {
    color: color ?? before.color,
    emoji: icon ? '' : (emoji ?? before.emoji),
    icon: emoji ? '' : (icon ?? before.icon),
  };
  return Object.fromEntries(Object.entries(look).filter(([, value]) => value !== undefined && value !== ''));
}

/** The attributes that give a page these tags; throws `ChangeFault` for those that it cannot have. */
export function tagPropsOf(tree: WorkingTree, type: PageType, given: readonly PageTag[]): ItemProps {
  if (given.length > 0 && type !== 'document') throw new ChangeFault('tags', `a ${type} has no tags`);
  if (given.length > MAX_PAGE_TAGS) throw new ChangeFault('tags', `has more than ${MAX_PAGE_TAGS} tags`);
  const seen = new Set<string>();
  let hasPrimary = false;
  given.forEach(({ tag: { tag }, primary = false }, index) => {
    if (!tree.get(`tag:${tag}`)) throw new ChangeFault(`tags.${index}.tag.tag`, 'is not in this content');
    if (seen.has(tag)) throw new ChangeFault(`tags.${index}.tag.tag`, `the tag ${tag} is named twice`);
    if (primary && hasPrimary) throw new ChangeFault(`tags.${index}.primary`, 'another tag is the primary one');
    seen.add(tag);
    hasPrimary ||= primary;
  });
  return { ...storedTags(given) };
}
