import { Button, Group, Stack, TextInput } from '@mantine/core';
import { createLazyRoute } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { send } from '../api/client.js';
import { sessionQuery, useSession } from '../api/session.js';
import { texts } from '../texts/en.js';
import { TextField } from '../ui/fields.js';
import { ScreenFrame } from '../ui/screen-frame.js';
import { ScreenTabs } from '../ui/screen-tabs.js';
import { useChange } from '../ui/use-change.js';
import { NotificationSettings } from './notification-settings.js';
import { OwnSessions } from './own-sessions.js';
import { Tokens } from './tokens.js';

const words = texts.people.account;

function Account(): ReactNode {
  const contents = {
    profile: <Profile />,
    sessions: <OwnSessions />,
    tokens: <Tokens />,
    notifications: <NotificationSettings />,
  };
  return (
    <ScreenFrame title={words.title}>
      <ScreenTabs labels={words.tabs} contents={contents} />
    </ScreenFrame>
  );
}

function Profile(): ReactNode {
  const { user } = useSession();
  const [displayName, setDisplayName] = useState(user.displayName);
  const [photo, setPhoto] = useState(user.photoURL ?? '');
  const profile = { displayName: displayName.trim(), photoURL: photo.trim() === '' ? null : photo.trim() };
  const save = useChange(() => send('patch', '/v1/users/{userId}', { userId: user.id }, profile), {
    refresh: sessionQuery.queryKey,
    done: words.saved,
  });
  return (
    <form action={() => save.mutate()}>
      <Stack maw={480}>
        <TextField label={words.name} value={displayName} onText={setDisplayName} autoComplete="name" required />
        <TextInput label={words.email} value={user.email ?? ''} readOnly description={words.emailFixed} />
        <TextField type="url" label={words.photo} value={photo} onText={setPhoto} />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={profile.displayName === ''}>
            {texts.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export const accountScreen = createLazyRoute('/signed-in/account')({ component: Account });
