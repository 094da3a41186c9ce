import { Grid, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { texts } from '../texts/en.js';
import { TextLink } from '../ui/links.js';
import { Note } from '../ui/note.js';
import { Section } from '../ui/section.js';
import { Time } from '../ui/time.js';
import { changesQuery } from './changes/change-queries.js';
import { PreviewButton } from './changes/preview-dialog.js';
import { CommentForm } from './comments/comment-form.js';
import { CommentThread } from './comments/comment-thread.js';
import { type Comment, commentsQuery, postComment, useCommentChange } from './comments/comments.js';
import { MergeBox } from './merge-box.js';
import { type Review, reviewsQuery, useRequest } from './queries.js';
import { RequestFrame } from './request-frame.js';
import { RequestDescription } from './request-texts.js';
import { ReviewBadge, Reviewers, ReviewForm, useMayReview } from './reviews.js';

/** A change request: its discussion, its reviewers, and its merge. */
export function RequestScreen(): ReactNode {
  const { request } = useRequest();
  return (
    <RequestFrame current="conversation">
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            <RequestDescription />
            <Conversation />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md">
            <Group>{(request.status === 'draft' || request.status === 'open') && <PreviewButton />}</Group>
            <Reviewers />
            <MergeBox />
          </Stack>
        </Grid.Col>
      </Grid>
    </RequestFrame>
  );
}

const words = texts.review.conversation;

/** Comments on a change request, in order of time, with their reviews. */
export function Conversation(): ReactNode {
  const { path, space } = useRequest();
  const { comment: focus } = useSearch({ strict: false });
  const { data: comments } = useQuery(commentsQuery(path));
  const { data: reviews } = useQuery(reviewsQuery(path));
  const change = useCommentChange();
  const entries = useMemo(() => inOrder(comments ?? [], reviews?.items ?? []), [comments, reviews]);
  const isReviewer = useMayReview();
  if (!comments || !reviews) return <Skeleton height={120} aria-label={texts.common.loading} />;
  return (
    <Stack component="section" gap="md" aria-label={words.title}>
      <Title order={2} size="h4">
        {words.title}
      </Title>
      {entries.length === 0 && <Text c="dimmed">{words.empty}</Text>}
      <Stack role="list" gap="md">
        {entries.map(({ comment, review }) => (
          <div role="listitem" key={review?.id ?? comment?.id}>
            {review && <ReviewEntry review={review} />}
            {comment && (
              <CommentThread comment={comment} isFocused={comment.id === focus}>
                <CommentedPage comment={comment} />
              </CommentThread>
            )}
          </div>
        ))}
      </Stack>
      {isReviewer && (
        <Section title={texts.review.review.title} order={3}>
          <ReviewForm />
        </Section>
      )}
      {space.permissions.comment && (
        <CommentForm
          label={words.comment}
          submit={texts.review.comments.send}
          onSubmit={(markdown) => change.mutateAsync(() => postComment(path, { body: { markdown } }))}
        />
      )}
    </Stack>
  );
}

function ReviewEntry({ review }: Readonly<{ review: Review }>): ReactNode {
  return (
    <Group gap="xs" mb="xs">
      <Text size="sm" fw={600}>
        {review.reviewer.displayName}
      </Text>
      <ReviewBadge review={review} />
      <Note>
        <Time at={review.createdAt} />
      </Note>
    </Group>
  );
}

/** The page that a comment is about, as a link to its place among the changes. */
function CommentedPage({ comment }: Readonly<{ comment: Comment }>): ReactNode {
  const { path } = useRequest();
  const { data: changes } = useQuery(changesQuery(path));
  const { page } = comment.target;
  if (!page) return null;
  const title = changes?.pages.find(({ id }) => id === page.id)?.title;
  const request = '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId';
  if (title === undefined)
    return (
      <TextLink size="sm" to={`${request}/~/pages/$pageId`} params={{ ...path, pageId: page.id }}>
        {words.onUnchangedPage}
      </TextLink>
    );
  return (
    <TextLink size="sm" to={`${request}/~/changes`} params={path} search={{ comment: comment.id }}>
      {words.onPage(title)}
    </TextLink>
  );
}

type Entry = Readonly<{ at: string; comment?: Comment | undefined; review?: Review }>;

/** Comments and reviews by their times; the comment of a review stands with it. */
function inOrder(comments: readonly Comment[], reviews: readonly Review[]): readonly Entry[] {
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  const ofReviews = new Set(reviews.flatMap(({ comment }) => comment?.id ?? []));
  const entries: Entry[] = [
    ...reviews.map((review) => ({ at: review.createdAt, review, comment: byId.get(review.comment?.id ?? '') })),
    ...comments.filter(({ id }) => !ofReviews.has(id)).map((comment) => ({ at: comment.postedAt, comment })),
  ];
  return entries.sort((one, other) => one.at.localeCompare(other.at));
}
