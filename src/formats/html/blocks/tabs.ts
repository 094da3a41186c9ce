import type { ElementContent, Properties } from 'hast';
import { classes, el } from '../elements.js';
import type { RenderContext } from '../render-context.js';

export interface TabPanel {
  readonly label: ElementContent[];
  readonly content: ElementContent[];
  readonly panel?: Properties;
}

/** Tabs as radio buttons, each before its panel: the style sheet shows the panel of the selected one. */
export function tabsElement(
  tabs: readonly TabPanel[],
  { progress, labels }: RenderContext,
  ...names: readonly (string | false | undefined)[]
): ElementContent[] {
  const group = progress.newId('~tabs');
  const items = tabs.flatMap(({ label, content, panel }, index): ElementContent[] => {
    const inputId = `${group}.${index + 1}`;
    return [
      el('input', { type: 'radio', class: 'visually-hidden', name: group, id: inputId, checked: index === 0 }),
      el('label', { for: inputId }, label),
      el('div', { class: 'panel', ...panel }, content),
    ];
  });
  return items.length === 0
    ? []
    : [el('div', { class: classes('tabs', ...names), role: 'group', ariaLabel: labels.tabs }, items)];
}
