import { Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answered, api, type Schemas } from '../api/client.js';
import { texts } from '../texts/en.js';
import { showDone } from '../ui/toasts.js';
import { CommentForm } from './comments/comment-form.js';
import { renewRequest, type ChangeRequest, type RequestAddress } from './queries.js';

const words = texts.review.review;

/** Whether somebody can answer a change request with a review: with the right, and never one's own. */
export function mayReview({ createdBy, status }: ChangeRequest, space: Schemas['SpaceBody'], userId: string): boolean {
  return space.permissions.review && createdBy.id !== userId && (status === 'open' || status === 'draft');
}

interface ReviewFormProps {
  readonly path: RequestAddress;
  readonly onDone?: () => void;
  readonly autoFocus?: boolean;
  /** Only the approval is offered. */
  readonly isApproval?: boolean;
}

/** Approves a change request or asks for changes, with a comment. */
export function ReviewForm({ path, onDone, autoFocus = false, isApproval = false }: ReviewFormProps): ReactNode {
  const queries = useQueryClient();
  const submit = useMutation({
    mutationFn: ({
      status,
      markdown,
    }: {
      readonly status: Schemas['SubmitReview']['status'];
      readonly markdown: string;
    }) =>
      answered(
        api.POST('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews', {
          params: { path },
          body: { status, ...(markdown !== '' && { comment: { markdown } }) },
        }),
      ),
    onSuccess: async (_review, { status }) => {
      showDone(words.done[status]);
      onDone?.();
      await renewRequest(queries, path);
    },
  });
  return (
    <CommentForm
      label={words.comment}
      submit={words.approve}
      mayBeEmpty
      autoFocus={autoFocus}
      onSubmit={(markdown) => submit.mutateAsync({ status: 'approved', markdown })}
      {...(onDone && { onCancel: onDone })}
      second={
        isApproval
          ? undefined
          : {
              label: words.requestChanges,
              onSubmit: (markdown) => submit.mutateAsync({ status: 'changes-requested', markdown }),
            }
      }
    />
  );
}

/** The review form as a dialog; opened with a status, it offers that one, or all. */
export function ReviewDialog({
  path,
  status,
  onClose,
}: {
  readonly path: RequestAddress;
  readonly status: 'approved' | 'comment' | undefined;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <Modal
      opened={status !== undefined}
      onClose={onClose}
      title={status === 'approved' ? words.approveTitle : words.title}
    >
      <ReviewForm path={path} onDone={onClose} autoFocus isApproval={status === 'approved'} />
    </Modal>
  );
}
