import { ActionIcon, Badge, Group, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import IconXmark from '~icons/fa7-solid/xmark';
import { REQUEST, send, type Schemas } from '../api/client.js';
import { texts } from '../texts/en.js';
import { Note } from '../ui/note.js';
import { Section } from '../ui/section.js';
import { membersQuery, reviewersQuery, reviewsQuery, useRequest, type Review } from './queries.js';
import { useRequestChange } from './request-actions.js';

const words = texts.review.reviewers;
const TYPING_MS = 200;

interface Person {
  readonly user: Schemas['UserBody'];
  /** The last review; undefined for people who were asked and have not answered. */
  readonly review: Review | undefined;
  readonly isRequested: boolean;
}

/** The people who were asked for a review, and those who reviewed, each with the last answer. */
export function Reviewers(): ReactNode {
  const { path, request, space } = useRequest();
  const { data: requested } = useQuery(reviewersQuery(path));
  const { data: reviews } = useQuery(reviewsQuery(path));
  const remove = useRequestChange(path, (userId: string) =>
    send('delete', `${REQUEST}/requested-reviewers/{userId}`, { ...path, userId }),
  );
  const people = peopleOf(requested?.items ?? [], reviews?.items ?? []);
  const mayAsk = space.permissions.edit && (request.status === 'draft' || request.status === 'open');
  return (
    <Section title={words.title}>
      {people.length === 0 && <Note>{words.empty}</Note>}
      {people.map(({ user, review, isRequested }) => (
        <Group key={user.id} justify="space-between" wrap="nowrap">
          <Text size="sm" truncate>
            {user.displayName}
          </Text>
          <Group gap={4} wrap="nowrap">
            <ReviewBadge review={review} />
            {isRequested && mayAsk && (
              <ActionIcon aria-label={words.remove(user.displayName)} onClick={() => remove.mutate(user.id)}>
                <IconXmark />
              </ActionIcon>
            )}
          </Group>
        </Group>
      ))}
      {mayAsk && <AskForReview />}
    </Section>
  );
}

function peopleOf(requested: readonly Schemas['RequestedReviewerBody'][], reviews: readonly Review[]): Person[] {
  const people = new Map<string, Person>();
  for (const { user } of requested) people.set(user.id, { user, review: undefined, isRequested: true });
  // The newest review of a person comes first.
  for (const review of reviews) {
    const known = people.get(review.reviewer.id);
    if (known?.review) continue;
    people.set(review.reviewer.id, { user: review.reviewer, review, isRequested: known?.isRequested ?? false });
  }
  return [...people.values()];
}

/** The answer of a reviewer in a word and a colour. */
export function ReviewBadge({ review }: Readonly<{ review: Review | undefined }>): ReactNode {
  const color = !review || review.outdated ? 'gray' : review.status === 'approved' ? 'green' : 'red';
  return (
    <Badge variant="light" color={color}>
      {review ? words[review.outdated ? 'outdated' : 'answer'][review.status] : words.waiting}
    </Badge>
  );
}

function AskForReview(): ReactNode {
  const { path, request } = useRequest();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, TYPING_MS);
  const { data: members } = useQuery(membersQuery(path.organizationId, search));
  const ask = useRequestChange(path, (userId: string) => {
    setTyped('');
    return send('post', `${REQUEST}/requested-reviewers`, path, { users: [userId] });
  });
  return (
    <Select
      label={words.ask}
      placeholder={words.askHint}
      searchable
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={words.nobody}
      data={(members?.items ?? [])
        .filter(({ user }) => user.id !== request.createdBy.id)
        .map(({ user }) => ({ value: user.id, label: user.displayName }))}
      onChange={(userId) => userId !== null && ask.mutate(userId)}
    />
  );
}
