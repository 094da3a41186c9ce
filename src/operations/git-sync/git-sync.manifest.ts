import { whole } from '../../kernel/platform/config/setting-schemas.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { organization, space, UNAUDITED } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { GIT_SYNC_CONTRIBUTIONS } from './git-sync.contributions.js';

export const gitSync = defineModule({
  name: 'gitSync',
  migrations: migrationsOf('gitSync'),
  settings: {
    gitPollSeconds: whole(10, 86_400)
      .default(300)
      .describe(
        'Seconds between two looks at the branch that a space is kept equal with, where no hook tells of changes',
      ),
  },
  permissions: {
    'space:syncGit': {
      least: 'create',
      scope: 'space:write',
      about: 'Connect the space with a branch of a git repository, and keep both equal',
    },
  },
  events: {
    git_installed: space('gitInstallation', 'A git provider was installed on a space', {
      audit: true,
      facts: { provider: 'text' },
    }),
    git_installation_updated: space('gitInstallation', 'The connection of a space with a repository was changed', {
      audit: true,
      facts: { fields: 'texts' },
    }),
    git_uninstalled: space('gitInstallation', 'A space is no longer kept equal with a repository', { audit: true }),
    git_site_installed: organization('gitInstallation', 'A git provider was installed on a site', {
      audit: true,
      facts: { siteId: 'id', provider: 'text' },
    }),
    git_site_installation_updated: organization(
      'gitInstallation',
      'The connection of a site with a repository was changed',
      { audit: true, facts: { siteId: 'id', fields: 'texts' } },
    ),
    git_site_uninstalled: organization('gitInstallation', 'A site is no longer kept equal with a repository', {
      audit: true,
      facts: { siteId: 'id' },
    }),
    git_site_sync_failed: organization(
      'gitInstallation',
      'The structure of a site could not be kept equal with its branch; once until that is mended',
      { audit: UNAUDITED.progress, facts: { siteId: 'id' } },
    ),
    git_sync_failed: space(
      'gitInstallation',
      'A space could not be kept equal with its branch; once until that is mended',
      {
        audit: UNAUDITED.progress,
        facts: { runId: 'id' },
      },
    ),
  },
  targets: {
    gitInstallation: {
      label: `(SELECT coalesce(substring(t.url FROM '^[a-z]+://(?:[^/@]*@)?([^/?#]+)'), t.provider) FROM git_installation t WHERE t.id = r.target)`,
    },
  },
  jobs: {
    'git-sync.look': job({ everySeconds: 10, timeoutSeconds: 600 }),
    'git-sync.look-at-sites': job({ everySeconds: 10 }),
    'git-sync.site': job<{ installation: string; ifMoved?: boolean }>({ timeoutSeconds: 600 }),
    'git-sync.forget-deliveries': job({ everySeconds: 3600 }),
  },
  contributes: GIT_SYNC_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    gitSync: typeof gitSync;
  }
}
