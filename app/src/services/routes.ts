import { createRoute, lazyRouteComponent as lazy } from '@tanstack/react-router';
import { changeRequestRoute, organizationRoute, spaceRoute } from '../routes/root.js';
import { texts } from '../routes/search.js';

const ofOrganization = { getParentRoute: () => organizationRoute };
const ofSpace = { getParentRoute: () => spaceRoute };
const specifications = lazy(() => import('./specifications/specifications-screen.js'), 'SpecificationsScreen');
const specification = lazy(() => import('./specifications/specification-screen.js'), 'SpecificationScreen');
const webhooks = lazy(() => import('./webhooks/webhooks-screen.js'), 'WebhooksScreen');
const webhook = lazy(() => import('./webhooks/webhook-screen.js'), 'WebhookScreen');
const imports = lazy(() => import('./imports/imports-screen.js'), 'ImportsScreen');
const run = lazy(() => import('./imports/run-screen.js'), 'ImportRunScreen');
const conversations = lazy(() => import('./conversations/conversations-screen.js'), 'ConversationsScreen');
const conversation = lazy(() => import('./conversations/conversation-screen.js'), 'ConversationScreen');
const cluster = lazy(() => import('./conversations/cluster-screen.js'), 'ClusterScreen');
const templates = lazy(() => import('./templates/templates-screen.js'), 'TemplatesScreen');
const template = lazy(() => import('./templates/template-screen.js'), 'TemplateScreen');
const instructions = lazy(() => import('./agent-instructions/instructions-screen.js'), 'InstructionsScreen');
const exports = lazy(() => import('./exports/exports-screen.js'), 'ExportsScreen');
const archive = lazy(() => import('./exports/archive-screen.js'), 'ArchiveScreen');
const translations = lazy(() => import('./translations/translations-screen.js'), 'TranslationsScreen');
const translation = lazy(() => import('./translations/translation-screen.js'), 'TranslationScreen');

/** Screens of the services of an organization. */
export const serviceRoutes = [
  createRoute({ ...ofOrganization, path: '/openapi', component: specifications }),
  createRoute({ ...ofOrganization, path: '/openapi/$specSlug', component: specification }),
  createRoute({ ...ofOrganization, path: '/webhooks', component: webhooks }),
  createRoute({ ...ofOrganization, path: '/webhooks/$webhookId', component: webhook }),
  createRoute({ ...ofOrganization, path: '/templates', component: templates }),
  createRoute({
    ...ofOrganization,
    path: '/templates/$templateId',
    component: template,
    validateSearch: texts('page'),
  }),
  createRoute({ ...ofOrganization, path: '/agent-instructions', component: instructions }),
  createRoute({ ...ofOrganization, path: '/archive', component: archive }),
  createRoute({
    ...ofOrganization,
    path: '/conversations',
    component: conversations,
    validateSearch: texts('tab', 'by', 'source'),
  }),
  createRoute({ ...ofOrganization, path: '/conversations/clusters/$clusterId', component: cluster }),
  createRoute({ ...ofOrganization, path: '/conversations/all/$conversationId', component: conversation }),
  createRoute({ ...ofOrganization, path: '/translations', component: translations, validateSearch: texts('tab') }),
  createRoute({
    ...ofOrganization,
    path: '/translations/$translationId',
    component: translation,
    validateSearch: texts('tab', 'state', 'page'),
  }),
] as const;

/** Screens of the services of a space. */
export const spaceServiceRoutes = [
  createRoute({ ...ofSpace, path: '/~/exports', component: exports }),
  createRoute({ ...ofSpace, path: '/~/imports', component: imports }),
  createRoute({ ...ofSpace, path: '/~/imports/$importRunId', component: run }),
] as const;

/** Screens of the services of a change request. */
export const changeRequestServiceRoutes = [
  createRoute({ getParentRoute: () => changeRequestRoute, path: '/~/exports', component: exports }),
] as const;
