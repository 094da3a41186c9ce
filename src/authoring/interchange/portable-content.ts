import { withoutKeys, canonicalJson } from '../../formats/document/hash.js';
import { presentTags } from '../content/present-content.js';
import { renameIds } from './rename-ids.js';
import type { SpaceContent } from './space-content.js';

/** The content of a page or reusable content, with names in place of everything that is specific to one space. */
export interface PortableItem {
  /** Path of the page, or the title of a reusable content in brackets. */
  readonly name: string;
  /** Canonical JSON: equal texts have equal content. */
  readonly text: string;
}

/**
 * The content of a space in a form that can be compared with another space: ids are replaced by paths and names, block
 * keys and data about origins are left out, and the order of pages counts.
 */
export function portableItems(content: SpaceContent): PortableItem[] {
  const names = namesOf(content);
  const item = (name: string, facts: object): PortableItem => ({
    name,
    text: canonicalJson(renameIds(withoutKeys(facts), names)),
  });
  const below = (parentId: string): PortableItem[] =>
    content.children(parentId).flatMap((page, place) => {
      const { git: _git, slugGiven: _slugGiven, ...props } = page.props;
      const facts = {
        place,
        type: page.type,
        title: page.title,
        slug: page.slug,
        props,
        document: content.document(page),
      };
      return [
        item(page.slug === null ? `${content.path(page)}/(${page.title})` : content.path(page), facts),
        ...below(page.id),
      ];
    });
  return [
    ...below(''),
    ...content.reusables.map((reusable) =>
      item(`(${reusable.title})`, { title: reusable.title, document: content.document(reusable) }),
    ),
    ...content.files.map((file) => {
      const { git: _git, ...props } = file.props;
      return item(`(file ${file.title} ${file.hash?.slice(0, 8) ?? ''})`, {
        title: file.title,
        hash: file.hash,
        props,
      });
    }),
    item(
      '(variables)',
      Object.fromEntries(content.variables.map((variable) => [variable.id, variable.props['value']])),
    ),
    item('(tags)', presentTags(content.tags)),
  ];
}

/** The names of items that differ between two spaces, or exist only in one of them. */
export function differences(left: readonly PortableItem[], right: readonly PortableItem[]): string[] {
  const others = new Map(right.map((item) => [item.name, item.text]));
  const names = new Set(left.map((item) => item.name));
  const changed = left.filter((item) => others.get(item.name) !== item.text).map((item) => item.name);
  return [...changed, ...right.filter((item) => !names.has(item.name)).map((item) => item.name)];
}

function namesOf(content: SpaceContent): Map<string, string> {
  return new Map([
    ...content.pages.map((page) => [page.id, `page:${content.path(page)}`] as const),
    ...content.files.map((file) => [file.id, `file:${file.title}:${file.hash ?? ''}`] as const),
    ...content.reusables.map((reusable) => [reusable.id, `reusable:${reusable.title}`] as const),
  ]);
}
