import { ActionIcon, Avatar, Menu, Text, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import IconCheck from '~icons/fa7-solid/check';
import { send } from '../api/client.js';
import { useSession } from '../api/session.js';
import { texts } from '../texts/en.js';
import { showFault } from '../ui/toasts.js';
import { forgetRecents } from './recents.js';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** The person: the account, the colours, and the way out. */
export function AccountMenu(): ReactNode {
  const { user } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const words = texts.people.account;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon size="lg" radius="xl">
          <Avatar name={user.displayName} src={user.photoURL} size="sm" alt="" aria-hidden />
          <VisuallyHidden>{words.menu(user.displayName)}</VisuallyHidden>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} truncate>
            {user.displayName}
          </Text>
          <Text size="xs" truncate>
            {user.email}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/account">
          {words.title}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{words.colors}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            rightSection={scheme === colorScheme && <IconCheck aria-hidden />}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(scheme)}
          >
            {words.colorSchemes[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut().catch(showFault)}>{words.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Ends the session, and loads the workspace anew so that nothing of the person stays in memory. */
export async function signOut(): Promise<void> {
  await send('delete', '/v1/auth/session', {});
  forgetRecents();
  window.location.assign(new URL('sign-in', document.baseURI));
}
