import { Alert, Grid, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { texts } from '../texts/en.js';
import { reviewTexts } from '../texts/review.js';
import { TextLink } from '../ui/buttons.js';
import { Note, Strong, Section } from '../ui/screens.js';
import { PreviewButton } from './changes/preview-dialog.js';
import { CommentForm } from './comments/comment-form.js';
import { MarkdownText } from './comments/comment-text.js';
import { CommentThread } from './comments/comment-thread.js';
import { type Comment, commentsQuery, useCommentChange } from './comments/comments.js';
import { MergeBox } from './merge-box.js';
import { changesQuery, type Review, reviewsQuery, useRequest, useRequestUpdate } from './queries.js';
import { EditIcon, RequestFrame } from './request-frame.js';
import { ReviewBadge, Reviewers, ReviewForm } from './reviews.js';

const { request: labels, conversation: words } = reviewTexts;

/** A change request: its discussion, its reviewers, and its merge. */
export function RequestScreen() {
  const { request, isUnderReview } = useRequest();
  return (
    <RequestFrame>
      {request.outdated && request.status !== 'merged' && (
        <Alert color="yellow" title={labels.outdatedTitle}>
          {labels.outdatedText}
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            <RequestDescription />
            <Conversation />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md">
            <Group>{isUnderReview && <PreviewButton />}</Group>
            <Reviewers />
            <MergeBox />
          </Stack>
        </Grid.Col>
      </Grid>
    </RequestFrame>
  );
}

/** Why and how a change request changes something, changed in its place. */
function RequestDescription() {
  const { descriptionMarkdown = '' } = useRequest().request;
  const [isEdited, { open, close }] = useDisclosure();
  const { mutateAsync } = useRequestUpdate();
  const text = descriptionMarkdown.trim();
  const shown =
    text === '' ? (
      <Text c="dimmed">{labels.noDescription}</Text>
    ) : (
      <MarkdownText markdown={text} label={labels.description} />
    );
  if (!isEdited)
    return (
      <Section title={labels.description} actions={<EditIcon label={labels.editDescription} onClick={open} />}>
        {shown}
      </Section>
    );
  return (
    <Section title={labels.description}>
      <CommentForm
        label={labels.description}
        submit={texts.common.save}
        initial={text}
        autoFocus
        mayBeEmpty
        mentions={false}
        onSubmit={(next) => mutateAsync({ description: { markdown: next } }).then(close)}
        onCancel={close}
      />
    </Section>
  );
}

/** Comments on a change request, in order of time, with their reviews. */
function Conversation() {
  const { path, space, mayReview } = useRequest();
  const { data: comments } = useQuery(commentsQuery(path));
  const { data: reviews } = useQuery(reviewsQuery(path));
  const change = useCommentChange();
  const entries = useMemo(() => inOrder(comments ?? [], reviews?.items ?? []), [comments, reviews]);
  if (!comments || !reviews) return <Skeleton height={120} aria-label={texts.common.loading} />;
  return (
    <Stack component="section" gap="md" aria-label={reviewTexts.tabs.conversation}>
      <Title order={2}>{reviewTexts.tabs.conversation}</Title>
      {entries.length === 0 && <Text c="dimmed">{words.empty}</Text>}
      <Stack role="list" gap="md">
        {entries.map(({ comment, review }) => (
          <div role="listitem" key={review?.id ?? comment?.id}>
            {review && (
              <Group gap="xs" mb="xs">
                <Strong>{review.reviewer.displayName}</Strong>
                <ReviewBadge review={review} />
                <Note at={review.createdAt} />
              </Group>
            )}
            {comment && (
              <CommentThread comment={comment}>
                <CommentedPage comment={comment} />
              </CommentThread>
            )}
          </div>
        ))}
      </Stack>
      {mayReview && (
        <Section title={reviewTexts.review.title} order={3}>
          <ReviewForm />
        </Section>
      )}
      {space.permissions.comment && (
        <CommentForm
          label={words.comment}
          submit={reviewTexts.comments.send}
          onSubmit={(markdown) => change.mutateAsync({ post: { body: { markdown } } })}
        />
      )}
    </Stack>
  );
}

/** The page that a comment is about, as a link to its place among the changes. */
function CommentedPage({ comment }: Readonly<{ comment: Comment }>) {
  const { path } = useRequest();
  const { data: changes } = useQuery(changesQuery(path));
  const { page } = comment.target;
  if (!page) return null;
  const title = changes?.pages.find(({ id }) => id === page.id)?.title;
  const request = '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId';
  const params = { ...path, pageId: page.id };
  const search = { comment: comment.id };
  if (title === undefined)
    return <TextLink label={words.onUnchangedPage} size="sm" to={`${request}/~/pages/$pageId`} params={params} />;
  return <TextLink label={words.onPage(title)} size="sm" to={`${request}/~/changes`} {...{ params, search }} />;
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
