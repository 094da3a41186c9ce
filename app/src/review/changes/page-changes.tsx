import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { Loaded } from '../../ui/loaded.js';
import { PageDiff, type DiffAction, type PageDiffBody } from '../../ui/page-diff.js';
import { CommentThread } from '../comments/comment-thread.js';
import type { Comment } from '../comments/comments.js';
import { useRequest } from '../queries.js';
import { useDiffQuery } from './change-queries.js';
import { DiffLines, unifiedLines } from './diff-lines.js';
import { PlaceForm, type CommentedPlace } from './place-form.js';

const words = texts.review.changes;

export interface PageChangesProps {
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
  const { pageId, view } = props;
  const query = useQuery(useDiffQuery(pageId, view === 'source' ? 'unified' : 'html'));
  return (
    <Loaded query={query}>
      {(diff) =>
        view === 'source' ? (
          <SourceChanges {...props} unified={diff.unified ?? ''} />
        ) : (
          <RenderedChanges {...props} diff={diff} />
        )
      }
    </Loaded>
  );
}

function RenderedChanges({ diff, ...props }: PageChangesProps & Readonly<{ diff: PageDiffBody }>): ReactNode {
  const { pageId, comments, commented, focus, onComment, onShown } = props;
  const mayComment = useRequest().space.permissions.comment;
  const [shownBlocks, setShownBlocks] = useState<ReadonlySet<string>>(new Set());
  const action = useMemo<DiffAction>(
    () => ({ label: words.comment, on: 'all', run: ({ block, side }) => onComment({ page: pageId, block, side }) }),
    [onComment, pageId],
  );
  const onContent = useCallback(
    (content: HTMLElement) => {
      setShownBlocks(addSlots(content));
      onShown(pageId);
      return undefined;
    },
    [onShown, pageId],
  );
  const slotOfComment = ({ target }: Comment): string => slotOf(target.node?.id, target.side);
  const isPlaced = (comment: Comment): boolean => shownBlocks.has(slotOfComment(comment));
  const formSlot = commented && slotOf(commented.block, commented.side);
  const form = commented && <PlaceForm key={formSlot} place={commented} onDone={() => onComment(undefined)} />;
  const isFormPlaced = formSlot !== undefined && shownBlocks.has(formSlot);
  return (
    <Stack gap="md">
      <PageDiff diff={diff} action={mayComment ? action : undefined} onContent={onContent}>
        {comments.filter(isPlaced).map((comment) => (
          <div key={comment.id} slot={slotOfComment(comment)} className="in-diff">
            <CommentThread comment={comment} isFocused={comment.id === focus} />
          </div>
        ))}
        {isFormPlaced && (
          <div slot={formSlot} className="in-diff">
            {form}
          </div>
        )}
      </PageDiff>
      <Threads comments={comments.filter((comment) => !isPlaced(comment))} focus={focus} />
      {!isFormPlaced && form}
    </Stack>
  );
}

function SourceChanges({ unified, ...props }: PageChangesProps & Readonly<{ unified: string }>): ReactNode {
  const { comments, commented, focus, onComment } = props;
  const lines = useMemo(() => unifiedLines(unified), [unified]);
  return (
    <Stack gap="md">
      {lines.length === 0 && <Text c="dimmed">{words.sameSource}</Text>}
      {lines.length > 0 && <DiffLines lines={lines} label={words.sourceLabel} />}
      <Threads comments={comments} focus={focus} />
      {commented && <PlaceForm place={{ page: commented.page, side: 'after' }} onDone={() => onComment(undefined)} />}
    </Stack>
  );
}

function Threads({ comments, focus }: Pick<PageChangesProps, 'comments' | 'focus'>): ReactNode {
  return comments.map((comment) => (
    <CommentThread key={comment.id} comment={comment} isFocused={comment.id === focus} />
  ));
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
