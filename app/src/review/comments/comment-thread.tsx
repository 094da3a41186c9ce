import { Badge, Card, Group, Stack, Paper, CloseButton, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import IconFace from '~icons/fa7-solid/face-smile';
import { type Schemas, useSession, REQUEST, send } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { reviewTexts } from '../../texts/review.js';
import { writingTexts } from '../../texts/writing.js';
import { ActionMenu, Button, DropMenu, IconButton, MenuItem, SecondaryButton } from '../../ui/buttons.js';
import { FormDialog, FlagField } from '../../ui/forms.js';
import { Note, Strong, Time } from '../../ui/screens.js';
import { emojiOf } from '../../ui/emoji.js';
import { usePlace, useSpace } from '../../writing/place.js';
import { CommentForm } from './comment-form.js';
import { MarkdownText } from './comment-text.js';
import {
  repliesQuery,
  useCommentChange,
  useCommentWork,
  type Comment,
  type EntryAddress,
  type Reply,
  commentsQuery,
} from './comments.js';
import { createPatch } from 'diff';
import { DiffLines, unifiedLines } from '../changes/diff-lines.js';
import { useRequest, useRequestChange } from '../queries.js';

const words = reviewTexts.comments;
const FOCUSED = '2px solid var(--mantine-primary-color-filled)';
const RULE = '2px solid var(--mantine-color-default-border)';
const OFFERED = ['👍', '👎', '😄', '🎉', '😕', '❤️', '🚀', '👀'] as const;

/** A comment with its suggestion, its reactions and its replies. */
export function CommentThread({ comment, children }: Readonly<{ comment: Comment; children?: ReactNode }>) {
  const { id: commentId, permissions, suggestion } = comment;
  const isFocused = commentId === useSearch({ strict: false }).comment;
  const isResolved = comment.status === 'resolved';
  const place = usePlace();
  const mayEdit = useSpace().permissions.edit;
  const change = useCommentChange();
  const card = useRef<HTMLDivElement>(null);
  const [isReplying, setIsReplying] = useState(false);
  const [isOpen, setIsOpen] = useState(!isResolved || isFocused);
  const hasReplies = isOpen && comment.replies > 0;
  const { data: replies = [] } = useQuery({ ...repliesQuery(place, commentId), enabled: hasReplies });
  useEffect(() => {
    if (!isFocused) return;
    card.current?.scrollIntoView({ block: 'start' });
    card.current?.focus({ preventScroll: true });
  }, [isFocused]);
  const toggle = (): void => {
    setIsOpen(isResolved);
    change.mutate({ update: { resolved: !isResolved }, of: { commentId } });
  };
  const resolve = { isPending: change.isPending, mutate: toggle };
  const reply = async (markdown: string): Promise<void> => {
    await change.mutateAsync({ reply: markdown, to: commentId });
    setIsReplying(false);
  };
  const resolved = isResolved && <Badge>{words.resolvedBy(comment.resolvedBy?.displayName)}</Badge>;
  return (
    <Card
      withBorder
      p="sm"
      ref={card}
      tabIndex={-1}
      bd={isFocused ? FOCUSED : undefined}
      style={{ scrollMarginTop: 96 }}
    >
      <Stack gap="xs">
        {children}
        <Entry entry={comment} address={{ commentId }} mayReact={permissions.reply} hidden={!isOpen} mark={resolved} />
        {isOpen && suggestion && <Suggestion commentId={commentId} suggestion={suggestion} />}
        {isOpen && replies.length > 0 && (
          <Stack pl="md" role="list" aria-label={words.replies} style={{ borderLeft: RULE }}>
            {replies.map((each) => (
              <div role="listitem" key={each.id}>
                <Entry entry={each} address={{ commentId, commentReplyId: each.id }} mayReact={permissions.reply} />
              </div>
            ))}
          </Stack>
        )}
        {isOpen && isReplying && (
          <CommentForm
            label={words.reply}
            submit={words.sendReply}
            autoFocus
            onCancel={() => setIsReplying(false)}
            onSubmit={reply}
          />
        )}
        <Group gap="xs">
          {!isOpen && (
            <SecondaryButton size="compact-sm" label={reviewTexts.changes.show} onClick={() => setIsOpen(true)} />
          )}
          {isOpen && !isReplying && permissions.reply && (
            <SecondaryButton size="compact-sm" label={words.reply} onClick={() => setIsReplying(true)} />
          )}
          {(permissions.edit || mayEdit) && (
            <SecondaryButton size="compact-sm" label={isResolved ? words.reopen : words.resolve} run={resolve} />
          )}
        </Group>
      </Stack>
    </Card>
  );
}

type EntryProps = Readonly<{
  entry: Comment | Reply;
  address: EntryAddress;
  hidden?: boolean;
  mayReact: boolean;
  mark?: ReactNode;
}>;

/** The text of a comment or of a reply, changed in its place. */
function Entry({ entry, address, hidden = false, mayReact, mark }: EntryProps) {
  const change = useCommentChange();
  const run = useCommentWork();
  const [asked, setAsked] = useState<'edit' | 'delete'>();
  const end = (): void => setAsked(undefined);
  const { object, postedBy, postedAt, agent, editedAt, reactions, permissions } = entry;
  const markdown = entry.body.markdown ?? '';
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
        <Group gap="xs">
          <Strong>{postedBy.displayName}</Strong>
          <Note>
            <Time at={postedAt} />
            {agent !== undefined && ` · ${reviewTexts.request.byAgent(agent)}`}
            {editedAt !== undefined && ` · ${words.edited}`}
          </Note>
          {mark}
        </Group>
        {(permissions.edit || permissions.delete) && (
          <ActionMenu label={words.more(postedBy.displayName)} size="sm">
            {permissions.edit && <MenuItem label={writingTexts.read.edit} onClick={() => setAsked('edit')} />}
            {permissions.delete && (
              <MenuItem label={texts.common.delete} color="red" onClick={() => setAsked('delete')} />
            )}
          </ActionMenu>
        )}
      </Group>
      {asked === 'edit' ? (
        <CommentForm
          label={writingTexts.read.edit}
          submit={texts.common.save}
          initial={markdown}
          autoFocus
          onCancel={end}
          onSubmit={(text) => change.mutateAsync({ update: { body: { markdown: text } }, of: address }).then(end)}
        />
      ) : (
        !hidden && <MarkdownText markdown={markdown} />
      )}
      {!hidden && (
        <Reactions
          reactions={reactions}
          onReact={mayReact ? (update) => change.mutate({ update, of: address }) : undefined}
        />
      )}
      {asked === 'delete' && (
        <FormDialog
          title={words.deleteTitle}
          text={object === 'comment' ? words.deleteText : words.deleteReplyText}
          action={texts.common.delete}
          color="red"
          onSubmit={() => run({ remove: address })}
          onClose={end}
        />
      )}
    </Stack>
  );
}

interface ReactionsProps {
  readonly reactions: readonly Schemas['EmojiReaction'][];
  /** Undefined for people who may not react. */
  readonly onReact: ((change: { addedReactions?: string[]; removedReactions?: string[] }) => void) | undefined;
}

/** The reactions to a comment: a press adds or takes back the own one. */
function Reactions({ reactions, onReact }: ReactionsProps) {
  const { user } = useSession();
  return (
    <Group gap={4}>
      {reactions.map(({ emoji, count, users }) => {
        const isMine = users.some((each) => each.user.id === user.id);
        const names = users.map((each) => each.user.displayName).join(', ');
        const shown = emojiOf({ emoji }) ?? '';
        return (
          <Button
            key={emoji}
            label={`${shown} ${count}`}
            size="compact-xs"
            variant={isMine ? 'light' : 'default'}
            aria-pressed={isMine}
            aria-label={words.reaction(shown, count, names)}
            title={names}
            disabled={!onReact}
            onClick={() => onReact?.(isMine ? { removedReactions: [emoji] } : { addedReactions: [emoji] })}
          />
        );
      })}
      {onReact && (
        <DropMenu position="bottom-start" target={<IconButton label={words.react} Icon={IconFace} size="sm" />}>
          {OFFERED.map((emoji) => (
            <MenuItem label={emoji} key={emoji} onClick={() => onReact({ addedReactions: [emoji] })} />
          ))}
        </DropMenu>
      )}
    </Group>
  );
}

const suggestionWords = reviewTexts.suggestion;
const COLORS = { open: 'blue', applied: 'green', outdated: 'gray' } as const;

type SuggestionProps = Readonly<{ commentId: string; suggestion: NonNullable<Comment['suggestion']> }>;

/** The text that a comment suggests for a block, as a comparison, taken over by one press. */
export function Suggestion({ commentId, suggestion }: SuggestionProps) {
  const { path, space } = useRequest();
  const apply = useRequestChange(
    () => send('post', `${REQUEST}/comments/{commentId}/suggestion/apply`, { ...path, commentId }),
    suggestionWords.done,
  );
  const { status, before, markdown, appliedBy } = suggestion;
  const whole = { context: Math.max(before.length, markdown.length) };
  // The first line only says where the others stand.
  const [, ...lines] = unifiedLines(createPatch('', before.trimEnd(), markdown.trimEnd(), '', '', whole));
  return (
    <Paper withBorder p="xs" component="section" aria-label={suggestionWords.title}>
      <Stack gap="xs" align="flex-start">
        <Group gap="xs" justify="space-between" w="100%">
          <Strong>{suggestionWords.title}</Strong>
          <Badge color={COLORS[status]}>{suggestionWords.status[status]}</Badge>
        </Group>
        <DiffLines lines={lines} label={suggestionWords.lines} />
        {status === 'open' && space.permissions.edit && (
          <Button run={apply} label={suggestionWords.apply} size="compact-sm" />
        )}
        {status === 'outdated' && <Note>{suggestionWords.outdatedText}</Note>}
        {appliedBy && <Note>{suggestionWords.appliedBy(appliedBy.displayName)}</Note>}
      </Stack>
    </Paper>
  );
}

/** Comments on the page that is read, beside it. */
export function CommentsPanel({ page, onClose }: Readonly<{ page: string; onClose: () => void }>) {
  const { permissions } = useSpace();
  const { data: comments } = useQuery(commentsQuery(usePlace()));
  const { comment: focus } = useSearch({ strict: false });
  const change = useCommentChange();
  const [withResolved, setWithResolved] = useState(false);
  const ofPage = comments?.filter(({ target }) => target.page?.id === page) ?? [];
  const shown = ofPage.filter(({ id, status }) => withResolved || status === 'open' || id === focus);
  return (
    <Stack component="aside" gap="md" p="md" aria-label={writingTexts.read.comments}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2}>{writingTexts.read.comments}</Title>
        <CloseButton aria-label={texts.common.close} onClick={onClose} />
      </Group>
      {(shown.length < ofPage.length || withResolved) && (
        <FlagField label={words.withResolved} checked={withResolved} onFlag={setWithResolved} />
      )}
      {!comments && <Skeleton height={80} aria-label={texts.common.loading} />}
      {comments && shown.length === 0 && <Text c="dimmed">{words.emptyPage}</Text>}
      {shown.map((comment) => (
        <CommentThread key={comment.id} comment={comment} />
      ))}
      {permissions.comment && (
        <CommentForm
          label={words.onPage}
          submit={words.send}
          onSubmit={(markdown) => change.mutateAsync({ post: { page, body: { markdown } } })}
        />
      )}
    </Stack>
  );
}
