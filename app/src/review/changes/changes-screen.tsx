import { Alert, Button, Group, Progress, SegmentedControl, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { memo, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { texts } from '../../texts/en.js';
import { EmptyScreen } from '../../ui/screens.js';
import { type Comment, commentsQuery } from '../comments/comments.js';
import { useRequest } from '../queries.js';
import { RequestFrame } from '../request-frame.js';
import { ReviewDialog, useMayReview } from '../reviews.js';
import { changesQuery, useViewedMark } from './change-queries.js';
import type { ChangedPage, ChangedThings } from './changed-things.js';
import { OtherChanges } from './other-changes.js';
import { PageCard } from './page-card.js';
import type { CommentedPlace } from './place-form.js';
import { PreviewButton } from './preview-dialog.js';
import { ShortcutHint, useShortcuts } from './shortcuts.js';
import { useGoingThrough } from './use-going-through.js';
import './changes.css';

const words = texts.review.changes;
const { kinds } = texts.writing.history;
const NO_COMMENTS: readonly Comment[] = [];
const VIEWS = ['rendered', 'source'] as const;

/** The review of a change request: all that it changes, one page under the other. */
export function ChangesScreen(): ReactNode {
  return (
    <RequestFrame current="changes">
      <Changes />
    </RequestFrame>
  );
}

function Changes(): ReactNode {
  const { path, space } = useRequest();
  const { view = 'rendered', page: startPage, comment: focus } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { data: changes } = useSuspenseQuery(changesQuery(path));
  const { data: comments = NO_COMMENTS } = useQuery(commentsQuery(path));
  const byPage = useMemo(() => commentsByPage(comments), [comments]);
  const going = useGoingThrough(changes.pages);
  const [commented, setCommented] = useState<CommentedPlace>();
  const [review, setReview] = useState<'approved' | 'comment'>();
  const { mutate: mark } = useViewedMark();
  const onViewed = useCallback(({ id }: ChangedPage, viewed: boolean) => mark({ pageId: id, viewed }), [mark]);
  const isReviewer = useMayReview();
  const { openPage } = going;
  const firstPage = comments.find(({ id }) => id === focus)?.target.page?.id ?? startPage;
  useEffect(() => {
    if (firstPage !== undefined) openPage(firstPage);
  }, [firstPage, openPage]);

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
          data={VIEWS.map((value) => ({ value, label: words[value] }))}
          onChange={(next) =>
            void navigate({
              to: '.',
              search: (before) => ({ ...before, view: next === 'source' ? next : undefined }),
              replace: true,
            })
          }
        />
        <Group gap="xs">
          <ShortcutHint />
          <PreviewButton page={going.current} />
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
              {...{ path, page, view, focus, onViewed }}
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
      <ReviewDialog status={review} onClose={() => setReview(undefined)} />
    </>
  );
}

function commentsByPage(comments: readonly Comment[]): ReadonlyMap<string, readonly Comment[]> {
  const pages = new Map<string, Comment[]>();
  for (const comment of comments) {
    const id = comment.target.page?.id ?? '';
    pages.set(id, [...(pages.get(id) ?? []), comment]);
  }
  return pages;
}

const SIGNS: Readonly<Record<string, string>> = {
  page_created: '+',
  page_deleted: '−',
  page_moved: '→',
  page_edited: '±',
};

/** Everything that a change request changes, as a list that leads there, and how much of it has been viewed. */
export const ChangeNav = memo(function ChangeNav({
  changes,
  current,
  onOpen,
}: Readonly<{ changes: ChangedThings; current: string | undefined; onOpen: (pageId: string) => void }>): ReactNode {
  const { pages, others } = changes;
  const viewed = pages.filter((page) => page.viewed).length;
  return (
    <nav className="change-nav" aria-label={words.list}>
      <Text size="sm" role="status">
        {words.progress(viewed, pages.length)}
      </Text>
      <Progress value={pages.length === 0 ? 100 : (viewed / pages.length) * 100} aria-label={words.progressLabel} />
      <ol>
        {pages.map(({ id, title, types, viewed: isViewed }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === current ? 'true' : undefined}
              aria-label={[
                title,
                ...types.map((type) => kinds[type] ?? type),
                ...(isViewed ? [words.viewed] : []),
              ].join(', ')}
              onClick={() => onOpen(id)}
            >
              <span>{isViewed ? '✓' : (SIGNS[types[0] ?? ''] ?? '±')}</span>
              <span>{title}</span>
            </button>
          </li>
        ))}
        {others.length > 0 && (
          <li>
            <a href={`${window.location.pathname}${window.location.search}#other-changes`}>
              {words.others(others.length)}
            </a>
          </li>
        )}
      </ol>
    </nav>
  );
});
