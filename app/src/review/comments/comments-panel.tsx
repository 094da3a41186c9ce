import { CloseButton, Group, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { usePlace, useSpace } from '../../writing/place.js';
import { CommentForm } from './comment-form.js';
import { CommentThread } from './comment-thread.js';
import { commentsQuery, postComment, useCommentChange } from './comments.js';

const words = texts.review.comments;

interface CommentsPanelProps {
  /** The id of the page that is read. */
  readonly page: string;
  /** The comment that the address names. */
  readonly focus: string | undefined;
  readonly onClose: () => void;
}

/** Comments on the page that is read, beside it. */
export function CommentsPanel({ page, focus, onClose }: CommentsPanelProps): ReactNode {
  const place = usePlace();
  const space = useSpace();
  const { data: comments } = useQuery(commentsQuery(place));
  const change = useCommentChange();
  const [withResolved, setWithResolved] = useState(false);
  const ofPage = comments?.filter(({ target }) => target.page?.id === page) ?? [];
  const shown = ofPage.filter(({ id, status }) => withResolved || status === 'open' || id === focus);
  return (
    <Stack component="aside" gap="md" p="md" aria-label={words.panel}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h4">
          {words.panel}
        </Title>
        <CloseButton aria-label={texts.common.close} onClick={onClose} />
      </Group>
      {(shown.length < ofPage.length || withResolved) && (
        <Switch
          label={words.withResolved}
          checked={withResolved}
          onChange={({ currentTarget }) => setWithResolved(currentTarget.checked)}
        />
      )}
      {!comments && <Skeleton height={80} aria-label={texts.common.loading} />}
      {comments && shown.length === 0 && <Text c="dimmed">{words.emptyPage}</Text>}
      {shown.map((comment) => (
        <CommentThread key={comment.id} comment={comment} isFocused={comment.id === focus} />
      ))}
      {space.permissions.comment && (
        <CommentForm
          label={words.onPage}
          submit={words.send}
          onSubmit={(markdown) => change.mutateAsync(() => postComment(place, { page, body: { markdown } }))}
        />
      )}
    </Stack>
  );
}
