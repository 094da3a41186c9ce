import type { Element } from 'hast';
import type { TagBody } from '../../../../authoring/content/content.schema.js';
import type { IconStyle } from '../../../../formats/html/render-context.js';
import { colorClass } from '../../../../formats/html/inlines.js';
import { element } from './elements.js';
import { pageIcon } from './page-icon.js';

/** The label of a tag in its color. */
export function tagLabel(tag: TagBody, style: IconStyle): Element {
  const colors = [colorClass('text', tag.color), colorClass('ground', tag.color)].filter((name) => name !== undefined);
  return element('span.page-tag', [
    element('span', { className: colors.length > 0 ? colors : ['plain'] }, [
      pageIcon(tag, style),
      element('span', tag.label),
    ]),
  ]);
}
