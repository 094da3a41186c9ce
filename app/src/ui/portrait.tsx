import { Avatar } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { initialsOf } from './initials.js';

type PortraitProps = Readonly<{ user: Pick<Schemas['UserBody'], 'displayName' | 'photoURL'> | undefined }>;

/** The picture of a person, or the initials; the name stands beside it. */
export function Portrait({ user }: PortraitProps) {
  return (
    <Avatar name={user?.displayName} src={user?.photoURL} size="sm" alt="" aria-hidden>
      {user && initialsOf(user.displayName)}
    </Avatar>
  );
}
