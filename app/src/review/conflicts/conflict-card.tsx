import { Badge, Card, Code, Group, SegmentedControl, Stack, Text, Textarea, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { shownValue } from '../changes/other-changes.js';
import { MarkdownText } from '../comments/comment-text.js';
import { choicesOf, settledText, type Choice, type Conflict, type Settlement } from './settlements.js';
import './conflicts.css';

const words = texts.review.conflicts;
const SIDES = ['base', 'primary', 'changed'] as const;
const TYPING_MS = 400;

interface CardProps {
  readonly spaceId: string;
  readonly conflict: Conflict;
  readonly title: string;
  /** The titles of pages by their ids. */
  readonly titles: ReadonlyMap<string, string>;
  readonly settlement: Settlement | undefined;
  readonly onSettle: (id: string, settlement: Settlement) => void;
}

/** A conflict with its three sides, and the choice between them. */
export function ConflictCard({ spaceId, conflict, title, titles, settlement, onSettle }: CardProps): ReactNode {
  const { id, kind, attribute } = conflict;
  const choose = (choice: Choice): void => {
    const own = settledText(conflict, settlement ?? { choice: 'changed' });
    onSettle(id, { choice, ...(own !== undefined && choice === 'own' && { own }) });
  };
  return (
    <Card withBorder component="section" id={`conflict-${id}`} tabIndex={-1} aria-label={title} className="conflict">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h5">
            {title}
          </Title>
          <Badge variant="light" color={settlement ? 'green' : 'red'}>
            {settlement ? words.choice[settlement.choice] : words.open}
          </Badge>
        </Group>
        <Text size="sm">
          {subjectOf(conflict, titles)} · {words.kind[kind]}
          {attribute !== undefined &&
            `: ${words.attribute[attribute] ?? texts.writing.diff.attributes[attribute] ?? attribute}`}
        </Text>
        <div className="conflict-sides">
          {SIDES.map((side) => (
            <div key={side} data-chosen={settlement?.choice === side}>
              <Text size="sm" fw={600}>
                {words.sides[side]}
              </Text>
              <Side conflict={conflict} side={side} titles={titles} />
            </div>
          ))}
        </div>
        <SegmentedControl
          aria-label={title}
          data={choicesOf(conflict).map((value) => ({ value, label: words.choice[value] }))}
          // Nothing is chosen at first.
          value={settlement?.choice ?? ''}
          onChange={(value) => {
            const choice = choicesOf(conflict).find((each) => each === value);
            if (choice) choose(choice);
          }}
        />
        {settlement?.choice === 'own' && (
          <OwnText
            spaceId={spaceId}
            page={conflict.page}
            text={settlement.own ?? ''}
            onChange={(own) => onSettle(id, { choice: 'own', own })}
          />
        )}
      </Stack>
    </Card>
  );
}

function OwnText({
  spaceId,
  page,
  text,
  onChange,
}: {
  readonly spaceId: string;
  readonly page: string | undefined;
  readonly text: string;
  readonly onChange: (text: string) => void;
}): ReactNode {
  const [shown] = useDebouncedValue(text, TYPING_MS);
  return (
    <div className="conflict-own">
      <Textarea
        label={words.own}
        autosize
        minRows={4}
        maxRows={24}
        classNames={{ input: 'conflict-source' }}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <div>
        <Text size="sm" fw={500}>
          {words.previewOf}
        </Text>
        <MarkdownText spaceId={spaceId} markdown={shown} page={page} label={words.previewOf} />
      </div>
    </div>
  );
}

function Side({
  conflict,
  side,
  titles,
}: {
  readonly conflict: Conflict;
  readonly side: (typeof SIDES)[number];
  readonly titles: ReadonlyMap<string, string>;
}): ReactNode {
  if (!conflict.markdown) return <Text size="sm">{valueText(conflict, conflict[side], titles)}</Text>;
  const text = conflict.markdown[side].trim();
  return (
    <Code block className="conflict-source" tabIndex={0}>
      {text === '' ? words.nothing : text}
    </Code>
  );
}

/** A page or file of one side. */
interface SideItem {
  readonly title?: string;
  readonly parent?: string | null;
  readonly pages?: readonly SideItem[];
}

function valueText({ kind, attribute }: Conflict, value: unknown, titles: ReadonlyMap<string, string>): ReactNode {
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

function placeText(parent: unknown, titles: ReadonlyMap<string, string>): string {
  return typeof parent === 'string' && parent !== '' ? words.below(titles.get(parent) ?? parent) : words.top;
}

function cycleText(places: unknown, titles: ReadonlyMap<string, string>): string {
  if (!Array.isArray(places)) return '';
  return (places as readonly (readonly [string, string | null])[])
    .map(([page, parent]) => `${titles.get(page) ?? page} ${placeText(parent, titles)}`)
    .join('; ');
}

/** The thing that a conflict is about. */
export function subjectOf(conflict: Conflict, titles: ReadonlyMap<string, string>): string {
  const { page, file, variable } = conflict;
  if (page !== undefined) return words.of.page(titles.get(page) ?? titleIn(conflict) ?? page);
  if (variable !== undefined) return words.of.variable(variable);
  return file === undefined ? words.of.reusableContent : words.of.file;
}

function titleIn({ base, primary, changed }: Conflict): string | undefined {
  for (const side of [changed, primary, base])
    if (typeof side === 'object' && side !== null && 'title' in side && typeof side.title === 'string')
      return side.title;
  return undefined;
}
