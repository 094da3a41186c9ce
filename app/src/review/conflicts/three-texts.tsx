import { Card, Code, Group, Paper, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { reviewTexts } from '../../texts/review.js';
import { TextAreaField } from '../../ui/forms.js';
import { Strong } from '../../ui/screens.js';
import { MarkdownText } from '../comments/comment-text.js';
import { CHOICES, type Choice, type Settlement } from './settled-text.js';

const words = reviewTexts.conflicts;
const TYPING_MS = 400;
const SIDES = ['before', 'theirs', 'mine'] as const;

interface ThreeTextsProps {
  readonly id?: string;
  readonly title: string;
  readonly mark: ReactNode;
  readonly subject?: ReactNode;
  /** The text before, and the texts of both sides. */
  readonly sides: Readonly<Record<(typeof SIDES)[number], ReactNode>>;
  readonly labels: Readonly<Record<(typeof SIDES)[number], string>>;
  readonly choices?: readonly Choice[];
  readonly settlement: Settlement | undefined;
  /** Receives a choice without its own text, or an own text. */
  readonly onSettle: (settlement: Settlement) => void;
  readonly page?: string | undefined;
}

/** A place that two people changed, with the choice of what is to stand there. */
export function ThreeTexts(props: ThreeTextsProps) {
  const { id, title, mark, subject, sides, labels, choices = CHOICES, settlement, onSettle } = props;
  return (
    <Card withBorder component="section" id={id} tabIndex={-1} aria-label={title} style={{ scrollMarginTop: 64 }}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h3">
            {title}
          </Title>
          {mark}
        </Group>
        {subject && <Text size="sm">{subject}</Text>}
        <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm">
          {SIDES.map((side) => (
            <Paper key={side} withBorder p="xs" bd={settlement?.choice === side ? '2px solid green' : undefined}>
              <Strong>{labels[side]}</Strong>
              {sides[side]}
            </Paper>
          ))}
        </SimpleGrid>
        <SegmentedControl
          aria-label={title}
          data={choices.map((value) => ({ value, label: words.choice[value] }))}
          // Nothing is chosen at first; the type of the control knows no such state.
          value={settlement?.choice ?? ('' as Choice)}
          onChange={(choice) => onSettle({ choice })}
        />
        {settlement?.choice === 'own' && (
          <OwnText page={props.page} text={settlement.own ?? ''} onChange={(own) => onSettle({ choice: 'own', own })} />
        )}
      </Stack>
    </Card>
  );
}

export function SourceText({ text }: Readonly<{ text: string }>) {
  return (
    <Code block className="source-text" mah={320} tabIndex={0}>
      {text.trim() === '' ? words.nothing : text.trim()}
    </Code>
  );
}

type OwnTextProps = Readonly<{ page: string | undefined; text: string; onChange: (text: string) => void }>;

function OwnText({ page, text, onChange }: OwnTextProps) {
  const [shown] = useDebouncedValue(text, TYPING_MS);
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
      <TextAreaField isSource label={words.own} minRows={4} maxRows={24} value={text} onText={onChange} />
      <div>
        <Text size="sm" fw={500}>
          {words.previewOf}
        </Text>
        <MarkdownText markdown={shown} page={page} label={words.previewOf} />
      </div>
    </SimpleGrid>
  );
}
