import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { get, readAll, type ListPage, type Schemas } from '../api/client.js';
import { hasScreens, type ScreenPlace } from './places.js';

export type ModuleScreen = Schemas['ModuleScreenBody'];

/** The thing at which screens of modules are shown: a site, a space, an organization or, without any, the account. */
export interface ScreenSubject {
  readonly organizationId?: string | undefined;
  readonly spaceId?: string | undefined;
  readonly siteId?: string | undefined;
}

function placeOf({ organizationId, spaceId, siteId }: ScreenSubject): ScreenPlace {
  if (siteId !== undefined) return 'site';
  if (spaceId !== undefined) return 'space';
  return organizationId === undefined ? 'account' : 'organization';
}

function readPage(subject: ScreenSubject, page: string | undefined): Promise<ListPage<ModuleScreen>> {
  const { organizationId = '', spaceId = '', siteId = '' } = subject;
  switch (placeOf(subject)) {
    case 'site':
      return get('/v1/orgs/{organizationId}/sites/{siteId}/screens', { organizationId, siteId }, { page });
    case 'space':
      return get('/v1/spaces/{spaceId}/screens', { spaceId }, { page });
    case 'organization':
      return get('/v1/orgs/{organizationId}/screens', { organizationId }, { page });
    case 'account':
      return get('/v1/user/screens', {}, { page });
  }
}

const SLOWLY = 60_000;
/** The beginning of the keys of all lists of screens. */
export const SCREENS = ['module-screens'] as const;

/** The screens of modules that the person may see at a place; where there cannot be any, nothing is asked. */
export function useModuleScreens(
  subject: ScreenSubject,
): Pick<UseQueryResult<readonly ModuleScreen[]>, 'data' | 'error' | 'refetch'> {
  const { organizationId, spaceId, siteId } = subject;
  const isAsked = hasScreens(placeOf(subject)) && ![organizationId, spaceId, siteId].includes('');
  const { data, error, refetch } = useQuery({
    queryKey: [...SCREENS, organizationId, spaceId, siteId],
    enabled: isAsked,
    staleTime: SLOWLY,
    queryFn: () => readAll((page) => readPage(subject, page)),
  });
  return { data: isAsked ? data : [], error, refetch };
}
