import { formatTag } from '../tags.js';
import { ownEntry } from '../../document/own-entry.js';
import type { HintStyle } from '../../document/types.js';
import { hintStyle } from './dialect.js';
import type { JsxTag } from './jsx-tag.js';

/** The parts that stand together in one block. */
export type Group = 'tabs' | 'codes' | 'steps' | 'cards';

/** A construct in our own dialect: lines before and after its content. */
export interface Construct {
  readonly open: readonly string[];
  readonly close: readonly string[];
  /** The group whose part it is. */
  readonly within?: Group;
  /** The group that it is. */
  readonly group?: Group;
}

const CARDS =
  '<table data-view="cards"><thead><tr><th></th><th></th>' +
  '<th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody>';

/** The lines around all parts of a group. */
export const GROUPS: Readonly<Record<Group, readonly [string, string]>> = {
  tabs: ['{% tabs %}', '{% endtabs %}'],
  codes: ['{% tabs %}', '{% endtabs %}'],
  steps: ['{% stepper %}', '{% endstepper %}'],
  cards: [CARDS, '</tbody></table>'],
};

export const TRANSPARENT: Construct = { open: [], close: [] };

export function hint(style: string, title = ''): Construct {
  const heading = title.trim() === '' ? [] : [`**${title.trim()}**`, ''];
  return { open: [formatTag('hint', { style }), ...heading], close: ['{% endhint %}'] };
}

export function details(title: string, isOpen = false): Construct {
  return {
    open: [`<details${isOpen ? ' open' : ''}>`, '', `<summary>${escaped(title)}</summary>`, ''],
    close: ['', '</details>'],
  };
}

export function tab(title: string): Construct {
  return { open: [formatTag('tab', { title })], close: ['{% endtab %}'], within: 'tabs' };
}

export function card(title: string, target: string | undefined, picture?: string): Construct {
  const link = target === undefined ? '' : `<a href="${escaped(target)}">${escaped(target)}</a>`;
  return {
    open: [
      `<tr><td><strong>${escaped(title)}</strong></td><td>`,
      '',
      ...(picture === undefined ? [] : [`![](${picture})`, '']),
    ],
    close: ['', `</td><td>${link}</td></tr>`],
    within: 'cards',
  };
}

export function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** The attributes of a component. */
class Attributes {
  constructor(readonly all: JsxTag['attributes']) {}

  /** The first of some attributes that is a text. */
  text(...names: readonly string[]): string | undefined {
    const value = names.map((each) => this.all.get(each)).find((each) => typeof each === 'string');
    return typeof value === 'string' ? value : undefined;
  }
}

type Make = (given: Attributes) => Construct;

const admonition =
  (style: HintStyle): Make =>
  (given) =>
    hint(style, given.text('title'));
const typedAdmonition: Make = (given) => hint(hintStyle(given.text('type') ?? 'note') ?? 'info', given.text('title'));
const groupOf =
  (group: Group): Make =>
  () => ({ ...TRANSPARENT, group });
const transparent: Make = () => TRANSPARENT;
const titledTab: Make = (given) => tab(given.text('title', 'label', 'value') ?? 'Tab');
const expandable: Make = (given) => details(given.text('title') ?? 'Details', given.all.get('defaultOpen') === true);
const field: Make = ({ all }) => ({ open: [fieldLine(all), ''], close: [''] });

const COMPONENTS: Readonly<Record<string, Make>> = {
  Note: admonition('info'),
  Info: admonition('info'),
  Tip: admonition('success'),
  Check: admonition('success'),
  Warning: admonition('warning'),
  Danger: admonition('danger'),
  Aside: typedAdmonition,
  Admonition: typedAdmonition,
  Callout: typedAdmonition,
  Tabs: groupOf('tabs'),
  Tab: titledTab,
  TabItem: titledTab,
  CodeGroup: groupOf('codes'),
  RequestExample: groupOf('codes'),
  ResponseExample: groupOf('codes'),
  Steps: groupOf('steps'),
  Step: (given) => {
    const title = given.text('title');
    return {
      open: ['{% step %}', ...(title === undefined ? [] : [`### ${title}`, ''])],
      close: ['{% endstep %}'],
      within: 'steps',
    };
  },
  CardGroup: groupOf('cards'),
  CardGrid: groupOf('cards'),
  Cards: groupOf('cards'),
  Columns: groupOf('cards'),
  Card: (given) => card(given.text('title') ?? '', given.text('href', 'link'), given.text('img')),
  LinkCard: (given) => {
    const { open, ...rest } = card(given.text('title') ?? '', given.text('href'));
    return { open: [...open, given.text('description') ?? ''], ...rest };
  },
  Accordion: expandable,
  Expandable: expandable,
  ParamField: field,
  ResponseField: field,
  Update: (given) => ({ open: [`## ${given.text('label') ?? ''}`, ''], close: [''] }),
  Frame: (given) => {
    const caption = given.text('caption');
    return { open: [''], close: caption === undefined ? [''] : ['', `_${caption}_`, ''] };
  },
  AccordionGroup: transparent,
  Fragment: transparent,
  FileTree: transparent,
  BrowserOnly: transparent,
};

/** The construct of a component; undefined for one that has no counterpart. */
export function componentOf({ name, attributes }: Pick<JsxTag, 'name' | 'attributes'>): Construct | undefined {
  return ownEntry(COMPONENTS, name)?.(new Attributes(attributes));
}

function fieldLine(attributes: JsxTag['attributes']): string {
  const name = new Attributes(attributes).text('path', 'query', 'body', 'header', 'name') ?? '';
  const type = attributes.get('type');
  const preset = attributes.get('default');
  return [
    `**\`${name}\`**`,
    ...(typeof type === 'string' ? [`\`${type}\``] : []),
    ...(attributes.has('required') ? ['_required_'] : []),
    ...(typeof preset === 'string' ? [`= \`${preset}\``] : []),
  ].join(' ');
}
