import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { Loaded } from '../ui/loaded.js';
import { NotFoundScreen } from '../ui/screens.js';
import { organizationsQuery, type Organization } from './queries.js';

export type OrganizationProps = Readonly<{ organization: Organization }>;

/** A screen of the organization that the address names. */
export function ofOrganization(Screen: ComponentType<OrganizationProps>): () => ReactNode {
  return function OfOrganization(): ReactNode {
    const { organizationId } = useParams({ strict: false });
    return (
      <Loaded query={useQuery(organizationsQuery)}>
        {(all) => {
          const organization = all.find(({ id }) => id === organizationId);
          return organization ? <Screen organization={organization} /> : <NotFoundScreen />;
        }}
      </Loaded>
    );
  };
}
