import { queryOptions } from '@tanstack/react-query';
import { get, getTagged, readAll, type Schemas } from '../../api/client.js';
import { POLL_EVERY } from '../polling.js';

export type Theme = Schemas['ThemeBody'];
export type Cluster = Schemas['ClusterBody'];
export type Decision = Schemas['DecisionBody'];
export type Coverage = Schemas['ClusterCoverageBody'];
export type Conversation = Schemas['ConversationBody'];
export type ConversationIssue = Schemas['IssueOfConversationBody'];
export type Source = Schemas['ConversationsSourceBody'];
export type ClusterPlace = Readonly<{ organizationId: string; clusterId: string }>;

const ORGANIZATION = '/v1/orgs/{organizationId}';
export const CONVERSATIONS = `${ORGANIZATION}/conversations` as const;
export const CONVERSATION = `${CONVERSATIONS}/{conversationId}` as const;
export const THEMES = `${ORGANIZATION}/conversations-themes` as const;
export const CLUSTERS = `${ORGANIZATION}/conversations-clusters` as const;
export const CLUSTER = `${CLUSTERS}/{clusterId}` as const;
export const DECISIONS = `${ORGANIZATION}/conversations-decisions` as const;
export const DECISION = `${DECISIONS}/{decisionId}` as const;
export const ISSUES = `${ORGANIZATION}/conversations-issues` as const;
export const SETTINGS = `${ORGANIZATION}/conversations-settings` as const;
export const SOURCES = `${ORGANIZATION}/conversations-sources` as const;

/** The beginning of the keys of all that is read about the conversations of an organization. */
export const conversationsKey = (organizationId: string) => ['conversations', organizationId] as const;

/** The beginning of the keys of what a rebuild changes: themes, clusters and their issues. */
export const topicsKey = (organizationId: string) => [...conversationsKey(organizationId), 'topics'] as const;

export const clusterKey = ({ organizationId, clusterId }: ClusterPlace) =>
  [...topicsKey(organizationId), 'cluster', clusterId] as const;

/** A cluster with its version, for a change that must not undo another one. */
export const clusterQuery = (place: ClusterPlace) =>
  queryOptions({ queryKey: [...clusterKey(place), 'cluster'], queryFn: () => getTagged(CLUSTER, place) });

export const coverageQuery = (place: ClusterPlace) =>
  queryOptions({ queryKey: [...clusterKey(place), 'coverage'], queryFn: () => get(`${CLUSTER}/coverage`, place) });

export const settingsKey = (organizationId: string) => [...conversationsKey(organizationId), 'settings'] as const;

/** How conversations are treated, and how far they are read, with the version of the settings. */
export const settingsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: settingsKey(organizationId),
    queryFn: () => getTagged(SETTINGS, { organizationId }),
    refetchInterval: ({ state: { data } }) => (data && data.body.analysis.status !== 'idle' ? POLL_EVERY : false),
  });

/** The sources of an organization, of which there are few. */
export const sourcesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...conversationsKey(organizationId), 'sources'],
    queryFn: () => readAll<Source>((page) => get(SOURCES, { organizationId }, { page })),
  });
