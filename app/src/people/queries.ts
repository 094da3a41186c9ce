import { queryOptions, useSuspenseQuery, useQuery } from '@tanstack/react-query';
import { notFound, useParams } from '@tanstack/react-router';
import { get, send, type Schemas, readAll, useList, type ListPage, queries } from '../api/client.js';
import { useEffect } from 'react';

export type Organization = Schemas['OrganizationBody'];
export type Space = Schemas['SpaceBody'];
export type Collection = Schemas['CollectionBody'];
export type Member = Schemas['MemberBody'];
export type OrganizationProps = Readonly<{ organization: Organization }>;
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

/** The organization that the address of the screen names. */
export function useOrganization(): Organization {
  const { organizationId } = useParams({ strict: false });
  const organization = useSuspenseQuery(organizationsQuery).data.find(({ id }) => id === organizationId);
  if (!organization) throw notFound({ routeId: '/signed-in/o/$organizationId' });
  return organization;
}

/** A list of an organization that the tree shows, whole. */
const ofTree = <Item>(organizationId: string, part: string, read: (page?: string) => Promise<ListPage<Item>>) =>
  queryOptions({
    queryKey: ['organization', organizationId, part],
    staleTime: SLOWLY,
    queryFn: () => readAll(read),
  });

/** All spaces of an organization that the person can see. */
export const spacesQuery = (organizationId: string) =>
  ofTree(organizationId, 'spaces', (page) =>
    get('/v1/orgs/{organizationId}/spaces', { organizationId }, { page, limit: WHOLE }),
  );

/** All collections of an organization that the person can see. */
export const collectionsQuery = (organizationId: string) =>
  ofTree(organizationId, 'collections', (page) =>
    get('/v1/orgs/{organizationId}/collections', { organizationId }, { page, limit: WHOLE }),
  );

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

export type SpaceHit = Schemas['SpaceHit'];
export type SearchHit = Schemas['SearchHit'];

/** The header that puts translations in the language of the reader first. */
const LANGUAGE = { 'accept-language': navigator.languages.join(',') };

/** One page of what a search of the organization finds, by space. */
export const searchPage = (organizationId: string, query: string, page?: string, limit?: number) =>
  get('/v1/orgs/{organizationId}/search', { organizationId }, { query, page, limit }, LANGUAGE);

/** The first spaces with their best pages. */
export const searchQuery = (organizationId: string, query: string, limit: number) =>
  queryOptions({
    queryKey: ['search', organizationId, query, limit],
    queryFn: () => searchPage(organizationId, query, undefined, limit),
  });

const LAST = 'bindery.organization';

/** The organization of the screen, else the one of the last screen, else the first. */
export function useLastOrganization(): Organization | undefined {
  const { organizationId } = useParams({ strict: false });
  const { data: organizations } = useQuery(organizationsQuery);
  useEffect(() => {
    if (organizationId !== undefined) localStorage.setItem(LAST, organizationId);
  }, [organizationId]);
  return chosenOrganization(organizations ?? [], organizationId);
}

/** The organization that is open, or was last. */
export function chosenOrganization(
  organizations: readonly Organization[],
  organizationId = localStorage.getItem(LAST) ?? undefined,
): Organization | undefined {
  return organizations.find(({ id }) => id === organizationId) ?? organizations[0];
}
