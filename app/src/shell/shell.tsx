import { ActionIcon, AppShell, Box, Burger, Group, Kbd, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys, type HotkeyItem } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import {
  lazyRouteComponent,
  Link,
  Navigate,
  Outlet,
  useLocation,
  useNavigate,
  useRouter,
} from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import IconSearch from '~icons/fa7-solid/magnifying-glass';
import IconKeyboard from '~icons/fa7-regular/keyboard';
import { sessionQuery } from '../api/client.js';
import { texts } from '../texts/en.js';
import { Button, SecondaryButton } from '../ui/buttons.js';
import { AccountMenu, Bell } from './account-menu.js';
import { useLastOrganization } from '../people/queries.js';
import { useNotificationStream } from './notification-stream.js';
import { useRecordRecents } from './recents.js';
import { Sidebar } from './sidebar.js';

const Palette = lazyRouteComponent(() => import('./palette.js'), 'Palette');
const KeyboardHelp = lazyRouteComponent(() => import('./palette.js'), 'KeyboardHelp');

const MAIN = 'main';
/** The time in which the second key of a shortcut of two keys must follow. */
const SECOND_KEY = 1000;
/** The second keys after g, and where they lead; the star is the organization. */
const PLACES = {
  h: '/o/*',
  s: '/o/*/search',
  p: '/o/*/people',
  t: '/o/*/trash',
  c: '/o/*/changes',
  n: '/notifications',
};

/** The frame around every screen of somebody who is signed in; leads to the sign-in when the session ends. */
export function Shell() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session ? <Frame /> : <ToSignIn />;
}

function ToSignIn() {
  const router = useRouter();
  // The address changes before the next screen is there.
  const [returnTo] = useState(router.state.location.href);
  return <Navigate to="/sign-in" search={{ returnTo }} replace />;
}

function Frame() {
  const organization = useLastOrganization();
  const [menuOpened, menu] = useDisclosure();
  const [paletteOpened, palette] = useDisclosure();
  const [helpOpened, help] = useDisclosure();
  const path = useLocation({ select: ({ pathname }) => pathname });
  useRecordRecents();
  useNotificationStream();
  useEffect(menu.close, [path, menu.close]);
  useShortcuts({ organizationId: organization?.id, search: palette.open, help: help.open });

  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 280, breakpoint: 'sm', collapsed: { mobile: !menuOpened } }}
      padding={0}
    >
      {/* Not a link to `#main`: the page has a base address, which would turn it into another screen. */}
      <Button
        label={texts.people.shell.skip}
        className="skip-link"
        pos="fixed"
        top={6}
        left={6}
        style={{ zIndex: 1000 }}
        onClick={() => document.getElementById(MAIN)?.focus()}
      />
      <AppShell.Header>
        <Group h="100%" px="sm" gap="xs" wrap="nowrap">
          <Burger
            opened={menuOpened}
            onClick={menu.toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={menuOpened ? texts.people.shell.closeMenu : texts.people.shell.openMenu}
            aria-expanded={menuOpened}
          />
          <UnstyledButton component={Link} to="/" fw={700} px="xs">
            Bindery
          </UnstyledButton>
          <Group flex={1} justify="center" miw={0}>
            <SecondaryButton
              label={
                <>
                  {texts.people.shell.search}
                  <Box component="span" visibleFrom="sm">
                    {texts.people.shell.orGoTo}
                  </Box>
                </>
              }
              w="min(360px, 100%)"
              fw={400}
              justify="start"
              styles={{ label: { flex: 1 } }}
              leftSection={<IconSearch />}
              rightSection={<Kbd children={texts.people.shell.searchKeys} size="xs" aria-hidden visibleFrom="sm" />}
              onClick={palette.open}
            />
          </Group>
          <ActionIcon onClick={help.open} aria-label={texts.people.shell.keys} size="lg" visibleFrom="sm">
            <IconKeyboard />
          </ActionIcon>
          <Bell />
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar component="div" style={{ overflowY: 'auto' }}>
        <Sidebar organization={organization} />
      </AppShell.Navbar>
      <AppShell.Main id={MAIN} tabIndex={-1} style={{ outline: 'none' }}>
        <Outlet />
      </AppShell.Main>
      <Suspense fallback={null}>
        {paletteOpened && <Palette organization={organization} onClose={palette.close} onHelp={help.open} />}
        {helpOpened && <KeyboardHelp onClose={help.close} />}
      </Suspense>
    </AppShell>
  );
}

type Shortcuts = Readonly<{ organizationId: string | undefined; search: () => void; help: () => void }>;

function useShortcuts({ organizationId, search, help }: Shortcuts): void {
  const navigate = useNavigate();
  const waitingUntil = useRef(0);
  const wait = (milliseconds: number): void => void (waitingUntil.current = Date.now() + milliseconds);
  const goTo = (path: string): void => {
    if (Date.now() < waitingUntil.current && organizationId !== undefined)
      void navigate({ href: path.replace('*', organizationId) });
    wait(0);
  };
  useHotkeys([['mod+K', search]], []);
  useHotkeys([
    ['/', search],
    ['shift+?', help],
    ['?', help],
    ['g', () => wait(SECOND_KEY)],
    ...Object.entries(PLACES).map(([key, path]): HotkeyItem => [key, () => goTo(path)]),
  ]);
}
