import { Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { send, sessionQuery, useSession } from '../api/client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/buttons.js';
import { TextField, useChange } from '../ui/forms.js';
import { ScreenFrame, ScreenTabs } from '../ui/screens.js';
import { NotificationSettings } from './notification-settings.js';
import { OwnSessions } from './sessions.js';
import { Tokens } from './tokens.js';

const words = texts.people.account;

export function AccountScreen() {
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

function Profile() {
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
          <Button
            label={texts.common.save}
            type="submit"
            loading={save.isPending}
            disabled={profile.displayName === ''}
          />
        </Group>
      </Stack>
    </form>
  );
}
