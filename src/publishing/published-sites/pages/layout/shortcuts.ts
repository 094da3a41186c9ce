import type { Element } from 'hast';
import { element, spoken, symbol } from './elements.js';
import type { PageShell } from './view.js';

/** Opens the list of shortcuts; shown where scripts run. */
export function shortcutsButton({ words }: PageShell): Element {
  return element('button.button-plain.shortcuts-button', { type: 'button', ariaHasPopup: 'dialog' }, [
    element('kbd', { ariaHidden: 'true' }, '?'),
    words.shortcuts,
  ]);
}

/** The list of the keys that the script takes. Those of a single key can be switched off (WCAG 2.1, 2.1.4). */
export function shortcuts({ words, preview }: PageShell): Element {
  const keys: readonly (readonly [names: readonly string[], effect: string])[] = [
    ...(preview ? [] : [[['/', 'Ctrl K'], words.searchFor] as const]),
    [['n'], words.next],
    [['p'], words.previous],
    [['Esc'], words.close],
    [['?'], words.shortcuts],
  ];
  return element('dialog#shortcuts.shortcuts', { ariaLabelledBy: 'shortcutsTitle' }, [
    element('button.button-plain', { type: 'button' }, [symbol('close'), spoken(words.close)]),
    element('h2#shortcutsTitle', words.shortcuts),
    element(
      'dl',
      keys.map(([names, effect]) =>
        element('div', [
          element(
            'dt',
            names.map((name) => element('kbd', name)),
          ),
          element('dd', effect),
        ]),
      ),
    ),
    element('label', [element('input', { type: 'checkbox', checked: true }), words.singleKeys]),
  ]);
}
