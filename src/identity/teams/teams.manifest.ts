import { organization } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { TEAMS_CONTRIBUTIONS } from './teams.contributions.js';

export const teams = defineModule({
  name: 'teams',
  migrations: migrationsOf('teams'),
  permissions: {
    'organization:listTeams': {
      least: 'read',
      scope: 'organization:members:read',
      about: 'List the teams',
      flag: 'listTeams',
    },
    'organization:ownTeam': {
      least: 'read',
      scope: 'organization:members:write',
      about: 'Manage the teams that one owns',
    },
  },
  events: {
    team_created: organization('team', 'A team was made', { audit: true, facts: { title: 'text' } }),
    team_updated: organization('team', 'A team was renamed', { audit: true, facts: { title: 'text' } }),
    team_deleted: organization('team', 'A team was removed', { audit: true, facts: { title: 'text' } }),
    team_members_set: organization('team', 'People were added to a team, or their role in it was changed', {
      audit: true,
      facts: { ownerIds: 'ids', memberIds: 'ids' },
    }),
    team_members_removed: organization('team', 'People left a team', { audit: true, facts: { userIds: 'ids' } }),
  },
  targets: {
    team: { label: `coalesce((SELECT t.title FROM team t WHERE t.id = r.target), r.payload ->> 'title')` },
  },
  contributes: TEAMS_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    teams: typeof teams;
  }
}
