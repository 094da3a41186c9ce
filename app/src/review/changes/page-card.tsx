import { Group, Stack, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { memo, useCallback, useMemo, useState } from 'react';
import { get, REQUEST } from '../../api/client.js';
import { reviewTexts } from '../../texts/review.js';
import { Loaded } from '../../ui/screens.js';
import { PageDiff, type DiffAction } from '../../ui/page-diff.js';
import { CommentThread } from '../comments/comment-thread.js';
import type { Comment } from '../comments/comments.js';
import { useRequest } from '../queries.js';
import { type ChangedPage, KindBadges } from './changed-things.js';
import { DiffLines, unifiedLines } from './diff-lines.js';
import { PlaceForm, type CommentedPlace } from './place-form.js';

const words = reviewTexts.changes;
/** Addresses of files in a comparison hold for an hour. */
const FRESH_MS = 1_800_000;
/** Differences are read before they come into sight. */
const NEAR = '600px';
const NO_BLOCKS: ReadonlySet<string> = new Set();

interface PageCardProps {
  readonly path: ReturnType<typeof useRequest>['path'];
  readonly page: ChangedPage;
  readonly comments: readonly Comment[];
  /** The comment that the address names. */
  readonly focus: string | undefined;
  /** The place of this page that a comment is being written about. */
  readonly commented: CommentedPlace | undefined;
  readonly isCurrent: boolean;
  readonly onComment: (place: CommentedPlace | undefined) => void;
  readonly onViewed: (mark: Readonly<{ pageId: string; viewed: boolean }>) => void;
  readonly onCurrent: (pageId: string) => void;
  /** Called when the differences can be gone through. */
  readonly onShown: (pageId: string) => void;
}

export const cardId = (pageId: string): string => `page-${pageId}`;

/** A changed page: its mark, and its differences once they come near. There may be hundreds of these on a screen. */
export const PageCard = memo(function PageCard(props: PageCardProps) {
  const { page, isCurrent, onViewed, onCurrent, path, commented, focus, comments } = props;
  const { ref, entry } = useIntersection({ rootMargin: NEAR });
  const [wasNear, setWasNear] = useState(false);
  const isNear = wasNear || entry?.isIntersecting === true;
  if (isNear && !wasNear) setWasNear(true);
  const [isOpened, setIsOpened] = useState(false);
  const isAsked =
    commented !== undefined || comments.some(({ id, target }) => id === focus && target.page?.id === page.id);
  const isOpen = !page.viewed || isOpened || isAsked;
  const title = `${cardId(page.id)}-title`;
  return (
    <section
      ref={ref}
      id={cardId(page.id)}
      className="page-card"
      aria-labelledby={title}
      tabIndex={-1}
      data-current={isCurrent}
      onFocusCapture={() => onCurrent(page.id)}
    >
      <header className="page-card-head">
        <h2 id={title}>
          {page.types.includes('page_deleted') ? (
            page.title
          ) : (
            <Link
              to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/pages/$pageId"
              params={{ ...path, pageId: page.id }}
              preload={false}
            >
              {page.title}
            </Link>
          )}
        </h2>
        <span className="page-card-path">{page.path}</span>
        {page.viewed && (
          <button type="button" aria-expanded={isOpen} onClick={() => setIsOpened(!isOpen)}>
            {isOpen ? words.hide : words.show}
          </button>
        )}
        <label>
          <input
            type="checkbox"
            checked={page.viewed}
            onChange={({ currentTarget }) => {
              setIsOpened(false);
              onViewed({ pageId: page.id, viewed: currentTarget.checked });
            }}
          />
          {words.viewed}
        </label>
      </header>
      {isOpen && (
        <div className="page-card-body">
          {page.types.length > 1 && (
            <Group gap={6} mb="xs">
              <KindBadges types={page.types} />
            </Group>
          )}
          {isNear || isAsked ? <PageChanges {...props} /> : <div className="page-card-rest" />}
        </div>
      )}
    </section>
  );
});

/** The differences of a page, with what people say about its blocks; what is about no shown block stands below. */
function PageChanges({ page, comments, commented, onComment, onShown }: PageCardProps) {
  const { id } = page;
  const isSource = useSearch({ strict: false }).view === 'source';
  const { path, request, space } = useRequest();
  const format = isSource ? 'unified' : 'html';
  const query = useQuery({
    queryKey: ['diff', path, request.revision, request.revisionMergedAncestor, id, format],
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: () => get(`${REQUEST}/changes/{pageId}/diff`, { ...path, pageId: id }, { format }),
  });
  const [rendered, setRendered] = useState(NO_BLOCKS);
  const action = useMemo<DiffAction>(
    () => ({
      label: reviewTexts.comments.send,
      on: 'all',
      run: ({ block, side }) => onComment({ page: id, block, side }),
    }),
    [onComment, id],
  );
  const onContent = useCallback(
    (content: HTMLElement) => {
      setRendered(addSlots(content));
      onShown(id);
      return undefined;
    },
    [onShown, id],
  );
  const shown = isSource ? NO_BLOCKS : rendered;
  const ofPage = comments.filter(({ target }) => target.page?.id === id);
  const entries = ofPage.map((comment) => ({
    slot: slotOf(comment.target.node?.id, comment.target.side),
    entry: <CommentThread key={comment.id} comment={comment} />,
  }));
  if (commented) {
    const slot = slotOf(commented.block, commented.side);
    entries.push({ slot, entry: <PlaceForm key={slot} place={commented} onDone={() => onComment(undefined)} /> });
  }
  const placed = entries.filter(({ slot }) => shown.has(slot));
  return (
    <Loaded query={query}>
      {(diff) => (
        <Stack gap="md">
          {isSource ? (
            <SourceDiff unified={diff.unified ?? ''} />
          ) : (
            <PageDiff diff={diff} action={space.permissions.comment ? action : undefined} onContent={onContent}>
              {placed.map(({ slot, entry }) => (
                <div key={entry.key} slot={slot} className="in-diff">
                  {entry}
                </div>
              ))}
            </PageDiff>
          )}
          {entries.filter((each) => !placed.includes(each)).map(({ entry }) => entry)}
        </Stack>
      )}
    </Loaded>
  );
}

function SourceDiff({ unified }: Readonly<{ unified: string }>) {
  const lines = useMemo(() => unifiedLines(unified), [unified]);
  if (lines.length === 0) return <Text c="dimmed">{words.sameSource}</Text>;
  return <DiffLines lines={lines} label={words.sourceLabel} />;
}

function slotOf(block: string | undefined, side: 'before' | 'after' = 'after'): string {
  return block === undefined ? '' : `${side}-${block}`;
}

/** Puts a slot after every block; threads of comments are shown in them. */
function addSlots(content: HTMLElement): ReadonlySet<string> {
  const names = new Set<string>();
  for (const element of content.querySelectorAll<HTMLElement>('.diff-block[data-block]')) {
    const name = slotOf(element.dataset['block'], element.dataset['side'] === 'before' ? 'before' : 'after');
    element.tabIndex = -1;
    if (names.has(name)) continue;
    names.add(name);
    const slot = document.createElement('slot');
    slot.name = name;
    element.after(slot);
  }
  return names;
}
