import { Badge, Card, Group, SegmentedControl, Stack, Text, ScrollArea } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { get, useList } from '../../api/client.js';
import { serviceTexts } from '../../texts/services.js';
import { LinkButton, SecondaryButton } from '../../ui/buttons.js';
import { ActionButton } from '../../ui/forms.js';
import { EmptyScreen, LoadedList, Note } from '../../ui/screens.js';
import { CorrectionForm } from './correction-form.js';
import {
  contentsKey,
  SEGMENT_STATES,
  settleSegment,
  TRANSLATION,
  type TranslatedSegment,
  type Translation,
  type TranslationPlace,
} from './queries.js';

type SegmentsProps = Readonly<{ translation: Translation; place: TranslationPlace }>;

const words = serviceTexts.translations;
const STATES = ['all', ...SEGMENT_STATES] as const;
const COLORS = { untranslated: 'gray', machine: 'blue', reviewed: 'green', outdated: 'yellow' } as const;

export function SegmentBadge({ state }: Pick<TranslatedSegment, 'state'>) {
  return <Badge color={COLORS[state]}>{words.segmentStates[state]}</Badge>;
}

export type StateOrAll = (typeof STATES)[number];

/** Chooses the state of the texts or pages that are listed. */
export function StateFilter({ state, onState }: Readonly<{ state: StateOrAll; onState: (state: StateOrAll) => void }>) {
  return (
    <ScrollArea scrollbars="x" maw="100%">
      <SegmentedControl
        aria-label={serviceTexts.state}
        data={STATES.map((value) => ({ value, label: words.segmentStates[value] }))}
        value={state}
        onChange={onState}
      />
    </ScrollArea>
  );
}

/** The texts of a translation with what is said for them, by their state, of all pages or one. */
export function Segments({ translation, place }: SegmentsProps) {
  const { state: given, page: pageId } = useSearch({
    from: '/signed-in/o/$organizationId/translations/$translationId',
  });
  const navigate = useNavigate();
  const state = STATES.find((each) => each === given) ?? 'all';
  const [edited, setEdited] = useState<TranslatedSegment>();
  const filter = { ...(state !== 'all' && { state }), ...(pageId !== undefined && { pageId }) };
  const key = [...contentsKey(place), 'texts', filter];
  const segments = useList<TranslatedSegment>(key, (page) =>
    get(`${TRANSLATION}/segments`, place, { ...filter, page }),
  );
  const show = (next: string, page = pageId) =>
    void navigate({
      to: '.',
      search: { tab: 'texts', state: next, ...(page !== undefined && { page }) },
      replace: true,
    });
  return (
    <Stack>
      <Group>
        <StateFilter state={state} onState={(next) => show(next)} />
        {pageId !== undefined && (
          <LinkButton
            label={words.allPages}
            size="sm"
            onClick={() => void navigate({ to: '.', search: { tab: 'texts', state }, replace: true })}
          />
        )}
      </Group>
      <LoadedList query={segments} empty={<EmptyScreen title={words.noTexts} text={words.noTextsText} />}>
        {(items) => (
          <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
            {items.map((segment) => (
              <Card key={segment.id} component="li" withBorder>
                <SegmentCard
                  segment={segment}
                  translation={translation}
                  place={place}
                  onEdit={() => setEdited(segment)}
                />
              </Card>
            ))}
          </Stack>
        )}
      </LoadedList>
      {edited && (
        <CorrectionForm
          segment={edited}
          languages={[translation.source.language, translation.language]}
          place={place}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Stack>
  );
}

type SegmentCardProps = SegmentsProps & Readonly<{ segment: TranslatedSegment; onEdit: () => void }>;

function SegmentCard({ segment, translation, place, onEdit }: SegmentCardProps) {
  const { state, source, target, warnings, match } = segment;
  const set = (next: 'reviewed' | 'machine') => settleSegment(place, segment, next);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <SegmentBadge state={state} />
        {warnings.map((warning) => (
          <Badge key={warning} color="red">
            {words.warnings[warning]}
          </Badge>
        ))}
      </Group>
      <Text size="sm" c="dimmed" className="plain-text" dir="auto" lang={translation.source.language}>
        {source}
      </Text>
      <Text className="plain-text" dir="auto" lang={translation.language}>
        {target}
      </Text>
      {match && <Match match={match} />}
      <Group gap="xs">
        <SecondaryButton label={words.correct} aria-label={words.correctOne(source)} size="xs" onClick={onEdit} />
        {state !== 'reviewed' && (
          <ActionButton
            label={words.isRight}
            aria-label={words.isRightOne(source)}
            size="xs"
            action={() => set('reviewed')}
          />
        )}
        {state === 'reviewed' && (
          <ActionButton
            label={words.giveBack}
            aria-label={words.giveBackOne(source)}
            size="xs"
            action={() => set('machine')}
            done={words.givenBack}
          />
        )}
      </Group>
    </Stack>
  );
}

/** The former source of a text that has changed, with the difference, and what a person had said for it. */
export function Match({ match }: Readonly<{ match: NonNullable<TranslatedSegment['match']> }>) {
  return (
    <div>
      <Note>{words.match(Math.round(100 * match.similarity))}</Note>
      <Text size="sm" className="plain-text segment-diff" dir="auto">
        {match.diff.map(({ type, text }, index) => {
          const Part = type === 'insert' ? 'ins' : type === 'delete' ? 'del' : 'span';
          return <Part key={index}>{text}</Part>;
        })}
      </Text>
      <Text size="sm" className="plain-text" dir="auto">
        {words.former} <bdi>{match.target}</bdi>
      </Text>
    </div>
  );
}
