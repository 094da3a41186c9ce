import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import IconFace from '~icons/fa7-solid/face-smile';
import type { Schemas } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { texts } from '../../texts/en.js';

const words = texts.review.comments;
const OFFERED = ['👍', '👎', '😄', '🎉', '😕', '❤️', '🚀', '👀'] as const;

/** Asks for reactions to be added to a comment and removed from it. */
export type React = (change: { readonly addedReactions?: string[]; readonly removedReactions?: string[] }) => void;

/** The reactions to a comment: a press adds or takes back the own one. */
export function Reactions({
  reactions,
  onReact,
}: {
  readonly reactions: readonly Schemas['EmojiReaction'][];
  /** Undefined for people who may not react. */
  readonly onReact: React | undefined;
}): ReactNode {
  const { user } = useSession();
  return (
    <Group gap={4}>
      {reactions.map(({ emoji, count, users }) => {
        const isMine = users.some((each) => each.user.id === user.id);
        const names = users.map((each) => each.user.displayName).join(', ');
        return (
          <Button
            key={emoji}
            size="compact-xs"
            variant={isMine ? 'light' : 'default'}
            aria-pressed={isMine}
            aria-label={words.reaction(characters(emoji), count, names)}
            title={names}
            disabled={!onReact}
            onClick={() => onReact?.(isMine ? { removedReactions: [emoji] } : { addedReactions: [emoji] })}
          >
            {characters(emoji)} {count}
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
          <Menu.Dropdown className="reaction-menu">
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

/** The characters of an emoji that is given by its code points, such as `1f44d`. */
function characters(code: string): string {
  return /^[\da-f]{2,6}(-[\da-f]{2,6})*$/i.test(code)
    ? String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
    : code;
}
