import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { Schemas } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { PageDiff, type DiffAction } from '../../ui/page-diff.js';
import { faultText } from '../../ui/toasts.js';
import type { Comment } from '../comments/comment-place.js';
import { CommentThread } from '../comments/comment-thread.js';
import type { ChangeRequest, RequestAddress } from '../queries.js';
import { PlaceForm, type CommentedPlace } from './block-discussion.js';
import { diffQuery } from './change-queries.js';
import { DiffLines, unifiedLines } from './diff-lines.js';

const words = texts.review.changes;

export interface PageChangesProps {
  readonly path: RequestAddress;
  readonly request: ChangeRequest;
  readonly space: Schemas['SpaceBody'];
  readonly pageId: string;
  readonly view: 'rendered' | 'source';
  readonly comments: readonly Comment[];
  readonly focus: string | undefined;
  /** The place of this page that a comment is being written about. */
  readonly commented: CommentedPlace | undefined;
  readonly onComment: (place: CommentedPlace | undefined) => void;
  /** Called when the differences can be gone through. */
  readonly onShown: (pageId: string) => void;
}

/** The differences of a page, with what people say about its blocks. */
export function PageChanges(props: PageChangesProps): ReactNode {
  const { path, request, pageId, view } = props;
  const { data, error } = useQuery(diffQuery(path, request, pageId, view === 'source' ? 'unified' : 'html'));
  if (error) return <Alert color="red">{faultText(error)}</Alert>;
  if (!data)
    return (
      <Stack gap="xs" role="status" aria-label={texts.common.loading}>
        <Skeleton height={20} />
        <Skeleton height={120} />
      </Stack>
    );
  if (view === 'source') return <SourceChanges {...props} unified={data.unified ?? ''} />;
  return <RenderedChanges {...props} diff={data} />;
}

function RenderedChanges({ diff, ...props }: PageChangesProps & { readonly diff: Schemas['PageDiffBody'] }): ReactNode {
  const { pageId, space, comments, commented, onComment, onShown } = props;
  const [shownBlocks, setShownBlocks] = useState<ReadonlySet<string>>(new Set());
  const mayComment = space.permissions.comment;
  const action = useMemo<DiffAction | undefined>(
    () =>
      mayComment
        ? { label: words.comment, on: 'all', run: ({ block, side }) => onComment({ page: pageId, block, side }) }
        : undefined,
    [mayComment, onComment, pageId],
  );
  const onContent = useCallback(
    (content: HTMLElement) => {
      setShownBlocks(addSlots(content));
      onShown(pageId);
      return undefined;
    },
    [onShown, pageId],
  );
  const placed = comments.filter(({ target }) => shownBlocks.has(slotOf(target.node?.id, target.side)));
  const others = comments.filter((comment) => !placed.includes(comment));
  const formSlot = commented && slotOf(commented.block, commented.side);
  const form = commented && (
    <PlaceForm
      key={`${commented.block ?? ''} ${commented.side}`}
      path={props.path}
      place={commented}
      mayComment={mayComment}
      onDone={() => onComment(undefined)}
    />
  );
  const isFormPlaced = formSlot !== undefined && shownBlocks.has(formSlot);
  return (
    <Stack gap="md">
      <PageDiff diff={diff} {...(action && { action })} onContent={onContent}>
        {placed.map((comment) => (
          <div key={comment.id} slot={slotOf(comment.target.node?.id, comment.target.side)} className="in-diff">
            <Thread {...props} comment={comment} />
          </div>
        ))}
        {isFormPlaced && (
          <div slot={formSlot} className="in-diff">
            {form}
          </div>
        )}
      </PageDiff>
      {others.map((comment) => (
        <Thread key={comment.id} {...props} comment={comment} />
      ))}
      {!isFormPlaced && form}
    </Stack>
  );
}

function SourceChanges({ unified, ...props }: PageChangesProps & { readonly unified: string }): ReactNode {
  const { path, space, comments, commented, onComment } = props;
  const lines = useMemo(() => unifiedLines(unified), [unified]);
  return (
    <Stack gap="md">
      {lines.length === 0 ? (
        <Text c="dimmed">{words.sameSource}</Text>
      ) : (
        <DiffLines lines={lines} label={words.sourceLabel} />
      )}
      {comments.map((comment) => (
        <Thread key={comment.id} {...props} comment={comment} />
      ))}
      {commented && (
        <PlaceForm
          path={path}
          place={{ page: commented.page, side: 'after' }}
          mayComment={space.permissions.comment}
          onDone={() => onComment(undefined)}
        />
      )}
    </Stack>
  );
}

function Thread({ path, space, comment, focus }: PageChangesProps & { readonly comment: Comment }): ReactNode {
  return <CommentThread place={path} space={space} comment={comment} isFocused={comment.id === focus} />;
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
