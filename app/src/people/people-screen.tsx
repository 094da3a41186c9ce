import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { ScreenFrame } from '../ui/screen-frame.js';
import { ScreenTabs } from '../ui/screen-tabs.js';
import { EmptyScreen } from '../ui/screens.js';
import { Invitations } from './invitations.js';
import { InviteLinks } from './invite-links.js';
import { Members } from './members.js';
import { ofOrganization, type OrganizationProps } from './of-organization.js';

const words = texts.people.people;

function People({ organization }: OrganizationProps): ReactNode {
  const { id, permissions } = organization;
  if (!permissions.listMembers) return <EmptyScreen title={words.title} text={words.hidden} />;
  const contents = {
    members: <Members organization={organization} />,
    invitations: <Invitations organizationId={id} />,
    links: <InviteLinks organization={organization} />,
  };
  return (
    <ScreenFrame title={words.title}>
      {permissions.admin ? <ScreenTabs labels={words.tabs} contents={contents} /> : contents.members}
    </ScreenFrame>
  );
}

export const peopleScreen = createLazyRoute('/signed-in/o/$organizationId/people')({
  component: ofOrganization(People),
});
