import { Badge, Group, Modal, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import IconXmark from '~icons/fa7-solid/xmark';
import { get, REQUEST, type Schemas, send } from '../api/client.js';
import { reviewTexts } from '../texts/review.js';
import { IconButton } from '../ui/buttons.js';
import { Note, Section } from '../ui/screens.js';
import { showDone } from '../ui/toasts.js';
import { CommentForm } from './comments/comment-form.js';
import { type Review, partQuery, reviewsQuery, useMembers, useRequest, useRequestChange } from './queries.js';

const { review: words, reviewers: asked } = reviewTexts;

/** Approves a change request or asks for changes, with a comment; `isApproval`: only the approval is offered. */
export function ReviewForm({ onDone, isApproval = false }: { onDone?: () => void; isApproval?: boolean }) {
  const { path } = useRequest();
  const submit = useRequestChange(async ({ status, comment }: Schemas['SubmitReview']) => {
    await send('post', `${REQUEST}/reviews`, path, { status, ...(comment?.markdown !== '' && { comment }) });
    showDone(asked.answer[status]);
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
export function ReviewDialog({ status, onClose }: ReviewDialogProps) {
  const isApproval = status === 'approved';
  return (
    <Modal opened={status !== undefined} onClose={onClose} title={isApproval ? words.approveTitle : words.title}>
      <ReviewForm onDone={onClose} isApproval={isApproval} />
    </Modal>
  );
}

const NONE = { items: [] };

/** The people who were asked for a review, and those who reviewed, each with the last answer. */
export function Reviewers() {
  const { path, space, isUnderReview } = useRequest();
  const { data: { items: requested } = NONE } = useQuery(
    partQuery(path, 'reviewers', () => get(`${REQUEST}/requested-reviewers`, path)),
  );
  const { data: { items: reviews } = NONE } = useQuery(reviewsQuery(path));
  const remove = useRequestChange((userId: string) =>
    send('delete', `${REQUEST}/requested-reviewers/{userId}`, { ...path, userId }),
  );
  const users = [...requested.map(({ user }) => user), ...reviews.map(({ reviewer }) => reviewer)];
  const people = new Map(users.map((user) => [user.id, user]));
  const mayAsk = space.permissions.edit && isUnderReview;
  return (
    <Section title={asked.title}>
      {people.size === 0 && <Note>{asked.empty}</Note>}
      {[...people].map(([id, { displayName }]) => (
        <Group key={id} justify="space-between" wrap="nowrap">
          <Text size="sm" truncate>
            {displayName}
          </Text>
          <Group gap={4} wrap="nowrap">
            {/* The newest review of a person comes first. */}
            <ReviewBadge review={reviews.find(({ reviewer }) => reviewer.id === id)} />
            {mayAsk && requested.some(({ user }) => user.id === id) && (
              <IconButton label={asked.remove(displayName)} Icon={IconXmark} onClick={() => remove.mutate(id)} />
            )}
          </Group>
        </Group>
      ))}
      {mayAsk && <AskForReview />}
    </Section>
  );
}

export function ReviewBadge({ review }: Readonly<{ review: Review | undefined }>) {
  const color = !review || review.outdated ? 'gray' : review.status === 'approved' ? 'green' : 'red';
  return (
    <Badge color={color}>
      {review ? asked[review.outdated ? 'outdated' : 'answer'][review.status] : asked.waiting}
    </Badge>
  );
}

function AskForReview() {
  const { path, request } = useRequest();
  const [typed, setTyped] = useState('');
  const members = useMembers(typed);
  const ask = useRequestChange((userId: string) => {
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
      data={members
        .filter(({ id }) => id !== request.createdBy.id)
        .map(({ id, displayName }) => ({ value: id, label: displayName }))}
      onChange={(userId) => userId !== null && ask.mutate(userId)}
    />
  );
}
