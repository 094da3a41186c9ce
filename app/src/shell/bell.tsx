import { ActionIcon, Indicator } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import IconBell from '~icons/fa7-regular/bell';
import { unreadQuery } from '../people/queries.js';
import { texts } from '../texts/en.js';

const MOST = 99;

/** The way to the notifications, with the number of unread ones. */
export function Bell(): ReactNode {
  const { data: unread = 0 } = useQuery(unreadQuery);
  return (
    <Indicator label={unread > MOST ? `${MOST}+` : unread} disabled={unread === 0} size={16} offset={6} color="red">
      <ActionIcon component={Link} to="/notifications" size="lg" aria-label={texts.people.notifications.bell(unread)}>
        <IconBell aria-hidden />
      </ActionIcon>
    </Indicator>
  );
}
