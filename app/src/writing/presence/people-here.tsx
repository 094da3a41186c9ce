import { Avatar, Group, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { writingTexts } from '../../texts/writing.js';
import { Portrait } from '../../ui/portrait.js';
import { usePeopleAt } from './use-room.js';

const words = writingTexts.presence;
const MOST_SHOWN = 4;

/** The other people at a page, as pictures with their names. */
export function PeopleHere({ page }: Readonly<{ page: string }>) {
  const people = usePeopleAt(page);
  if (people.length === 0) return null;
  return (
    <Group component="ul" gap={4} wrap="nowrap" className="people-here" aria-label={words.here}>
      {people.slice(0, MOST_SHOWN).map(({ user, writing }) => {
        const label = writing ? words.writes(user.displayName) : words.reads(user.displayName);
        return (
          <Tooltip key={user.id} label={label}>
            <li>
              <Portrait user={user} />
              <VisuallyHidden>{label}</VisuallyHidden>
            </li>
          </Tooltip>
        );
      })}
      {people.length > MOST_SHOWN && (
        <li>
          <Avatar size="sm">{words.more(people.length - MOST_SHOWN)}</Avatar>
        </li>
      )}
    </Group>
  );
}

/** Tells who else writes a page. */
export function WritersHere({ page }: Readonly<{ page: string }>) {
  const writers = usePeopleAt(page).filter(({ writing }) => writing);
  const names = writers.map(({ user }) => user.displayName);
  return (
    <Text size="sm" role="status" px="md" py={names.length > 0 ? 4 : 0}>
      {names.length > 0 && words.alsoWrite(names)}
    </Text>
  );
}
