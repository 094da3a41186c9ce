import { Group, SegmentedControl, Select, Stack, Box, Text, Tooltip } from '@mantine/core';
import { useSearch, useNavigate } from '@tanstack/react-router';
import { notificationTexts } from '../texts/notifications.js';
import { ActionButton } from '../ui/forms.js';
import { ButtonLink, IconButton, AppLink } from '../ui/buttons.js';
import { Portrait } from '../ui/portrait.js';
import { LoadedList, ScreenFrame, EmptyScreen, Note } from '../ui/screens.js';
import { NOTIFICATION_KINDS } from './notification-kinds.js';
import { markNotifications, useNotifications, type Notification } from './queries.js';
import IconCheck from '~icons/fa7-solid/check';
import IconUndo from '~icons/fa7-solid/rotate-left';
import { showFault } from '../ui/toasts.js';

const words = notificationTexts;

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

/** A notification: who did what and where, with a link to the place, which marks it as read. */
export function NotificationRow({ notification }: Readonly<{ notification: Notification }>) {
  const { id, text, read, actor, excerpt, organization, space, site, at, urls } = notification;
  const words = notificationTexts;
  const mark = (to: boolean): void => void markNotifications(to, [id]).catch(showFault);
  const label = read ? words.markUnread : words.markRead;
  return (
    <Group wrap="nowrap" align="flex-start" py="xs" gap="sm">
      <Portrait user={actor} />
      <Box flex={1} miw={0}>
        <AppLink url={urls.app} fw={read ? 400 : 650} onFollow={() => !read && mark(true)}>
          {text}
        </AppLink>
        {excerpt !== undefined && (
          <Text size="sm" lineClamp={2}>
            {excerpt}
          </Text>
        )}
        <Note size="xs" at={at}>
          {!read && `${words.unread} · `}
          {organization.title} / {(space ?? site)?.title} ·
        </Note>
      </Box>
      <Tooltip label={label}>
        <IconButton label={label} Icon={read ? IconUndo : IconCheck} onClick={() => mark(!read)} />
      </Tooltip>
    </Group>
  );
}
