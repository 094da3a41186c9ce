import { Alert, Box, Flex, Group, Progress, SegmentedControl } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { memo, useEffect, useState } from 'react';
import { get, REQUEST } from '../../api/client.js';
import { reviewTexts } from '../../texts/review.js';
import { Button } from '../../ui/buttons.js';
import { EmptyScreen, Note } from '../../ui/screens.js';
import { type Comment, commentsQuery } from '../comments/comments.js';
import { changesQuery, useRequest, useViewedMark } from '../queries.js';
import { RequestFrame } from '../request-frame.js';
import { ReviewDialog } from '../reviews.js';
import { type ChangedThings, OtherChanges, kindOf } from './changed-things.js';
import { PageCard } from './page-card.js';
import type { CommentedPlace } from './place-form.js';
import { PreviewButton } from './preview-dialog.js';
import { ShortcutHint, useShortcuts, useGoingThrough } from './shortcuts.js';
import './changes.css';

const words = reviewTexts.changes;
const HTML = { format: 'html' } as const;
const NO_COMMENTS: readonly Comment[] = [];
const VIEWS = ['rendered', 'source'] as const;
const SIGNS: Readonly<Record<string, string>> = { page_created: '+', page_deleted: '−', page_moved: '→' };

/** The review of a change request: all that it changes, one page under the other. */
export function ChangesScreen() {
  const { path, request, space, mayReview } = useRequest();
  const address = useSearch({ strict: false });
  const { view = 'rendered', page: startPage, comment: focus } = address;
  const navigate = useNavigate();
  const { data: changes } = useSuspenseQuery(changesQuery(path));
  const { data: comments = NO_COMMENTS } = useQuery(commentsQuery(path));
  const going = useGoingThrough(changes.pages);
  const [commented, setCommented] = useState<CommentedPlace>();
  const [review, setReview] = useState<'approved' | 'comment'>();
  const { mutate: onViewed } = useViewedMark();
  const { openPage } = going;
  const firstPage = comments.find(({ id }) => id === focus)?.target.page?.id ?? startPage;
  useEffect(() => {
    if (firstPage !== undefined) openPage(firstPage);
  }, [firstPage, openPage]);

  const source = {
    states: [path, request.revision, request.revisionMergedAncestor],
    read: (reusableContentId: string) =>
      get(`${REQUEST}/changes/reusable-contents/{reusableContentId}/diff`, { ...path, reusableContentId }, HTML),
  };
  const show = (next: string): void => {
    const search = { ...address, view: next === 'source' ? next : undefined };
    void navigate({ to: '.', search, replace: true });
  };
  const current = changes.pages.find(({ id }) => id === going.current);
  useShortcuts({
    n: () => going.stepChange(1),
    p: () => going.stepChange(-1),
    ']': () => going.stepPage(1),
    '[': () => going.stepPage(-1),
    v: () => {
      if (!current) return;
      onViewed({ pageId: current.id, viewed: !current.viewed });
      if (!current.viewed) going.stepPage(1);
    },
    c: () =>
      current && space.permissions.comment && setCommented({ page: current.id, side: 'after', ...going.place() }),
    a: () => mayReview && setReview('approved'),
  });

  if (changes.pages.length === 0 && changes.others.length === 0)
    return (
      <RequestFrame>
        <EmptyScreen title={words.emptyTitle} text={words.emptyText} />
      </RequestFrame>
    );
  return (
    <RequestFrame>
      <Group gap="sm" justify="space-between">
        <SegmentedControl
          aria-label={words.view}
          value={view}
          data={VIEWS.map((value) => ({ value, label: words[value] }))}
          onChange={show}
        />
        <Group gap="xs">
          <ShortcutHint />
          <PreviewButton page={going.current} />
          {mayReview && <Button label={words.finish} onClick={() => setReview('comment')} />}
        </Group>
      </Group>
      {changes.more > 0 && <Alert color="yellow">{words.more(changes.more)}</Alert>}
      <Flex direction={{ base: 'column', sm: 'row' }} gap="md" align={{ sm: 'start' }}>
        <ChangeNav changes={changes} current={going.current} onOpen={openPage} />
        <Box flex={1} miw={0}>
          {changes.pages.map((page) => (
            <PageCard
              key={page.id}
              {...{ path, page, comments, focus, onViewed }}
              commented={commented?.page === page.id ? commented : undefined}
              isCurrent={page.id === going.current}
              onComment={setCommented}
              onCurrent={going.setCurrent}
              onShown={going.onShown}
            />
          ))}
          <OtherChanges changes={changes.others} source={source} />
        </Box>
      </Flex>
      <ReviewDialog status={review} onClose={() => setReview(undefined)} />
    </RequestFrame>
  );
}

/** Everything that a change request changes, as a list that leads there, and how much of it has been viewed. */
const ChangeNav = memo(function ChangeNav({
  changes,
  current,
  onOpen,
}: Readonly<{ changes: ChangedThings; current: string | undefined; onOpen: (page: string) => void }>) {
  const { pages, others } = changes;
  const viewed = pages.filter((page) => page.viewed).length;
  return (
    <Box
      component="nav"
      className="change-nav"
      aria-label={words.list}
      pos={{ base: 'static', sm: 'sticky' }}
      top={64}
      mah={{ base: 220, sm: 'calc(100dvh - 80px)' }}
      w={{ base: '100%', sm: 260 }}
    >
      <Note role="status">{words.progress(viewed, pages.length)}</Note>
      <Progress value={pages.length === 0 ? 100 : (viewed / pages.length) * 100} aria-label={words.progressLabel} />
      <ol>
        {pages.map(({ id, title, types, viewed: isViewed }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === current ? 'true' : undefined}
              aria-label={[title, ...types.map(kindOf), ...(isViewed ? [words.viewed] : [])].join(', ')}
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
    </Box>
  );
});
