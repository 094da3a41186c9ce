import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answered, api, type Schemas } from '../api/client.js';
import { nextPage, readAll, type ListPage } from '../api/pages.js';
import { queries } from '../api/query-client.js';

export type Organization = Schemas['OrganizationBody'];
export type Space = Schemas['SpaceBody'];
export type Collection = Schemas['CollectionBody'];
export type Member = Schemas['MemberBody'];
export type Role = Member['role'];
export type Notification = Schemas['NotificationBody'];
export type NotificationKind = Notification['kind'];

const WHOLE = 1000;
const SLOWLY = 60_000;

/** The organizations of the person. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  staleTime: SLOWLY,
  queryFn: () =>
    readAll<Organization>((page) => answered(api.GET('/v1/orgs', { params: { query: { page, limit: WHOLE } } }))),
});

/** All spaces of an organization that the person can see. */
export const spacesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'spaces'],
    staleTime: SLOWLY,
    queryFn: () =>
      readAll<Space>((page) =>
        answered(
          api.GET('/v1/orgs/{organizationId}/spaces', {
            params: { path: { organizationId }, query: { page, limit: WHOLE } },
          }),
        ),
      ),
  });

/** All collections of an organization that the person can see. */
export const collectionsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'collections'],
    staleTime: SLOWLY,
    queryFn: () =>
      readAll<Collection>((page) =>
        answered(
          api.GET('/v1/orgs/{organizationId}/collections', {
            params: { path: { organizationId }, query: { page, limit: WHOLE } },
          }),
        ),
      ),
  });

/** Reads the spaces and collections of an organization again. */
export function refreshTree(organizationId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['organization', organizationId] });
}

export const templatesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['templates', organizationId],
    staleTime: Infinity,
    queryFn: () => answered(api.GET('/v1/orgs/{organizationId}/templates', { params: { path: { organizationId } } })),
  });

/** Open change requests of an organization whose review was asked of somebody. */
export const waitingRequestsQuery = (organizationId: string, requestedReviewer: string) =>
  queryOptions({
    queryKey: ['change-requests', 'waiting', organizationId],
    queryFn: () =>
      answered(
        api.GET('/v1/orgs/{organizationId}/change-requests', {
          params: { path: { organizationId }, query: { status: 'open', requestedReviewer, limit: 10 } },
        }),
      ),
  });

export interface NotificationFilter {
  readonly unread?: boolean;
  readonly kind?: NotificationKind;
}

/** Notifications of the person, latest first. */
export const notificationsQuery = ({ unread, kind }: NotificationFilter, limit = 30) =>
  infiniteQueryOptions({
    queryKey: ['notifications', 'list', unread ?? null, kind ?? null, limit],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }): Promise<ListPage<Notification>> =>
      answered(
        api.GET('/v1/user/notifications', {
          params: { query: { page: pageParam, limit, unread, ...(kind && { kind: [kind] }) } },
        }),
      ),
    getNextPageParam: nextPage<Notification>,
  });

/** The number of unread notifications. */
export const unreadQuery = queryOptions({
  queryKey: ['notifications', 'unread'],
  staleTime: SLOWLY,
  queryFn: async () =>
    (await answered(api.GET('/v1/user/notifications', { params: { query: { limit: 1, unread: true } } }))).unread,
});

/** Marks notifications as read or unread; all of them without ids. */
export async function markNotifications(read: boolean, ids?: readonly string[]): Promise<void> {
  await answered(api.PUT('/v1/user/notifications', { body: { read, ...(ids && { ids: [...ids] }) } }));
  await queries.invalidateQueries({ queryKey: ['notifications'] });
}
