import { Badge, Code, Stack, Table, Text } from '@mantine/core';
import { upperFirst } from '@mantine/hooks';
import { useCallback, type ReactNode } from 'react';
import type { Schemas } from '../api/client.js';
import { writingTexts } from '../texts/writing.js';
import { RenderedContent } from './rendered-content.js';

/** Differences of a page or of a reusable content. */
export type ContentDiff = Omit<Schemas['PageDiffBody'], 'object' | 'page'>;

/** A value before and after; absent where there is none. */
export type Delta = Readonly<{ attribute: string; before?: unknown; after?: unknown }>;

const COLORS = { added: 'green', changed: 'blue', moved: 'grape', deleted: 'red', unchanged: 'gray' } as const;

/** Marks differ in their line and not by colour alone; the colours have enough contrast in light and in dark. */
const MARKS = `
.diff-block { position: relative; padding: 2px 8px 2px 12px; margin: 4px 0; border-left: 4px solid transparent; }
.diff-block > :first-child { margin-top: 0; } .diff-block > :last-child { margin-bottom: 0; }
.diff-block[data-change=inserted] { border-left-color: #2f9e44; background: #2f9e441f; }
.diff-block[data-change=deleted] { border-left: 4px double #e03131; background: #e031311f; }
.diff-block[data-change=changed] { border-left-color: #1971c2; }
.diff-block[data-change=moved] { border-left: 4px dashed #9c36b5; }
ins { background: #2f9e4440; text-decoration: underline; } del { background: #e0313140; text-decoration: line-through; }
.diff-skip { margin: 8px 0; padding: 4px 12px; text-align: center; font-size: .8125rem; border-block: 1px dashed #8888; }
.diff-skip::before { content: attr(data-count) " ${writingTexts.diff.skipped}"; }
.diff-action { position: absolute; top: 2px; right: 2px; font: inherit; font-size: .75rem; padding: 2px 8px;
  border: 1px solid currentColor; border-radius: 6px; background: Canvas; color: CanvasText; cursor: pointer; opacity: 0; }
.diff-block:hover > .diff-action, .diff-action:focus-visible, .diff-block:focus-within > .diff-action { opacity: 1; }
@media (hover: none) { .diff-action { opacity: 1; } }
`;

/** A block of a comparison; `side` tells which of the two states has it. */
type DiffPlace = Readonly<{ block: string; side: 'before' | 'after'; change: string }>;

/** A button at every block that differs, or at every block at all. */
export type DiffAction = Readonly<{ label: string; on: 'differences' | 'all'; run: (place: DiffPlace) => void }>;

interface PageDiffProps {
  /** Read with `format=html`. */
  readonly diff: ContentDiff;
  readonly action?: DiffAction | undefined;
  /** Called with the element that has the blocks, each time that it has changed; the result undoes what it did. */
  readonly onContent?: (content: HTMLElement) => (() => void) | undefined;
  /** Elements for slots that `onContent` puts into the content. */
  readonly children?: ReactNode;
}

/** The changes of a page: its attributes before and after, and its blocks with inserted and deleted words. */
export function PageDiff({ diff, action, onContent, children }: PageDiffProps) {
  const prepare = useCallback(
    (content: HTMLElement) => {
      if (action) addActions(content, action);
      return onContent?.(content);
    },
    [action, onContent],
  );
  const words = writingTexts.diff;
  const isEmpty = diff.html === undefined || diff.html === '';
  return (
    <Stack gap="sm">
      <Badge color={COLORS[diff.change]}>{words.changes[diff.change]}</Badge>
      <AttributeTable attributes={diff.attributes as readonly unknown[] as readonly Delta[]} />
      {isEmpty ? (
        <Text c="dimmed">{words.sameContent}</Text>
      ) : (
        <RenderedContent html={diff.html ?? ''} label={words.content} css={MARKS} onContent={prepare}>
          {children}
        </RenderedContent>
      )}
    </Stack>
  );
}

/** Values before and after, in a table; absent where none differs. */
export function AttributeTable({ attributes }: Readonly<{ attributes: readonly Delta[] }>) {
  const words = writingTexts.diff;
  if (attributes.length === 0) return null;
  const rows = attributes.map(({ attribute, before, after }) => [
    words.attributes[attribute] ?? upperFirst(attribute),
    shownValue(before),
    shownValue(after),
  ]);
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table withTableBorder data={{ head: [words.attribute, words.before, words.after], body: rows }} />
    </Table.ScrollContainer>
  );
}

/** A value of an attribute for people. */
function shownValue(value: unknown) {
  if (value === undefined || value === null || value === '') return '–';
  return typeof value === 'string' || typeof value === 'number' ? value : <Code>{JSON.stringify(value)}</Code>;
}

function addActions(content: HTMLElement, { label, on, run }: DiffAction): void {
  for (const element of content.querySelectorAll<HTMLElement>('.diff-block[data-block]')) {
    const { change = 'unchanged', block = '', side } = element.dataset;
    if (on === 'differences' && change === 'unchanged') continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'diff-action';
    button.textContent = label;
    button.addEventListener('click', () => run({ block, change, side: side === 'before' ? 'before' : 'after' }));
    element.append(button);
  }
}
