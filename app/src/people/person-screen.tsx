import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get } from '../api/client.js';
import { Loaded } from '../ui/loaded.js';
import { ScreenFrame } from '../ui/screen-frame.js';

/** A person whom the reader may know: the name and, where it is shown, the address. */
function PersonScreen(): ReactNode {
  const { userId } = personScreen.useParams();
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

export const personScreen = createLazyRoute('/signed-in/u/$userId')({ component: PersonScreen });
