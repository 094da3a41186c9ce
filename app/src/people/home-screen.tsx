import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyScreen } from '../ui/screens.js';
import { texts } from '../texts/en.js';

function Home(): ReactNode {
  return <EmptyScreen title={texts.people.home} />;
}

export const homeScreen = createLazyRoute('/signed-in/')({ component: Home });
