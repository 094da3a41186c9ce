import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import IconFace from '~icons/fa7-solid/face-smile';
import type { Schemas } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { texts } from '../../texts/en.js';
import { emojiOf } from '../../ui/page-icon.js';

const words = texts.review.comments;
const OFFERED = ['👍', '👎', '😄', '🎉', '😕', '❤️', '🚀', '👀'] as const;

interface ReactionsProps {
  readonly reactions: readonly Schemas['EmojiReaction'][];
  /** Undefined for people who may not react. */
  readonly onReact: ((change: { addedReactions?: string[]; removedReactions?: string[] }) => void) | undefined;
}

/** The reactions to a comment: a press adds or takes back the own one. */
export function Reactions({ reactions, onReact }: ReactionsProps): ReactNode {
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
