import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { extensionTexts as words } from '../texts/extensions.js';
import { LoadingScreen } from '../ui/screens.js';
import { useModuleScreens, type ScreenSubject } from './queries.js';

const MountedScreen = lazyRouteComponent(() => import('./mounted-screen.js'), 'MountedScreen');
const ExtensionSettings = lazyRouteComponent(() => import('./extension-screen.js'), 'ExtensionSettings');

/**
 * Screens of modules as further parts of a screen with parts: one with all settings, and the other screens where they
 * have no address of their own, as they have in organizations and spaces.
 */
export function useExtensionTabs(subject: ScreenSubject) {
  const { data: screens = [] } = useModuleScreens(subject);
  const haveAddresses = subject.organizationId !== undefined && subject.siteId === undefined;
  const labels: Record<string, string> = {};
  const contents: Record<string, ReactNode> = {};
  for (const screen of screens) {
    if (screen.part === 'settings' || haveAddresses) continue;
    const name = `extension-${screen.path}`;
    labels[name] = screen.title;
    contents[name] = late(<MountedScreen screen={screen} subject={subject} />);
  }
  if (screens.some(({ part }) => part === 'settings')) {
    labels['extensions'] = words.title;
    contents['extensions'] = late(<ExtensionSettings subject={subject} />);
  }
  return { labels, contents };
}

const late = (content: ReactNode) => <Suspense fallback={<LoadingScreen />}>{content}</Suspense>;
