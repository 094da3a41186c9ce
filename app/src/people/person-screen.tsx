import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { get } from '../api/client.js';
import { Loaded, ScreenFrame } from '../ui/screens.js';

/** A person whom the reader may know: the name and, where it is shown, the address. */
export function PersonScreen() {
  const { userId } = useParams({ from: '/signed-in/u/$userId' });
  const person = useQuery({ queryKey: ['user', userId], queryFn: () => get('/v1/users/{userId}', { userId }) });
  return (
    <Loaded query={person}>
      {({ displayName, email }) => (
        <ScreenFrame title={displayName}>
          {email !== undefined && <Anchor href={`mailto:${email}`}>{email}</Anchor>}
        </ScreenFrame>
      )}
    </Loaded>
  );
}
