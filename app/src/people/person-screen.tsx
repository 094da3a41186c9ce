import { Anchor, Stack } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answered, api } from '../api/client.js';
import { Loaded } from '../ui/loaded.js';
import { ScreenFrame } from '../ui/screen-frame.js';

const personQuery = (userId: string) =>
  queryOptions({
    queryKey: ['user', userId],
    queryFn: () => answered(api.GET('/v1/users/{userId}', { params: { path: { userId } } })),
  });

/** A person whom the reader may know: the name and, where it is shown, the address. */
function PersonScreen(): ReactNode {
  const { userId } = personScreen.useParams();
  return (
    <Loaded query={useQuery(personQuery(userId))}>
      {({ displayName, email }) => (
        <ScreenFrame title={displayName}>
          <Stack>{email !== undefined && <Anchor href={`mailto:${email}`}>{email}</Anchor>}</Stack>
        </ScreenFrame>
      )}
    </Loaded>
  );
}

export const personScreen = createLazyRoute('/signed-in/u/$userId')({ component: PersonScreen });
