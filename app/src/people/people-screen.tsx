import { texts } from '../texts/en.js';
import { ScreenFrame, ScreenTabs, EmptyScreen } from '../ui/screens.js';
import { Invitations, InviteLinks } from './invitations.js';
import { Members } from './members.js';
import { useOrganization } from './queries.js';

const words = texts.people.people;

export function PeopleScreen() {
  const organization = useOrganization();
  const { id, permissions } = organization;
  if (!permissions.listMembers) return <EmptyScreen title={words.title} text={words.hidden} />;
  const contents = {
    members: <Members />,
    invitations: <Invitations organizationId={id} />,
    links: <InviteLinks />,
  };
  return (
    <ScreenFrame title={words.title}>
      {permissions.admin ? <ScreenTabs labels={words.tabs} contents={contents} /> : contents.members}
    </ScreenFrame>
  );
}
