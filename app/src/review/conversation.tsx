import { Anchor, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import type { Schemas } from '../api/client.js';
import { useSession } from '../api/session.js';
import { texts } from '../texts/en.js';
import { Time } from '../ui/time.js';
import { changesQuery } from './changes/change-queries.js';
import { CommentForm } from './comments/comment-form.js';
import { commentsQuery, postComment, useCommentChange, type Comment } from './comments/comment-place.js';
import { CommentThread } from './comments/comment-thread.js';
import { reviewsQuery, type ChangeRequest, type RequestAddress, type Review } from './queries.js';
import { mayReview, ReviewForm } from './review-form.js';
import { ReviewBadge } from './reviewers.js';

const words = texts.review.conversation;

interface ConversationProps {
  readonly organizationId: string;
  readonly path: RequestAddress;
  readonly request: ChangeRequest;
  readonly space: Schemas['SpaceBody'];
  /** The comment that the address names. */
  readonly focus: string | undefined;
}

/** What people said about a change request, in order of time, with their reviews. */
export function Conversation(props: ConversationProps): ReactNode {
  const { path, request, space, focus } = props;
  const { user } = useSession();
  const { data: comments } = useQuery(commentsQuery(path));
  const { data: reviews } = useQuery(reviewsQuery(path));
  const { data: changes } = useQuery(changesQuery(path));
  const change = useCommentChange(path);
  const entries = useMemo(() => inOrder(comments ?? [], reviews?.items ?? []), [comments, reviews]);
  const titles = useMemo(() => new Map(changes?.pages.map(({ id, title }) => [id, title])), [changes]);
  if (!comments || !reviews) return <Skeleton height={120} aria-label={texts.common.loading} />;
  return (
    <Stack component="section" gap="md" aria-label={words.title}>
      <Title order={2} size="h4">
        {words.title}
      </Title>
      {entries.length === 0 && <Text c="dimmed">{words.empty}</Text>}
      <ol className="comment-list">
        {entries.map(({ comment, review }) => (
          <li key={review?.id ?? comment?.id}>
            {review && <ReviewEntry review={review} />}
            {comment && (
              <CommentThread place={path} comment={comment} space={space} isFocused={comment.id === focus}>
                <CommentedPage {...props} comment={comment} titles={titles} />
              </CommentThread>
            )}
          </li>
        ))}
      </ol>
      {mayReview(request, space, user.id) && (
        <Card withBorder component="section" aria-label={texts.review.review.title}>
          <Title order={3} size="h5" mb="xs">
            {texts.review.review.title}
          </Title>
          <ReviewForm path={path} />
        </Card>
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

function ReviewEntry({ review }: { readonly review: Review }): ReactNode {
  return (
    <Group gap="xs" mb="xs">
      <Text size="sm" fw={600}>
        {review.reviewer.displayName}
      </Text>
      <ReviewBadge review={review} />
      <Text size="sm" c="dimmed">
        <Time at={review.createdAt} />
      </Text>
    </Group>
  );
}

/** The page that a comment is about, as a link to its place among the changes. */
function CommentedPage({
  organizationId,
  path,
  comment,
  titles,
}: ConversationProps & { readonly comment: Comment; readonly titles: ReadonlyMap<string, string> }): ReactNode {
  const { page } = comment.target;
  if (!page) return null;
  const title = titles.get(page.id);
  const params = { organizationId, ...path };
  return (
    <Anchor
      size="sm"
      renderRoot={(root) =>
        title === undefined ? (
          <Link
            {...root}
            to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/pages/$pageId"
            params={{ ...params, pageId: page.id }}
          />
        ) : (
          <Link
            {...root}
            to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/changes"
            params={params}
            search={{ comment: comment.id }}
          />
        )
      }
    >
      {title === undefined ? words.onUnchangedPage : words.onPage(title)}
    </Anchor>
  );
}

interface Entry {
  readonly at: string;
  readonly comment?: Comment;
  readonly review?: Review;
}

/** Comments and reviews by their times; the comment of a review stands with it. */
function inOrder(comments: readonly Comment[], reviews: readonly Review[]): readonly Entry[] {
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  const ofReviews = new Set(reviews.flatMap(({ comment }) => comment?.id ?? []));
  const entries: Entry[] = [
    ...reviews.map((review) => {
      const comment = byId.get(review.comment?.id ?? '');
      return { at: review.createdAt, review, ...(comment && { comment }) };
    }),
    ...comments.filter(({ id }) => !ofReviews.has(id)).map((comment) => ({ at: comment.postedAt, comment })),
  ];
  return entries.sort((one, other) => one.at.localeCompare(other.at));
}
