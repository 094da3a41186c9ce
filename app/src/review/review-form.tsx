import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { REQUEST, send, type Schemas } from '../api/client.js';
import { useSession } from '../api/session.js';
import { texts } from '../texts/en.js';
import { showDone } from '../ui/toasts.js';
import { CommentForm } from './comments/comment-form.js';
import { useRequest } from './queries.js';
import { useRequestChange } from './request-actions.js';

const words = texts.review.review;

/** Whether the person can answer the change request with a review: with the right, and never one's own. */
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
