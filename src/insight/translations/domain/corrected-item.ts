import { isObject } from '../../../formats/document/checks.js';
import type { Segment } from './segment.js';
import {
  withAnchorPlaces,
  kindOfSign,
  placesOfAnchors,
  renumbered,
  sayItem,
  utterancesOf,
  type ItemWords,
} from './utterances.js';

/**
 * A translated item with other translations of some texts of its source, by the JSON of these; all else stays as it is,
 * whatever an engine has said. Undefined where the item is not made of the source: it has to be translated anew.
 * References in `source` are already those of the translation.
 */
export function correctedItem(
  source: ItemWords,
  present: ItemWords,
  corrections: ReadonlyMap<string, Segment>,
): ItemWords | undefined {
  const known = new Map([...placesOfAnchors(source), ...placesOfAnchors(present)]);
  const [sources, now] = [source, present].map((words) => utterancesOf(withAnchorPlaces(words, known)));
  if (!sources || sources.length !== now?.length) return undefined;
  const said: (Segment | undefined)[] = [];
  for (const [index, { segment, signs }] of sources.entries()) {
    const was = now[index];
    const isMoved = inlinesIn(signs).join('\n') !== inlinesIn(was?.signs ?? []).join('\n');
    // The texts of inlines are read before their line, in the order in which they stand there.
    if (!was || (isMoved && [source, present].some(hasInlineTexts))) return undefined;
    const target = corrections.get(JSON.stringify(segment));
    const again = target && renumbered({ segment: target, signs }, was.signs, kindOfSign);
    if (target && !again) return undefined;
    said.push(again);
  }
  let next = 0;
  return sayItem(present, (segment) => said[next++] ?? segment);
}

function inlinesIn(signs: readonly string[]): readonly string[] {
  return signs.filter((sign) => !/^(?:leaf|marks) /.test(sign));
}

/** Tells whether an inline has texts of its own beside those in its line, such as the title of a link. */
function hasInlineTexts({ document }: ItemWords): boolean {
  const has = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(has);
    if (!isObject(value)) return false;
    const data = value['object'] === 'inline' && isObject(value['data']) ? value['data'] : {};
    return INLINE_TEXTS.some((name) => typeof data[name] === 'string') || Object.values(value).some(has);
  };
  return has(document);
}

const INLINE_TEXTS = ['title', 'label', 'alt', 'caption'] as const;
