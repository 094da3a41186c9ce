import { createRoute, lazyRouteComponent as lazy } from '@tanstack/react-router';
import { organizationRoute, spaceRoute } from '../routes/root.js';
import { texts } from '../routes/search.js';

const ofOrganization = { getParentRoute: () => organizationRoute };
const settings = lazy(() => import('./settings-screen.js'), 'SettingsScreen');
const provider = lazy(() => import('./single-sign-on/provider-screen.js'), 'ProviderScreen');
const mergeRules = lazy(() => import('./merge-rules/space-rules-screen.js'), 'SpaceRulesScreen');

/** Screens of the settings of an organization. */
export const settingsRoutes = [
  createRoute({ ...ofOrganization, path: '/settings', component: settings, validateSearch: texts('tab') }),
  createRoute({
    ...ofOrganization,
    path: '/settings/sso/$protocol/$providerId',
    component: provider,
    validateSearch: texts('test'),
  }),
] as const;

/** Screens of the settings of a space. */
export const spaceSettingsRoutes = [
  createRoute({ getParentRoute: () => spaceRoute, path: '/~/merge-rules', component: mergeRules }),
] as const;
