import { CloseButton, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { texts } from '../../texts/en.js';
import { FlagField } from '../../ui/forms.js';
import { usePlace, useSpace } from '../../writing/place.js';
import { CommentForm } from './comment-form.js';
import { CommentThread } from './comment-thread.js';
import { commentsQuery, useCommentChange } from './comments.js';

const words = texts.review.comments;

/** Comments on the page that is read, beside it. */
export function CommentsPanel({ page, onClose }: Readonly<{ page: string; onClose: () => void }>) {
  const { permissions } = useSpace();
  const { data: comments } = useQuery(commentsQuery(usePlace()));
  const { comment: focus } = useSearch({ strict: false });
  const change = useCommentChange();
  const [withResolved, setWithResolved] = useState(false);
  const ofPage = comments?.filter(({ target }) => target.page?.id === page) ?? [];
  const shown = ofPage.filter(({ id, status }) => withResolved || status === 'open' || id === focus);
  return (
    <Stack component="aside" gap="md" p="md" aria-label={words.panel}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2}>{words.panel}</Title>
        <CloseButton aria-label={texts.common.close} onClick={onClose} />
      </Group>
      {(shown.length < ofPage.length || withResolved) && (
        <FlagField label={words.withResolved} checked={withResolved} onFlag={setWithResolved} />
      )}
      {!comments && <Skeleton height={80} aria-label={texts.common.loading} />}
      {comments && shown.length === 0 && <Text c="dimmed">{words.emptyPage}</Text>}
      {shown.map((comment) => (
        <CommentThread key={comment.id} comment={comment} />
      ))}
      {permissions.comment && (
        <CommentForm
          label={words.onPage}
          submit={words.send}
          onSubmit={(markdown) => change.mutateAsync({ post: { page, body: { markdown } } })}
        />
      )}
    </Stack>
  );
}
