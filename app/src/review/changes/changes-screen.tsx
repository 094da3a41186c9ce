import { Alert, Button, Container, Group, SegmentedControl, Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { EmptyScreen } from '../../ui/screens.js';
import { commentsQuery, type Comment } from '../comments/comment-place.js';
import { RequestHeader } from '../request-header.js';
import { requestQuery, spaceQuery, type RequestAddress } from '../queries.js';
import { mayReview, ReviewDialog } from '../review-form.js';
import { useSession } from '../../api/session.js';
import type { CommentedPlace } from './block-discussion.js';
import { ChangeNav } from './change-nav.js';
import { changesQuery, useViewedMark } from './change-queries.js';
import type { ChangedPage } from './changed-things.js';
import { OtherChanges } from './other-changes.js';
import { PageCard } from './page-card.js';
import { PreviewButton } from './preview-dialog.js';
import { ShortcutHint, useShortcuts } from './shortcuts.js';
import { useGoingThrough } from './use-going-through.js';
import './changes.css';

const words = texts.review.changes;
const NO_COMMENTS: readonly Comment[] = [];

/** The review of a change request: all that it changes, one page under the other. */
function ChangesScreen(): ReactNode {
  const { organizationId, spaceId, changeRequestId } = changesScreen.useParams();
  const path = useMemo(() => ({ spaceId, changeRequestId }), [spaceId, changeRequestId]);
  return (
    <Container size="xl" py="md">
      <Stack gap="md">
        <RequestHeader organizationId={organizationId} path={path} current="changes" />
        <Changes organizationId={organizationId} path={path} />
      </Stack>
    </Container>
  );
}

function Changes({
  organizationId,
  path,
}: {
  readonly organizationId: string;
  readonly path: RequestAddress;
}): ReactNode {
  const { view = 'rendered', page: startPage, comment: focus } = changesScreen.useSearch();
  const navigate = changesScreen.useNavigate();
  const { user } = useSession();
  const { data: request } = useSuspenseQuery(requestQuery(path));
  const { data: space } = useSuspenseQuery(spaceQuery(path.spaceId));
  const { data: changes } = useSuspenseQuery(changesQuery(path));
  const { data: comments } = useQuery(commentsQuery(path));
  const byPage = useMemo(() => commentsByPage(comments ?? NO_COMMENTS), [comments]);
  const going = useGoingThrough(changes.pages);
  const [commented, setCommented] = useState<CommentedPlace>();
  const [review, setReview] = useState<'approved' | 'comment'>();
  const { mutate: mark } = useViewedMark(path, request);
  const onViewed = useCallback(({ id }: ChangedPage, viewed: boolean) => mark({ pageId: id, viewed }), [mark]);
  const isReviewer = mayReview(request, space, user.id);
  const { openPage } = going;
  const focusPage = comments?.find(({ id }) => id === focus)?.target.page?.id;
  useEffect(() => {
    if (startPage !== undefined) openPage(startPage);
  }, [startPage, openPage]);
  useEffect(() => {
    if (focusPage !== undefined) openPage(focusPage);
  }, [focusPage, openPage]);

  const current = changes.pages.find(({ id }) => id === going.current);
  useShortcuts({
    n: () => going.stepChange(1),
    p: () => going.stepChange(-1),
    ']': () => going.stepPage(1),
    '[': () => going.stepPage(-1),
    v: () => {
      if (!current) return;
      onViewed(current, !current.viewed);
      if (!current.viewed) going.stepPage(1);
    },
    c: () =>
      current && space.permissions.comment && setCommented({ page: current.id, side: 'after', ...going.place() }),
    a: () => isReviewer && setReview('approved'),
  });

  if (changes.pages.length === 0 && changes.others.length === 0)
    return <EmptyScreen title={words.emptyTitle} text={words.emptyText} />;
  return (
    <>
      <Group gap="sm" justify="space-between">
        <SegmentedControl
          aria-label={words.view}
          value={view}
          data={[
            { value: 'rendered', label: words.rendered },
            { value: 'source', label: words.source },
          ]}
          onChange={(next) =>
            void navigate({
              search: ({ view: _former, ...rest }) => (next === 'source' ? { ...rest, view: 'source' } : rest),
              replace: true,
            })
          }
        />
        <Group gap="xs">
          <ShortcutHint />
          <PreviewButton path={path} page={going.current} />
          {isReviewer && <Button onClick={() => setReview('comment')}>{words.finish}</Button>}
        </Group>
      </Group>
      {changes.more > 0 && <Alert color="yellow">{words.more(changes.more)}</Alert>}
      <div className="changes">
        <ChangeNav changes={changes} current={going.current} onOpen={openPage} />
        <div className="changes-main">
          {changes.pages.map((page) => (
            <PageCard
              key={page.id}
              {...{ organizationId, path, request, space, page, view, focus, onViewed }}
              comments={byPage.get(page.id) ?? NO_COMMENTS}
              commented={commented?.page === page.id ? commented : undefined}
              isCurrent={page.id === going.current}
              onComment={setCommented}
              onCurrent={going.setCurrent}
              onShown={going.onShown}
            />
          ))}
          <OtherChanges changes={changes.others} />
        </div>
      </div>
      <ReviewDialog path={path} status={review} onClose={() => setReview(undefined)} />
    </>
  );
}

function commentsByPage(comments: readonly Comment[]): ReadonlyMap<string, readonly Comment[]> {
  const pages = new Map<string, Comment[]>();
  for (const comment of comments) {
    const { page } = comment.target;
    if (page) pages.set(page.id, [...(pages.get(page.id) ?? []), comment]);
  }
  return pages;
}

export const changesScreen = createLazyRoute(
  '/signed-in/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/changes',
)({ component: ChangesScreen });
