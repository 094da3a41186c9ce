import { ActionIcon, Menu, useMantineColorScheme, VisuallyHidden, Indicator } from '@mantine/core';
import IconCheck from '~icons/fa7-solid/check';
import { send, useSession } from '../api/client.js';
import { texts } from '../texts/en.js';
import { MenuItem, MenuLink } from '../ui/buttons.js';
import { Portrait } from '../ui/portrait.js';
import { Note, Strong } from '../ui/screens.js';
import { showFault } from '../ui/toasts.js';
import { forgetRecents } from './recents.js';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import IconBell from '~icons/fa7-regular/bell';
import { unreadQuery } from '../people/queries.js';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** The person: the account, the colours, and the way out. */
export function AccountMenu() {
  const { user } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const words = texts.people.account;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon size="lg" radius="xl">
          <Portrait user={user} />
          <VisuallyHidden>{words.menu(user.displayName)}</VisuallyHidden>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Strong>{user.displayName}</Strong>
          <Note size="xs">{user.email}</Note>
        </Menu.Label>
        <MenuLink label={words.title} to="/account" />
        <Menu.Divider />
        <Menu.Label>{words.colors}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <MenuItem
            label={words.colorSchemes[scheme]}
            key={scheme}
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            rightSection={scheme === colorScheme && <IconCheck />}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(scheme)}
          />
        ))}
        <Menu.Divider />
        <MenuItem label={words.signOut} onClick={() => void signOut().catch(showFault)} />
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

const MOST = 99;

/** The way to the notifications, with the number of unread ones. */
export function Bell() {
  const { data: unread = 0 } = useQuery(unreadQuery);
  return (
    <Indicator label={unread > MOST ? `${MOST}+` : unread} disabled={unread === 0} size={16} offset={6} color="red">
      <ActionIcon component={Link} to="/notifications" size="lg" aria-label={texts.people.shell.notifications(unread)}>
        <IconBell />
      </ActionIcon>
    </Indicator>
  );
}
