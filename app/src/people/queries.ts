import { queryOptions } from '@tanstack/react-query';
import { get, send, type Schemas } from '../api/client.js';
import { readAll, useList } from '../api/pages.js';
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
  queryFn: () => readAll<Organization>((page) => get('/v1/orgs', {}, { page, limit: WHOLE })),
});

/** All spaces of an organization that the person can see. */
export const spacesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'spaces'],
    staleTime: SLOWLY,
    queryFn: () =>
      readAll<Space>((page) => get('/v1/orgs/{organizationId}/spaces', { organizationId }, { page, limit: WHOLE })),
  });

/** All collections of an organization that the person can see. */
export const collectionsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'collections'],
    staleTime: SLOWLY,
    queryFn: () =>
      readAll<Collection>((page) =>
        get('/v1/orgs/{organizationId}/collections', { organizationId }, { page, limit: WHOLE }),
      ),
  });

/** Reads the spaces and collections of an organization, and its trash, again. */
export function refreshTree(organizationId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['organization', organizationId] });
}

/** Notifications of the person, latest first. */
export function useNotifications(
  filter: { readonly unread?: true | undefined; readonly kind?: NotificationKind | undefined },
  limit = 30,
) {
  const { unread, kind } = filter;
  return useList<Notification>(['notifications', 'list', unread, kind, limit], (page) =>
    get('/v1/user/notifications', {}, { page, limit, unread, ...(kind && { kind: [kind] }) }),
  );
}

/** The number of unread notifications. */
export const unreadQuery = queryOptions({
  queryKey: ['notifications', 'unread'],
  staleTime: SLOWLY,
  queryFn: async () => (await get('/v1/user/notifications', {}, { limit: 1, unread: true })).unread,
});

/** Marks notifications as read or unread; all of them without ids. */
export async function markNotifications(read: boolean, ids?: readonly string[]): Promise<void> {
  await send('put', '/v1/user/notifications', {}, { read, ...(ids && { ids: [...ids] }) });
  await queries.invalidateQueries({ queryKey: ['notifications'] });
}
