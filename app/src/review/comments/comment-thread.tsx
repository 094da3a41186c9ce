import { Badge, Button, Card, Group, Menu, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { ActionMenu } from '../../ui/action-menu.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Note } from '../../ui/note.js';
import { Time } from '../../ui/time.js';
import { usePlace, useSpace } from '../../writing/place.js';
import { CommentForm } from './comment-form.js';
import { MarkdownText } from './comment-text.js';
import {
  deleteEntry,
  postReply,
  repliesQuery,
  updateEntry,
  useCommentChange,
  type Comment,
  type EntryAddress,
  type Reply,
} from './comments.js';
import { Reactions } from './reactions.js';
import { Suggestion } from './suggestion.js';
import './comments.css';

const words = texts.review.comments;

interface ThreadProps {
  readonly comment: Comment;
  /** Whether the address of the screen names the comment. */
  readonly isFocused?: boolean;
  /** Further words in the heading, such as the page that the comment is about. */
  readonly children?: ReactNode;
}

/** A comment with its suggestion, its reactions and its replies. */
export function CommentThread({ comment, isFocused = false, children }: ThreadProps): ReactNode {
  const place = usePlace();
  const space = useSpace();
  const change = useCommentChange();
  const card = useRef<HTMLDivElement>(null);
  const [isReplying, setIsReplying] = useState(false);
  const [isOpen, setIsOpen] = useState(comment.status === 'open' || isFocused);
  const { id: commentId, permissions, suggestion } = comment;
  const { data: replies = [] } = useQuery({
    ...repliesQuery(place, commentId),
    enabled: isOpen && comment.replies > 0,
  });
  useEffect(() => {
    if (!isFocused) return;
    card.current?.scrollIntoView({ block: 'start' });
    card.current?.focus({ preventScroll: true });
  }, [isFocused]);
  const isResolved = comment.status === 'resolved';
  const resolve = (): void => {
    setIsOpen(isResolved);
    change.mutate(() => updateEntry(place, { commentId }, { resolved: !isResolved }));
  };
  const reply = async (markdown: string): Promise<void> => {
    await change.mutateAsync(() => postReply(place, commentId, markdown));
    setIsReplying(false);
  };
  const resolved = isResolved && <Badge variant="light">{words.resolvedBy(comment.resolvedBy?.displayName)}</Badge>;
  return (
    <Card withBorder p="sm" ref={card} tabIndex={-1} className="comment" data-focused={isFocused}>
      <Stack gap="xs">
        {children}
        <Entry entry={comment} address={{ commentId }} mayReact={permissions.reply} hidden={!isOpen} mark={resolved} />
        {isOpen && suggestion && <Suggestion {...{ commentId, suggestion }} mayApply={space.permissions.edit} />}
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
          {!isOpen && (
            <Button size="compact-sm" variant="subtle" onClick={() => setIsOpen(true)}>
              {words.show}
            </Button>
          )}
          {isOpen && !isReplying && permissions.reply && (
            <Button size="compact-sm" variant="default" onClick={() => setIsReplying(true)}>
              {words.reply}
            </Button>
          )}
          {(permissions.edit || space.permissions.edit) && (
            <Button size="compact-sm" variant="default" loading={change.isPending} onClick={resolve}>
              {isResolved ? words.reopen : words.resolve}
            </Button>
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

/** The text of a comment or of a reply. */
function Entry({ entry, address, hidden = false, mayReact, mark }: EntryProps): ReactNode {
  const place = usePlace();
  const change = useCommentChange();
  const [isEdited, setIsEdited] = useState(false);
  const { postedBy, postedAt, agent, editedAt, reactions } = entry;
  const markdown = entry.body.markdown ?? '';
  const edit = async (text: string): Promise<void> => {
    await change.mutateAsync(() => updateEntry(place, address, { body: { markdown: text } }));
    setIsEdited(false);
  };
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {postedBy.displayName}
          </Text>
          <Note>
            <Time at={postedAt} />
            {agent !== undefined && ` · ${texts.review.request.byAgent(agent)}`}
            {editedAt !== undefined && ` · ${words.edited}`}
          </Note>
          {mark}
        </Group>
        <EntryMenu entry={entry} address={address} onEdit={() => setIsEdited(true)} />
      </Group>
      {isEdited ? (
        <CommentForm
          label={words.edit}
          submit={texts.common.save}
          initial={markdown}
          autoFocus
          onCancel={() => setIsEdited(false)}
          onSubmit={edit}
        />
      ) : (
        !hidden && <MarkdownText markdown={markdown} />
      )}
      {!hidden && (
        <Reactions
          reactions={reactions}
          onReact={mayReact ? (changed) => change.mutate(() => updateEntry(place, address, changed)) : undefined}
        />
      )}
    </Stack>
  );
}

function EntryMenu({
  entry,
  address,
  onEdit,
}: Pick<EntryProps, 'entry' | 'address'> & { onEdit: () => void }): ReactNode {
  const place = usePlace();
  const change = useCommentChange();
  const [isAsked, setIsAsked] = useState(false);
  const { permissions, object, postedBy } = entry;
  if (!permissions.edit && !permissions.delete) return null;
  return (
    <>
      <ActionMenu label={words.more(postedBy.displayName)} size="sm">
        {permissions.edit && <Menu.Item onClick={onEdit}>{words.edit}</Menu.Item>}
        {permissions.delete && (
          <Menu.Item color="red" onClick={() => setIsAsked(true)}>
            {texts.common.delete}
          </Menu.Item>
        )}
      </ActionMenu>
      <FormDialog
        opened={isAsked}
        onClose={() => setIsAsked(false)}
        title={words.deleteTitle}
        text={object === 'comment' ? words.deleteText : words.deleteReplyText}
        action={texts.common.delete}
        color="red"
        onSubmit={() => change.mutateAsync(() => deleteEntry(place, address))}
      />
    </>
  );
}
