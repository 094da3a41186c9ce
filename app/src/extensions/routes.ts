import { createRoute, lazyRouteComponent as lazy } from '@tanstack/react-router';
import { organizationRoute, spaceRoute } from '../routes/root.js';

const screen = lazy(() => import('./extension-screen.js'), 'ExtensionScreen');
const settings = lazy(() => import('./extension-screen.js'), 'ExtensionSettingsScreen');

/** Screens that modules bring to an organization. */
export const extensionRoutes = [
  createRoute({ getParentRoute: () => organizationRoute, path: '/extensions', component: settings }),
  createRoute({ getParentRoute: () => organizationRoute, path: '/extensions/$screen', component: screen }),
] as const;

/** Screens that modules bring to a space. */
export const spaceExtensionRoutes = [
  createRoute({ getParentRoute: () => spaceRoute, path: '/~/extensions', component: settings }),
  createRoute({ getParentRoute: () => spaceRoute, path: '/~/extensions/$screen', component: screen }),
] as const;
