import { ActionIcon, Badge, Group, Modal, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import IconXmark from '~icons/fa7-solid/xmark';
import { REQUEST, type Schemas, send } from '../api/client.js';
import { useSession } from '../api/session.js';
import { texts } from '../texts/en.js';
import { Note } from '../ui/note.js';
import { Section } from '../ui/section.js';
import { showDone } from '../ui/toasts.js';
import { CommentForm } from './comments/comment-form.js';
import { membersQuery, type Review, reviewersQuery, reviewsQuery, useRequest, useRequestChange } from './queries.js';

const words = texts.review.review;

/** True where the person may review the change request: with the right, and never one's own. */
export function useMayReview(): boolean {
  const { request, space } = useRequest();
  const { user } = useSession();
  const isOpen = request.status === 'open' || request.status === 'draft';
  return space.permissions.review && request.createdBy.id !== user.id && isOpen;
}

/** Approves a change request or asks for changes, with a comment; `isApproval`: only the approval is offered. */
export function ReviewForm({ onDone, isApproval = false }: { onDone?: () => void; isApproval?: boolean }): ReactNode {
  const { path } = useRequest();
  const submit = useRequestChange(path, async ({ status, comment }: Schemas['SubmitReview']) => {
    await send('post', `${REQUEST}/reviews`, path, { status, ...(comment?.markdown !== '' && { comment }) });
    showDone(words.done[status]);
    onDone?.();
  });
  const answer = (status: Schemas['SubmitReview']['status']) => (markdown: string) =>
    submit.mutateAsync({ status, comment: { markdown } });
  return (
    <CommentForm
      label={words.comment}
      submit={words.approve}
      mayBeEmpty
      autoFocus={onDone !== undefined}
      onSubmit={answer('approved')}
      onCancel={onDone}
      second={isApproval ? undefined : { label: words.requestChanges, onSubmit: answer('changes-requested') }}
    />
  );
}

type ReviewDialogProps = Readonly<{ status: 'approved' | 'comment' | undefined; onClose: () => void }>;

/** The review form as a dialog; opened with a status, it offers that one, or all. */
export function ReviewDialog({ status, onClose }: ReviewDialogProps): ReactNode {
  const isApproval = status === 'approved';
  return (
    <Modal opened={status !== undefined} onClose={onClose} title={isApproval ? words.approveTitle : words.title}>
      <ReviewForm onDone={onClose} isApproval={isApproval} />
    </Modal>
  );
}

const asked = texts.review.reviewers;
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
    <Section title={asked.title}>
      {people.length === 0 && <Note>{asked.empty}</Note>}
      {people.map(({ user, review, isRequested }) => (
        <Group key={user.id} justify="space-between" wrap="nowrap">
          <Text size="sm" truncate>
            {user.displayName}
          </Text>
          <Group gap={4} wrap="nowrap">
            <ReviewBadge review={review} />
            {isRequested && mayAsk && (
              <ActionIcon aria-label={asked.remove(user.displayName)} onClick={() => remove.mutate(user.id)}>
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
      {review ? asked[review.outdated ? 'outdated' : 'answer'][review.status] : asked.waiting}
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
      label={asked.ask}
      placeholder={asked.askHint}
      searchable
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={asked.nobody}
      data={(members?.items ?? [])
        .filter(({ user }) => user.id !== request.createdBy.id)
        .map(({ user }) => ({ value: user.id, label: user.displayName }))}
      onChange={(userId) => userId !== null && ask.mutate(userId)}
    />
  );
}
