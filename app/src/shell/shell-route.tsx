import { AppShell } from '@mantine/core';
import { createLazyRoute, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** The frame around every screen of somebody who is signed in. */
function Shell(): ReactNode {
  return (
    <AppShell header={{ height: 48 }}>
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

export const shellRoute = createLazyRoute('/signed-in')({ component: Shell });
