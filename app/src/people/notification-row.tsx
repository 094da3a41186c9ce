import { Avatar, Box, Group, Text, Tooltip } from '@mantine/core';
import IconCheck from '~icons/fa7-solid/check';
import IconUndo from '~icons/fa7-solid/rotate-left';
import { texts } from '../texts/en.js';
import { IconButton } from '../ui/buttons.js';
import { AppLink } from '../ui/app-link.js';
import { Note, Time } from '../ui/screens.js';
import { showFault } from '../ui/toasts.js';
import { notificationText, markNotifications, type Notification } from './queries.js';

/** A notification: who did what and where, with a link to the place, which marks it as read. */
export function NotificationRow({ notification }: Readonly<{ notification: Notification }>) {
  const { id, read, actor, excerpt, organization, space, at, urls } = notification;
  const words = texts.people.notifications;
  const mark = (to: boolean): void => void markNotifications(to, [id]).catch(showFault);
  const label = read ? words.markUnread : words.markRead;
  return (
    <Group wrap="nowrap" align="flex-start" py="xs" gap="sm">
      <Avatar name={actor?.displayName} src={actor?.photoURL} size="sm" alt="" />
      <Box flex={1} miw={0}>
        <AppLink url={urls.app} fw={read ? 400 : 650} onFollow={() => !read && mark(true)}>
          {notificationText(notification)}
        </AppLink>
        {excerpt !== undefined && (
          <Text size="sm" lineClamp={2}>
            {excerpt}
          </Text>
        )}
        <Note size="xs">
          {organization.title} / {space.title} · <Time at={at} />
          {!read && <> · {words.unread}</>}
        </Note>
      </Box>
      <Tooltip label={label}>
        <IconButton label={label} Icon={read ? IconUndo : IconCheck} onClick={() => mark(!read)} />
      </Tooltip>
    </Group>
  );
}
