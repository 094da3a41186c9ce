import { ActionIcon, Badge, Button, Card, Group, Menu, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import IconFace from '~icons/fa7-solid/face-smile';
import type { Schemas } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { texts } from '../../texts/en.js';
import { SecondaryButton } from '../../ui/secondary-button.js';
import { ActionMenu } from '../../ui/action-menu.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Note } from '../../ui/note.js';
import { emojiOf } from '../../ui/page-icon.js';
import { Strong } from '../../ui/strong.js';
import { Time } from '../../ui/time.js';
import { usePlace, useSpace } from '../../writing/place.js';
import { CommentForm } from './comment-form.js';
import { MarkdownText } from './comment-text.js';
import { repliesQuery, useCommentChange, type Comment, type EntryAddress, type Reply } from './comments.js';
import { Suggestion } from './suggestion.js';
import './comments.css';

const words = texts.review.comments;
const OFFERED = ['👍', '👎', '😄', '🎉', '😕', '❤️', '🚀', '👀'] as const;

interface ThreadProps {
  readonly comment: Comment;
  /** The comment that the address of the screen names. */
  readonly focus: string | undefined;
  readonly children?: ReactNode;
}

/** A comment with its suggestion, its reactions and its replies. */
export function CommentThread({ comment, focus, children }: ThreadProps): ReactNode {
  const { id: commentId, permissions, suggestion } = comment;
  const isFocused = commentId === focus;
  const isResolved = comment.status === 'resolved';
  const place = usePlace();
  const mayEdit = useSpace().permissions.edit;
  const change = useCommentChange();
  const card = useRef<HTMLDivElement>(null);
  const [isReplying, setIsReplying] = useState(false);
  const [isOpen, setIsOpen] = useState(!isResolved || isFocused);
  const { data: replies = [] } = useQuery({
    ...repliesQuery(place, commentId),
    enabled: isOpen && comment.replies > 0,
  });
  useEffect(() => {
    if (!isFocused) return;
    card.current?.scrollIntoView({ block: 'start' });
    card.current?.focus({ preventScroll: true });
  }, [isFocused]);
  const resolve = (): void => {
    setIsOpen(isResolved);
    change.mutate({ update: { resolved: !isResolved }, of: { commentId } });
  };
  const reply = async (markdown: string): Promise<void> => {
    await change.mutateAsync({ reply: markdown, to: commentId });
    setIsReplying(false);
  };
  const resolved = isResolved && <Badge variant="light">{words.resolvedBy(comment.resolvedBy?.displayName)}</Badge>;
  return (
    <Card withBorder p="sm" ref={card} tabIndex={-1} className="comment" data-focused={isFocused}>
      <Stack gap="xs">
        {children}
        <Entry entry={comment} address={{ commentId }} mayReact={permissions.reply} hidden={!isOpen} mark={resolved} />
        {isOpen && suggestion && <Suggestion commentId={commentId} suggestion={suggestion} />}
        {isOpen && replies.length > 0 && (
          <Stack className="comment-replies" role="list" aria-label={words.replies}>
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
          {!isOpen && <SecondaryButton size="compact-sm" label={words.show} onClick={() => setIsOpen(true)} />}
          {isOpen && !isReplying && permissions.reply && (
            <SecondaryButton size="compact-sm" label={words.reply} onClick={() => setIsReplying(true)} />
          )}
          {(permissions.edit || mayEdit) && (
            <SecondaryButton
              size="compact-sm"
              label={isResolved ? words.reopen : words.resolve}
              loading={change.isPending}
              onClick={resolve}
            />
          )}
        </Group>
      </Stack>
    </Card>
  );
}

interface EntryProps {
  readonly entry: Comment | Reply;
  readonly address: EntryAddress;
  readonly hidden?: boolean;
  readonly mayReact: boolean;
  readonly mark?: ReactNode;
}

/** The text of a comment or of a reply, changed in its place. */
function Entry({ entry, address, hidden = false, mayReact, mark }: EntryProps): ReactNode {
  const change = useCommentChange();
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
            {agent !== undefined && ` · ${texts.review.request.byAgent(agent)}`}
            {editedAt !== undefined && ` · ${words.edited}`}
          </Note>
          {mark}
        </Group>
        {(permissions.edit || permissions.delete) && (
          <ActionMenu label={words.more(postedBy.displayName)} size="sm">
            {permissions.edit && <Menu.Item onClick={() => setAsked('edit')}>{words.edit}</Menu.Item>}
            {permissions.delete && (
              <Menu.Item color="red" onClick={() => setAsked('delete')}>
                {texts.common.delete}
              </Menu.Item>
            )}
          </ActionMenu>
        )}
      </Group>
      {asked === 'edit' ? (
        <CommentForm
          label={words.edit}
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
          onSubmit={() => change.mutateAsync({ remove: address })}
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
function Reactions({ reactions, onReact }: ReactionsProps): ReactNode {
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
            size="compact-xs"
            variant={isMine ? 'light' : 'default'}
            aria-pressed={isMine}
            aria-label={words.reaction(shown, count, names)}
            title={names}
            disabled={!onReact}
            onClick={() => onReact?.(isMine ? { removedReactions: [emoji] } : { addedReactions: [emoji] })}
          >
            {shown} {count}
          </Button>
        );
      })}
      {onReact && (
        <Menu position="bottom-start">
          <Menu.Target>
            <ActionIcon size="sm" aria-label={words.react}>
              <IconFace width={14} aria-hidden="true" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown miw={0}>
            {OFFERED.map((emoji) => (
              <Menu.Item key={emoji} onClick={() => onReact({ addedReactions: [emoji] })}>
                {emoji}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}
