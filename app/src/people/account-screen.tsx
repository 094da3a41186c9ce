import { Button, Group, Stack, Tabs, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { answered, api } from '../api/client.js';
import { queries } from '../api/query-client.js';
import { sessionQuery, useSession } from '../api/session.js';
import { texts } from '../texts/en.js';
import { ScreenFrame } from '../ui/screen-frame.js';
import { showDone } from '../ui/toasts.js';
import { NotificationSettings } from './notification-settings.js';
import { OwnSessions } from './own-sessions.js';
import { Tokens } from './tokens.js';

const words = texts.people.account;
const TABS = ['profile', 'sessions', 'tokens', 'notifications'] as const;

function Account(): ReactNode {
  const { tab: given } = accountScreen.useSearch();
  const navigate = accountScreen.useNavigate();
  const tab = TABS.find((known) => known === given) ?? 'profile';
  return (
    <ScreenFrame title={words.title}>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => void navigate({ search: value === null ? {} : { tab: value }, replace: true })}
      >
        <Tabs.List mb="lg">
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {words.tabs[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="profile">
          <Profile />
        </Tabs.Panel>
        <Tabs.Panel value="sessions">
          <OwnSessions />
        </Tabs.Panel>
        <Tabs.Panel value="tokens">
          <Tokens />
        </Tabs.Panel>
        <Tabs.Panel value="notifications">
          <NotificationSettings />
        </Tabs.Panel>
      </Tabs>
    </ScreenFrame>
  );
}

function Profile(): ReactNode {
  const { user } = useSession();
  const [displayName, setDisplayName] = useState(user.displayName);
  const [photo, setPhoto] = useState(user.photoURL ?? '');
  const save = useMutation({
    mutationFn: () =>
      answered(
        api.PATCH('/v1/users/{userId}', {
          params: { path: { userId: user.id } },
          body: { displayName: displayName.trim(), photoURL: photo.trim() === '' ? null : photo.trim() },
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      showDone(words.saved);
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={480}>
        <TextInput
          label={words.name}
          value={displayName}
          onChange={({ currentTarget }) => setDisplayName(currentTarget.value)}
          autoComplete="name"
          required
        />
        <TextInput label={words.email} value={user.email ?? ''} readOnly description={words.emailFixed} />
        <TextInput
          type="url"
          label={words.photo}
          value={photo}
          onChange={({ currentTarget }) => setPhoto(currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={displayName.trim() === ''}>
            {texts.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export const accountScreen = createLazyRoute('/signed-in/account')({ component: Account });
