import type { Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';

/** HTML as a tree of at most so many levels: what is deeper is cut off, because all that works on trees goes down into them. */
export function readHtml(source: string, maxDepth: number): { readonly tree: Root; readonly isCut: boolean } {
  const fragment = parseFragment(source);
  let level: DefaultTreeAdapterTypes.ParentNode[] = [fragment];
  let isCut = false;
  for (let depth = 1; level.length > 0; depth++) {
    const below = level.flatMap((node) => node.childNodes.filter((child): child is DefaultTreeAdapterTypes.Element => 'childNodes' in child));
    if (depth >= maxDepth && below.length > 0) {
      isCut = true;
      for (const node of below) node.childNodes = [];
      break;
    }
    level = below;
  }
  return { tree: fromParse5(fragment) as Root, isCut };
}
