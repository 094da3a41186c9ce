import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { Loaded } from '../ui/loaded.js';
import { ScreenFrame } from '../ui/screen-frame.js';
import { EmptyScreen, NotFoundScreen } from '../ui/screens.js';
import { Invitations } from './invitations.js';
import { InviteLinks } from './invite-links.js';
import { Members } from './members.js';
import { organizationsQuery, type Organization } from './queries.js';

const words = texts.people.people;
const TABS = ['members', 'invitations', 'links'] as const;

function People(): ReactNode {
  const { organizationId } = peopleScreen.useParams();
  const organizations = useQuery(organizationsQuery);
  return (
    <Loaded query={organizations}>
      {(all) => {
        const organization = all.find(({ id }) => id === organizationId);
        if (!organization) return <NotFoundScreen />;
        if (!organization.permissions.listMembers) return <EmptyScreen title={words.title} text={words.hidden} />;
        return <PeopleOf organization={organization} />;
      }}
    </Loaded>
  );
}

function PeopleOf({ organization }: { readonly organization: Organization }): ReactNode {
  const { tab: given } = peopleScreen.useSearch();
  const navigate = peopleScreen.useNavigate();
  const isAdmin = organization.permissions.admin;
  const tab = (isAdmin && TABS.find((known) => known === given)) || 'members';
  if (!isAdmin)
    return (
      <ScreenFrame title={words.title}>
        <Members organization={organization} />
      </ScreenFrame>
    );
  return (
    <ScreenFrame title={words.title}>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => void navigate({ search: value === null ? {} : { tab: value }, replace: true })}
      >
        <Tabs.List mb="lg">
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {words.tabs[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="members">
          <Members organization={organization} />
        </Tabs.Panel>
        <Tabs.Panel value="invitations">
          <Invitations organizationId={organization.id} />
        </Tabs.Panel>
        <Tabs.Panel value="links">
          <InviteLinks organization={organization} />
        </Tabs.Panel>
      </Tabs>
    </ScreenFrame>
  );
}

export const peopleScreen = createLazyRoute('/signed-in/o/$organizationId/people')({ component: People });
