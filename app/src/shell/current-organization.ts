import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { organizationsQuery, type Organization } from '../people/queries.js';

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
