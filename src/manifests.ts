import { addedManifests, type AddedModule } from './kernel/platform/manifest/added-modules.js';
import { agentInstructions } from './authoring/agent-instructions/agent-instructions.manifest.js';
import { answers } from './authoring/answers/answers.manifest.js';
import { changeRequests } from './authoring/change-requests/change-requests.manifest.js';
import { comments } from './authoring/comments/comments.manifest.js';
import { content } from './authoring/content/content.manifest.js';
import { interchange } from './authoring/interchange/interchange.manifest.js';
import { links } from './authoring/links/links.manifest.js';
import { openapi } from './authoring/openapi/openapi.manifest.js';
import { pageLimits } from './authoring/page-limits/page-limits.manifest.js';
import { pageVerification } from './authoring/page-verification/page-verification.manifest.js';
import { presence } from './authoring/presence/presence.manifest.js';
import { reviews } from './authoring/reviews/reviews.manifest.js';
import { search } from './authoring/search/search.manifest.js';
import { organizations } from './identity/organizations/organizations.manifest.js';
import { sessions } from './identity/sessions/sessions.manifest.js';
import { scim } from './identity/scim/scim.manifest.js';
import { sso } from './identity/sso/sso.manifest.js';
import { teams } from './identity/teams/teams.manifest.js';
import { users } from './identity/users/users.manifest.js';
import { conversations } from './insight/conversations/conversations.manifest.js';
import { translations } from './insight/translations/translations.manifest.js';
import { platform } from './kernel/platform/platform.manifest.js';
import { backup } from './operations/backup/backup.manifest.js';
import { organizationArchives } from './operations/organization-archives/organization-archives.manifest.js';
import { audit } from './operations/audit/audit.manifest.js';
import { gitSync } from './operations/git-sync/git-sync.manifest.js';
import { imports } from './operations/imports/imports.manifest.js';
import { agents } from './operations/agents/agents.manifest.js';
import { notifications } from './operations/notifications/notifications.manifest.js';
import { oauth } from './identity/oauth/oauth.manifest.js';
import { webhooks } from './operations/webhooks/webhooks.manifest.js';
import { customFonts } from './publishing/custom-fonts/custom-fonts.manifest.js';
import { pdf } from './publishing/pdf/pdf.manifest.js';
import { publishing } from './publishing/published-sites/publishing.manifest.js';
import { sites } from './publishing/sites/sites.manifest.js';
import { collections } from './workspace/collections/collections.manifest.js';
import { grants } from './workspace/grants/grants.manifest.js';
import { invites } from './workspace/invites/invites.manifest.js';
import { uploads } from './workspace/uploads/uploads.manifest.js';
import { spaces } from './workspace/spaces/spaces.manifest.js';
import type { Manifest } from './kernel/platform/manifest/manifest.js';

/**
 * The manifests of the modules of the service, apart from the modules themselves: commands that start no server read
 * settings and events from here. The modules list the same manifests with `brings`; a test compares the two. Help texts
 * keep this order.
 */
export const MANIFESTS: readonly Manifest[] = [
  platform,
  users,
  organizations,
  sessions,
  teams,
  sso,
  scim,
  collections,
  spaces,
  grants,
  pageLimits,
  pageVerification,
  presence,
  invites,
  uploads,
  content,
  search,
  openapi,
  agentInstructions,
  answers,
  interchange,
  changeRequests,
  links,
  comments,
  reviews,
  sites,
  customFonts,
  publishing,
  pdf,
  translations,
  conversations,
  imports,
  gitSync,
  webhooks,
  notifications,
  agents,
  oauth,
  audit,
  backup,
  organizationArchives,
];

/** The manifests of external modules, before they are started; modules of the service that they import count for nothing. Throws for a module that cannot be added. */
export function manifestsOf(modules: readonly AddedModule[]): Manifest[] {
  return addedManifests(modules, MANIFESTS);
}
