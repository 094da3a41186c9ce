import { Group, SegmentedControl, Select, Stack } from '@mantine/core';
import { useSearch, useNavigate } from '@tanstack/react-router';
import { texts } from '../texts/en.js';
import { ActionButton } from '../ui/forms.js';
import { ButtonLink } from '../ui/buttons.js';
import { LoadedList, ScreenFrame, EmptyScreen } from '../ui/screens.js';
import { NOTIFICATION_KINDS, markNotifications, useNotifications } from './queries.js';
import { NotificationRow } from './notification-row.js';

const words = texts.people.notifications;

export function NotificationsScreen() {
  const search = useSearch({ from: '/signed-in/notifications' });
  const { all = false, kind: given } = search;
  const navigate = useNavigate({ from: '/notifications' });
  const kind = NOTIFICATION_KINDS.find((known) => known === given);
  const list = useNotifications({ unread: !all || undefined, kind });
  return (
    <ScreenFrame
      title={words.title}
      actions={
        <Group gap="xs">
          <ButtonLink label={words.settings} variant="default" to="/account" search={{ tab: 'notifications' }} />
          <ActionButton label={words.markAll} action={() => markNotifications(true)} />
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
