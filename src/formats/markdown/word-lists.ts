import { openTag } from './html.js';

/** An item of a list that Word writes as a paragraph. */
export interface WordItem {
  readonly level: number;
  readonly list: string;
  readonly start: number | undefined;
  readonly html: string;
}

/** Converts Word's items to nested lists, by their levels. */
export function wordLists(items: readonly WordItem[]): string[] {
  const lists: string[] = [];
  let at = 0;
  const list = (level: number): string => {
    const first = items[at];
    const name = first?.start === undefined ? 'ul' : 'ol';
    const start = first?.start === undefined || first.start === 1 ? undefined : first.start;
    let inside = '';
    while (at < items.length) {
      const item = items[at];
      if (
        !item ||
        item.level < level ||
        (item.level === level &&
          (item.list !== first?.list || (item.start === undefined) !== (first.start === undefined)))
      )
        break;
      at++;
      let below = '';
      while ((items[at]?.level ?? 0) > level) below += list(items[at]?.level ?? 0);
      inside += `<li><p>${item.html}</p>${below}</li>`;
    }
    return `${openTag(name, { start })}${inside}</${name}>`;
  };
  while (at < items.length) lists.push(list(items[at]?.level ?? 1));
  return lists;
}
