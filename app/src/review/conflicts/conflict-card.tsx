import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { shownValue } from '../../ui/page-diff.js';
import { settledTextOf, type Conflict } from './settlements.js';
import { CHOICES, type Settlement } from './settled-text.js';
import { SourceText, ThreeTexts } from './three-texts.js';

const words = texts.review.conflicts;

type Titles = ReadonlyMap<string, string>;

interface ConflictCardProps {
  readonly conflict: Conflict;
  readonly title: string;
  /** The titles of pages by their ids. */
  readonly titles: Titles;
  readonly settlement: Settlement | undefined;
  readonly onSettle: (id: string, settlement: Settlement) => void;
}

/** A conflict with its three sides, and the choice between them. */
export function ConflictCard({ conflict, title, titles, settlement, onSettle }: ConflictCardProps): ReactNode {
  const { id, kind, attribute, page, markdown } = conflict;
  const side = (name: 'base' | 'primary' | 'changed'): ReactNode =>
    markdown ? (
      <SourceText text={markdown[name]} />
    ) : (
      <Text size="sm">{valueText(conflict, conflict[name], titles)}</Text>
    );
  const attributeName =
    attribute === undefined
      ? ''
      : `: ${words.attribute[attribute] ?? texts.writing.diff.attributes[attribute] ?? attribute}`;
  return (
    <ThreeTexts
      id={`conflict-${id}`}
      title={title}
      mark={
        <Badge variant="light" color={settlement ? 'green' : 'red'}>
          {settlement ? words.choice[settlement.choice] : words.open}
        </Badge>
      }
      subject={`${subjectOf(conflict, titles)} · ${words.kind[kind]}${attributeName}`}
      sides={{ before: side('base'), theirs: side('primary'), mine: side('changed') }}
      labels={words.sides}
      choices={markdown ? CHOICES : ['theirs', 'mine']}
      settlement={settlement}
      onSettle={({ choice, own = settledTextOf(conflict, settlement ?? { choice: 'mine' }) }) =>
        onSettle(id, choice === 'own' ? { choice, own } : { choice })
      }
      page={page}
    />
  );
}

/** A page or file of one side. */
interface SideItem {
  readonly title?: string;
  readonly pages?: readonly SideItem[];
}

function valueText({ kind, attribute }: Conflict, value: unknown, titles: Titles): ReactNode {
  if (kind === 'attribute')
    return attribute === 'place' && Array.isArray(value) ? placeText(value[0], titles) : shownValue(value);
  if (kind === 'cycle')
    return typeof value === 'string' || value === null ? placeText(value, titles) : cycleText(value, titles);
  if (value === null) return words.gone;
  const items = (Array.isArray(value) ? value : [value]) as readonly SideItem[];
  const names = items.map(({ title = '' }) => title).join(', ');
  const under = items.flatMap(({ pages = [] }) => pages.map(({ title = '' }) => title));
  return `${words.stays(names)}${under.length > 0 ? ` ${words.under(under.join(', '))}` : ''}`;
}

function placeText(parent: unknown, titles: Titles): string {
  return typeof parent === 'string' && parent !== '' ? words.below(titles.get(parent) ?? parent) : words.top;
}

function cycleText(places: unknown, titles: Titles): string {
  if (!Array.isArray(places)) return '';
  return (places as readonly (readonly [string, string | null])[])
    .map(([page, parent]) => `${titles.get(page) ?? page} ${placeText(parent, titles)}`)
    .join('; ');
}

/** The thing that a conflict is about. */
function subjectOf({ page, file, variable, base, primary, changed }: Conflict, titles: Titles): string {
  if (variable !== undefined) return words.of.variable(variable);
  if (page === undefined) return file === undefined ? words.of.reusableContent : words.of.file;
  const sides = [changed, primary, base] as readonly (Partial<SideItem> | null)[];
  return words.of.page(titles.get(page) ?? sides.find((side) => typeof side?.title === 'string')?.title ?? page);
}
