import { setextUnderline } from 'micromark-core-commonmark';
import type { Construct, Event, Extension } from 'micromark-util-types';

/**
 * Underlined headings, as in CommonMark (https://spec.commonmark.org/0.31.2/#setext-headings). The parser's own
 * construct copies all events of the page for each of them; this one passes it only those of the paragraph that becomes
 * the heading.
 */
const inPlace: Construct = {
  ...setextUnderline,
  name: 'setextUnderlineInPlace',
  resolveTo: (events, context) => {
    const begin = events.findLastIndex(([kind, { type }]) => kind === 'enter' && type === 'content');
    const paragraph: Event[] = events.splice(begin);
    for (const event of setextUnderline.resolveTo?.(paragraph, context) ?? paragraph) events.push(event);
    return events;
  },
};

export function setextHeadingSyntax(): Extension {
  return { disable: { null: ['setextUnderline'] }, flow: { 45: inPlace, 61: inPlace } };
}
