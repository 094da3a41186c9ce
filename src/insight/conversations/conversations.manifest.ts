import { flag, required } from '../../kernel/platform/config/setting-schemas.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { organization, UNAUDITED } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { CONVERSATIONS_CONTRIBUTIONS } from './conversations.contributions.js';

export const conversations = defineModule({
  name: 'conversations',
  migrations: migrationsOf('conversations'),
  settingFaults: (values) => required(values, 'llmUrl', 'conversationsLlm'),
  settings: {
    sentenceModel: flag
      .default(true)
      .describe(
        'The built-in model of sentences compares what customers ask for: better clusters, for more time and 300 MB of memory while it works',
      ),
    conversationsLlm: flag
      .default(false)
      .describe(
        'The language model of LLM_URL words issues and clusters of conversations; redacted texts of conversations are sent there',
      ),
  },
  permissions: {
    'organization:ingestConversations': {
      least: 'admin',
      scope: 'conversations:ingest',
      about: 'Send in conversations of customers',
      flag: 'ingestConversations',
      assignable: true,
    },
    'organization:viewConversations': {
      least: 'edit',
      scope: 'conversations:read',
      about: 'Read what customers wrote: for members who write documentation, and no others',
      flag: 'viewConversations',
      assignable: true,
    },
    'organization:reviewConversations': {
      least: 'review',
      scope: 'conversations:write',
      about: 'Decide about issues and clusters of conversations',
      flag: 'reviewConversations',
      assignable: true,
    },
  },
  events: {
    conversations_ingested: organization(
      'organization',
      'Conversations were ingested, or changed by being ingested again',
      { audit: UNAUDITED.content, facts: { source: 'text', created: 'number', updated: 'number' } },
    ),
    conversation_deleted: organization('conversation', 'A conversation was removed', {
      audit: true,
      facts: { source: 'text' },
    }),
    conversations_removed: organization(
      'organization',
      'Conversations were removed with their source, or because they are older than the organization keeps them',
      { audit: true, facts: { source: 'text?', count: 'number' } },
    ),
    conversations_settings_updated: organization('organization', 'Settings of conversations were changed', {
      audit: true,
      facts: { fields: 'texts' },
    }),
    issues_cluster_updated: organization(
      'issuesCluster',
      'A cluster of issues was reviewed, or what it says was changed',
      { audit: UNAUDITED.content, facts: { fields: 'texts' } },
    ),
    issues_clusters_merged: organization('issuesCluster', 'A cluster of issues was merged into this one by a person', {
      audit: true,
      facts: { decision: 'text', other: 'text', issues: 'number' },
    }),
    issues_cluster_split: organization('issuesCluster', 'A person has split this cluster off from another one', {
      audit: true,
      facts: { decision: 'text', other: 'text', issues: 'number' },
    }),
    issues_decision_undone: organization('issuesCluster', 'A merge or a split of clusters was undone', {
      audit: true,
      facts: { decision: 'text', kind: 'text', other: 'text', issues: 'number' },
    }),
    issues_clusters_rebuilt: organization('organization', 'The issues of the organization were clustered anew', {
      audit: UNAUDITED.progress,
      facts: { clusters: 'number', issues: 'number' },
    }),
  },
  targets: {
    conversation: { label: null },
    issuesCluster: { label: null },
  },
  jobs: {
    'conversations.derive': job<{ organization: string }>({ retries: 8, timeoutSeconds: 1800, concurrency: 2 }),
    'conversations.rebuild': job<{ organization: string }>({ retries: 3, timeoutSeconds: 3600 }),
    'conversations.forget': job<{ source: string }>(),
    'conversations.maintain': job({ everySeconds: 600 }),
  },
  contributes: CONVERSATIONS_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    conversations: typeof conversations;
  }
}
