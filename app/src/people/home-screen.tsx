import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { chosenOrganization } from '../shell/current-organization.js';
import { texts } from '../texts/en.js';
import { Loaded } from '../ui/loaded.js';
import { EmptyScreen } from '../ui/screens.js';
import { organizationsQuery } from './queries.js';

/** Leads to the organization that was open last. */
function Home(): ReactNode {
  const organizations = useQuery(organizationsQuery);
  return (
    <Loaded query={organizations}>
      {(all) => {
        const organization = chosenOrganization(all);
        if (organization)
          return <Navigate to="/o/$organizationId" params={{ organizationId: organization.id }} replace />;
        return <EmptyScreen title={texts.people.home.none} text={texts.people.home.noneText} />;
      }}
    </Loaded>
  );
}

export const homeScreen = createLazyRoute('/signed-in/')({ component: Home });
