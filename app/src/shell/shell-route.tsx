import { ActionIcon, AppShell, Burger, Group, UnstyledButton, Button } from '@mantine/core';
import { useDisclosure, useHotkeys, type HotkeyItem } from '@mantine/hooks';
import { createLazyRoute, Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import IconSearch from '~icons/fa7-solid/magnifying-glass';
import IconKeyboard from '~icons/fa7-regular/keyboard';
import { texts } from '../texts/en.js';
import { AccountMenu } from './account-menu.js';
import { Bell } from './bell.js';
import { useOrganization } from './current-organization.js';
import { useNotificationStream } from './notification-stream.js';
import { useRecordRecents } from './recents.js';
import './shell.css';
import { Sidebar } from './sidebar.js';

const Palette = lazy(() => import('./palette.js').then(({ Palette: component }) => ({ default: component })));
const KeyboardHelp = lazy(() =>
  import('./keyboard-help.js').then(({ KeyboardHelp: component }) => ({ default: component })),
);

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

/** The frame around every screen of somebody who is signed in. */
function Shell(): ReactNode {
  const organization = useOrganization();
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
      <SkipLink />
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
            <Button
              variant="default"
              className="search-button"
              leftSection={<IconSearch aria-hidden />}
              rightSection={<kbd aria-hidden>{texts.people.shell.searchKeys}</kbd>}
              onClick={palette.open}
            >
              {texts.people.shell.search}
            </Button>
          </Group>
          <ActionIcon onClick={help.open} aria-label={texts.people.keyboard.title} size="lg" visibleFrom="sm">
            <IconKeyboard aria-hidden />
          </ActionIcon>
          <Bell />
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar component="div">
        <Sidebar organization={organization} />
      </AppShell.Navbar>
      <AppShell.Main id={MAIN} tabIndex={-1} className="shell-main">
        <Outlet />
      </AppShell.Main>
      <Suspense fallback={null}>
        {paletteOpened && <Palette organization={organization} onClose={palette.close} onHelp={help.open} />}
        {helpOpened && <KeyboardHelp onClose={help.close} />}
      </Suspense>
    </AppShell>
  );
}

/** A button instead of a link to `#main`: the page has a base address, which would turn it into another screen. */
function SkipLink(): ReactNode {
  return (
    <Button className="skip-link" onClick={() => document.getElementById(MAIN)?.focus()}>
      {texts.people.shell.skip}
    </Button>
  );
}

interface Shortcuts {
  readonly organizationId: string | undefined;
  readonly search: () => void;
  readonly help: () => void;
}

function useShortcuts({ organizationId, search, help }: Shortcuts): void {
  const navigate = useNavigate();
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setWaiting(false), SECOND_KEY);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  const second = ([key, path]: readonly [string, string]): HotkeyItem => [
    key,
    () => {
      if (isWaiting && organizationId !== undefined) void navigate({ href: path.replace('*', organizationId) });
      setWaiting(false);
    },
  ];
  useHotkeys([['mod+K', search]], []);
  useHotkeys([
    ['/', search],
    ['shift+?', help],
    ['?', help],
    ['g', () => setWaiting(true)],
    ...Object.entries(PLACES).map(second),
  ]);
}

export const shellRoute = createLazyRoute('/signed-in')({ component: Shell });
