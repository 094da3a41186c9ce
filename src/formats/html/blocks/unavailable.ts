import type { ElementContent } from 'hast';
import { el, textNode } from '../elements.js';
import type { RenderContext } from '../render-context.js';

/** Tells readers in words of a block that cannot be shown. */
export const unavailable = ({ labels }: Pick<RenderContext, 'labels'>): ElementContent[] => [
  el('p', { class: 'missing' }, textNode(labels.notFound)),
];
