import { Group, SegmentedControl, Select, Stack } from '@mantine/core';
import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { ActionButton } from '../ui/action-button.js';
import { ButtonLink } from '../ui/links.js';
import { LoadedList } from '../ui/loaded.js';
import { ScreenFrame } from '../ui/screen-frame.js';
import { EmptyScreen } from '../ui/screens.js';
import { NOTIFICATION_KINDS } from './notification-text.js';
import { NotificationRow } from './notification-row.js';
import { markNotifications, useNotifications } from './queries.js';

const words = texts.people.notifications;

function Notifications(): ReactNode {
  const search = notificationsScreen.useSearch();
  const { all = false, kind: given } = search;
  const navigate = notificationsScreen.useNavigate();
  const kind = NOTIFICATION_KINDS.find((known) => known === given);
  const list = useNotifications({ unread: !all || undefined, kind });
  return (
    <ScreenFrame
      title={words.title}
      actions={
        <Group gap="xs">
          <ButtonLink variant="default" to="/account" search={{ tab: 'notifications' }}>
            {words.settings}
          </ButtonLink>
          <ActionButton action={() => markNotifications(true)}>{words.markAll}</ActionButton>
        </Group>
      }
    >
      <Group mb="md">
        <SegmentedControl
          aria-label={words.which}
          value={all ? 'all' : 'unread'}
          onChange={(value) => void navigate({ search: { ...search, all: value === 'all' || undefined } })}
          data={[
            { value: 'unread', label: words.onlyUnread },
            { value: 'all', label: words.everything },
          ]}
        />
        <Select
          aria-label={words.kind}
          placeholder={words.everyKind}
          clearable
          value={kind ?? null}
          onChange={(value) => void navigate({ search: { ...search, kind: value ?? undefined } })}
          data={NOTIFICATION_KINDS.map((value) => ({ value, label: words.kinds[value] }))}
        />
      </Group>
      <LoadedList query={list} empty={<EmptyScreen title={words.none} text={words.noneText} />}>
        {(items) => (
          <Stack gap={0} aria-live="polite">
            {items.map((item) => (
              <NotificationRow key={item.id} notification={item} />
            ))}
          </Stack>
        )}
      </LoadedList>
    </ScreenFrame>
  );
}

export const notificationsScreen = createLazyRoute('/signed-in/notifications')({ component: Notifications });
