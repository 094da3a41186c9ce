import { Alert, Card, Group, List, SegmentedControl, Select, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import IconCheck from '~icons/fa7-solid/check';
import IconXmark from '~icons/fa7-solid/xmark';
import { get, type Schemas } from '../../api/client.js';
import { useMutation } from '../../api/mutations.js';
import { texts } from '../../texts/en.js';
import { settingsTexts } from '../../texts/settings.js';
import { Button, SecondaryButton } from '../../ui/buttons.js';
import { FlagField, TextAreaField, TextField, useText } from '../../ui/forms.js';
import { Note, Section, Strong } from '../../ui/screens.js';
import { faultText } from '../../ui/toasts.js';
import { PersonField } from './people-field.js';
import type { MergeRules } from './rules.js';

type Facts = Schemas['SupposedRequest'];
type Tested = Schemas['MergeRulesTestBody'];
type Question = Readonly<{ actor?: string; changeRequest?: string; facts?: Facts }>;

/** Asks the server what rules say to a question. */
export type TestRules = (rules: MergeRules, question: Question) => Promise<Tested>;

const words = settingsTexts.rules.tester;
const WITH = ['changeRequest', 'facts'] as const;
const REVIEWS = ['approved', 'changes-requested'] as const;
const OFFERED = 50;

interface RulesTesterProps {
  readonly organizationId: string;
  readonly spaceId: string | undefined;
  readonly rules: MergeRules;
  readonly test: TestRules;
}

/** Tests the rules as they stand in the form, saved or not. */
export function RulesTester({ organizationId, spaceId, rules, test }: RulesTesterProps) {
  const [source, setSource] = useState<(typeof WITH)[number]>(spaceId === undefined ? 'facts' : 'changeRequest');
  const [actor, setActor] = useState<string | null>(null);
  const [changeRequest, setChangeRequest] = useState<string | null>(null);
  const supposed = useSupposed();
  const question: Question = {
    ...(actor !== null && { actor }),
    ...(source === 'facts' ? { facts: supposed.facts } : changeRequest !== null && { changeRequest }),
  };
  const asked = JSON.stringify([rules, question]);
  const run = useMutation({
    mutationFn: async () => ({ asked, answer: await test(rules, question) }),
    meta: { handlesErrors: true },
  });
  const isReady = source === 'facts' || changeRequest !== null;
  return (
    <Section title={words.title}>
      <Note>{words.text}</Note>
      {spaceId !== undefined && (
        <SegmentedControl
          aria-label={words.with}
          data={WITH.map((value) => ({ value, label: words.sources[value] }))}
          value={source}
          onChange={setSource}
        />
      )}
      {source === 'changeRequest' && spaceId !== undefined ? (
        <RequestSelect spaceId={spaceId} value={changeRequest} onChange={setChangeRequest} />
      ) : (
        <SupposedFields organizationId={organizationId} {...supposed} />
      )}
      <PersonField
        organizationId={organizationId}
        label={words.actor}
        placeholder={words.you}
        value={actor}
        onChange={setActor}
      />
      <Group>
        <Button label={words.run} variant="default" disabled={!isReady} run={run} />
      </Group>
      {run.error && (
        <Alert color="red" role="alert" title={texts.faults.notDone} className="plain-text">
          {faultText(run.error)}
        </Alert>
      )}
      {run.data && (run.data.asked === asked ? <Answer tested={run.data.answer} /> : <Note>{words.changed}</Note>)}
    </Section>
  );
}

type RequestSelectProps = Readonly<{ spaceId: string; value: string | null; onChange: (id: string | null) => void }>;

function RequestSelect({ spaceId, value, onChange }: RequestSelectProps) {
  const { data } = useQuery({
    queryKey: ['change-requests', 'of-space', spaceId, 'open'],
    queryFn: () => get('/v1/spaces/{spaceId}/change-requests', { spaceId }, { status: 'open', limit: OFFERED }),
    placeholderData: keepPreviousData,
  });
  return (
    <Select
      label={words.request}
      description={words.requestHelp}
      placeholder={data?.items.length === 0 ? words.noRequests : undefined}
      data={(data?.items ?? []).map(({ id, number, subject }) => ({ value: id, label: `#${number} ${subject}` }))}
      value={value}
      onChange={onChange}
      searchable
      clearable
    />
  );
}

interface ReviewDraft {
  readonly key: number;
  readonly reviewer: string | null;
  readonly status: (typeof REVIEWS)[number];
  readonly outdated: boolean;
}

/** The facts of a change request that need not exist. */
function useSupposed() {
  const [subject, description] = [useText(), useText()];
  const [outdated, setOutdated] = useState(false);
  const [author, setAuthor] = useState<string | null>(null);
  const [reviews, setReviews] = useState<readonly ReviewDraft[]>([]);
  const facts: Facts = {
    subject: subject.value,
    description: description.value,
    outdated,
    ...(author !== null && { createdBy: author }),
    reviews: reviews.flatMap(({ reviewer, status, outdated: isOld }) =>
      reviewer === null ? [] : [{ reviewer, status, outdated: isOld }],
    ),
  };
  return { facts, subject, description, outdated, setOutdated, author, setAuthor, reviews, setReviews };
}

type SupposedFieldsProps = ReturnType<typeof useSupposed> & Readonly<{ organizationId: string }>;

function SupposedFields({ organizationId, subject, description, reviews, setReviews, ...flags }: SupposedFieldsProps) {
  const { outdated, setOutdated, author, setAuthor } = flags;
  const set = (key: number, change: Partial<ReviewDraft>): void =>
    setReviews(reviews.map((each) => (each.key === key ? { ...each, ...change } : each)));
  const add = (): void => {
    const key = Math.max(0, ...reviews.map((each) => each.key)) + 1;
    setReviews([...reviews, { key, reviewer: null, status: 'approved', outdated: false }]);
  };
  return (
    <Stack gap="sm">
      <TextField {...subject} label={words.subject} maxLength={100} />
      <TextAreaField {...description} label={words.description} maxRows={6} maxLength={10_000} />
      <FlagField label={words.outdated} checked={outdated} onFlag={setOutdated} />
      <PersonField
        organizationId={organizationId}
        label={words.author}
        placeholder={words.you}
        value={author}
        onChange={setAuthor}
      />
      {reviews.map(({ key, reviewer, status, outdated: isOld }, index) => (
        <Card key={key} withBorder component="section" aria-label={words.review(index + 1)}>
          <Stack gap="sm">
            <PersonField
              organizationId={organizationId}
              label={words.reviewer(index + 1)}
              value={reviewer}
              onChange={(next) => set(key, { reviewer: next })}
            />
            <Group align="flex-end">
              <Select
                label={words.verdict(index + 1)}
                data={REVIEWS.map((value) => ({ value, label: words.verdicts[value] }))}
                value={status}
                allowDeselect={false}
                onChange={(next) => set(key, { status: REVIEWS.find((each) => each === next) ?? status })}
              />
              <FlagField
                label={words.outdatedReview}
                checked={isOld}
                onFlag={(next: boolean) => set(key, { outdated: next })}
              />
              <SecondaryButton
                label={words.removeReview}
                aria-label={words.removeReviewOne(index + 1)}
                onClick={() => setReviews(reviews.filter((each) => each.key !== key))}
              />
            </Group>
          </Stack>
        </Card>
      ))}
      <Group>
        <SecondaryButton label={words.addReview} disabled={reviews.length >= 50} onClick={add} />
      </Group>
    </Stack>
  );
}

function Answer({ tested: { allowed, rules } }: Readonly<{ tested: Tested }>) {
  return (
    <Stack gap="sm">
      <Alert color={allowed ? 'green' : 'red'} role="status" title={allowed ? words.allowed : words.refused}>
        {rules.length === 0 && words.noRules}
      </Alert>
      <List spacing={4} size="sm" listStyleType="none" aria-label={words.answers}>
        {rules.map(({ index, rule, fulfilled, bypassed, reason }) => {
          const [Icon, label] = fulfilled || bypassed ? [IconCheck, words.holds] : [IconXmark, words.hinders];
          return (
            <List.Item key={index} icon={<Icon aria-hidden={false} role="img" aria-label={label} />}>
              <Strong>
                {index + 1}. {settingsTexts.rules.names[rule]}
              </Strong>
              {reason !== undefined && <Note className="plain-text">{bypassed ? words.bypassed(reason) : reason}</Note>}
            </List.Item>
          );
        })}
      </List>
    </Stack>
  );
}
