import { ActionIcon, Badge, Button, Card, Group, Menu, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import IconMore from '~icons/fa7-solid/ellipsis';
import type { Schemas } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { Time } from '../../ui/time.js';
import { CommentForm } from './comment-form.js';
import {
  deleteComment,
  deleteReply,
  postReply,
  repliesQuery,
  updateComment,
  updateReply,
  useCommentChange,
  type Comment,
  type CommentPlace,
  type Reply,
} from './comment-place.js';
import { MarkdownText } from './comment-text.js';
import { Reactions } from './reactions.js';
import { Suggestion } from './suggestion.js';
import './comments.css';

const words = texts.review.comments;

interface ThreadProps {
  readonly place: CommentPlace;
  readonly comment: Comment;
  readonly space: Schemas['SpaceBody'];
  /** Whether the address of the screen names the comment. */
  readonly isFocused?: boolean;
  /** Further words in the heading, such as the page that the comment is about. */
  readonly children?: ReactNode;
}

/** A comment with its suggestion, its reactions and its replies. */
export function CommentThread({ place, comment, space, isFocused = false, children }: ThreadProps): ReactNode {
  const change = useCommentChange(place);
  const card = useRef<HTMLDivElement>(null);
  const [isReplying, setIsReplying] = useState(false);
  const [isOpen, setIsOpen] = useState(comment.status === 'open' || isFocused);
  const { data: replies } = useQuery({ ...repliesQuery(place, comment.id), enabled: isOpen && comment.replies > 0 });
  useEffect(() => {
    if (!isFocused) return;
    card.current?.scrollIntoView({ block: 'start' });
    card.current?.focus({ preventScroll: true });
  }, [isFocused]);
  const isResolved = comment.status === 'resolved';
  const mayResolve = comment.permissions.edit || space.permissions.edit;
  const resolve = (resolved: boolean): void => {
    setIsOpen(!resolved);
    change.mutate(() => updateComment(place, comment.id, { resolved }));
  };
  return (
    <Card
      withBorder
      p="sm"
      ref={card}
      tabIndex={-1}
      className="comment"
      data-focused={isFocused}
      id={`comment-${comment.id}`}
    >
      <Stack gap="xs">
        {children}
        <Entry
          entry={comment}
          spaceId={place.spaceId}
          hidden={!isOpen}
          onEdit={(markdown) => change.mutateAsync(() => updateComment(place, comment.id, { body: { markdown } }))}
          onDelete={() => change.mutate(() => deleteComment(place, comment.id))}
          onReact={(reactions) => change.mutate(() => updateComment(place, comment.id, reactions))}
          mayReact={comment.permissions.reply}
        >
          {isResolved && <Badge variant="light">{words.resolvedBy(comment.resolvedBy?.displayName)}</Badge>}
        </Entry>
        {isOpen && comment.suggestion && (
          <Suggestion
            place={place}
            comment={comment}
            suggestion={comment.suggestion}
            mayApply={space.permissions.edit}
          />
        )}
        {isOpen && replies && replies.length > 0 && <Replies {...{ place, comment, replies, change }} />}
        {isOpen && isReplying && (
          <CommentForm
            label={words.reply}
            submit={words.sendReply}
            autoFocus
            onCancel={() => setIsReplying(false)}
            onSubmit={(markdown) =>
              change.mutateAsync(() => postReply(place, comment.id, markdown)).then(() => setIsReplying(false))
            }
          />
        )}
        <Group gap="xs">
          {!isOpen && (
            <Button size="compact-sm" variant="subtle" onClick={() => setIsOpen(true)}>
              {words.show}
            </Button>
          )}
          {isOpen && !isReplying && comment.permissions.reply && (
            <Button size="compact-sm" variant="default" onClick={() => setIsReplying(true)}>
              {words.reply}
            </Button>
          )}
          {mayResolve && (
            <Button size="compact-sm" variant="default" loading={change.isPending} onClick={() => resolve(!isResolved)}>
              {isResolved ? words.reopen : words.resolve}
            </Button>
          )}
        </Group>
      </Stack>
    </Card>
  );
}

interface RepliesProps {
  readonly place: CommentPlace;
  readonly comment: Comment;
  readonly replies: readonly Reply[];
  readonly change: ReturnType<typeof useCommentChange>;
}

function Replies({ place, comment, replies, change }: RepliesProps): ReactNode {
  return (
    <ul className="comment-replies" aria-label={words.replies}>
      {replies.map((reply) => (
        <li key={reply.id}>
          <Entry
            entry={reply}
            spaceId={place.spaceId}
            onEdit={(markdown) =>
              change.mutateAsync(() => updateReply(place, comment.id, reply.id, { body: { markdown } }))
            }
            onDelete={() => change.mutate(() => deleteReply(place, comment.id, reply.id))}
            onReact={(reactions) => change.mutate(() => updateReply(place, comment.id, reply.id, reactions))}
            mayReact={comment.permissions.reply}
          />
        </li>
      ))}
    </ul>
  );
}

interface EntryProps {
  readonly entry: Comment | Reply;
  readonly spaceId: string;
  readonly hidden?: boolean;
  readonly mayReact: boolean;
  readonly onEdit: (markdown: string) => Promise<unknown>;
  readonly onDelete: () => void;
  readonly onReact: (reactions: Pick<Schemas['UpdateComment'], 'addedReactions' | 'removedReactions'>) => void;
  readonly children?: ReactNode;
}

/** What somebody said, in a comment or in a reply. */
function Entry({
  entry,
  spaceId,
  hidden = false,
  mayReact,
  onEdit,
  onDelete,
  onReact,
  children,
}: EntryProps): ReactNode {
  const [isEdited, setIsEdited] = useState(false);
  const markdown = entry.body.markdown ?? '';
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {entry.postedBy.displayName}
          </Text>
          <Text size="sm" c="dimmed">
            <Time at={entry.postedAt} />
            {entry.agent !== undefined && ` · ${texts.review.request.byAgent(entry.agent)}`}
            {entry.editedAt !== undefined && ` · ${words.edited}`}
          </Text>
          {children}
        </Group>
        <EntryMenu entry={entry} onEdit={() => setIsEdited(true)} onDelete={onDelete} />
      </Group>
      {isEdited ? (
        <CommentForm
          label={words.edit}
          submit={texts.common.save}
          initial={markdown}
          autoFocus
          onCancel={() => setIsEdited(false)}
          onSubmit={(text) => onEdit(text).then(() => setIsEdited(false))}
        />
      ) : (
        !hidden && <MarkdownText spaceId={spaceId} markdown={markdown} />
      )}
      {!hidden && <Reactions reactions={entry.reactions} onReact={mayReact ? onReact : undefined} />}
    </Stack>
  );
}

function EntryMenu({
  entry,
  onEdit,
  onDelete,
}: {
  readonly entry: Comment | Reply;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}): ReactNode {
  const [isAsked, { open, close }] = useDisclosure();
  const { permissions, object } = entry;
  if (!permissions.edit && !permissions.delete) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="sm" aria-label={words.more(entry.postedBy.displayName)}>
            <IconMore width={14} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {permissions.edit && <Menu.Item onClick={onEdit}>{words.edit}</Menu.Item>}
          {permissions.delete && (
            <Menu.Item color="red" onClick={open}>
              {texts.common.delete}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isAsked} onClose={close} title={words.deleteTitle}>
        <Stack>
          <Text>{object === 'comment' ? words.deleteText : words.deleteReplyText}</Text>
          <Group justify="end">
            <Button variant="default" data-autofocus onClick={close}>
              {texts.common.cancel}
            </Button>
            <Button
              color="red"
              onClick={() => {
                close();
                onDelete();
              }}
            >
              {texts.common.delete}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
