import { Alert, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { get, send, type Schemas } from '../api/client.js';
import { useList } from '../api/pages.js';
import { texts } from '../texts/en.js';
import { ActionButton } from '../ui/action-button.js';
import { CopyAction } from '../ui/copy-field.js';
import { ListTable } from '../ui/list-table.js';
import { EmptyScreen } from '../ui/screens.js';
import type { OrganizationProps } from './of-organization.js';
import type { Role } from './queries.js';
import { RoleSelect, roleName } from './role-select.js';

type InviteLink = Schemas['InviteLinkBody'];

const LINKS = '/v1/orgs/{organizationId}/link-invites';
const words = texts.people.links;

/** Links by which people join an organization by themselves. */
export function InviteLinks({ organization }: OrganizationProps): ReactNode {
  const organizationId = organization.id;
  const key = ['invite-links', organizationId];
  const [role, setRole] = useState<Role>('read');
  const links = useList<InviteLink>(key, (page) => get(LINKS, { organizationId }, { page }));
  const buttons = ({ id }: InviteLink): ReactNode => (
    <Group gap="xs" justify="flex-end">
      <CopyAction label={words.copy} value={new URL(`join/${organizationId}/${id}`, document.baseURI).href} />
      <ActionButton
        size="xs"
        action={() => send('delete', `${LINKS}/{inviteId}`, { organizationId, inviteId: id })}
        refresh={key}
        done={words.removed}
      >
        {texts.common.delete}
      </ActionButton>
    </Group>
  );
  return (
    <Stack>
      <Text c="dimmed">{words.text}</Text>
      {!organization.inviteLinks && <Alert color="yellow">{words.off}</Alert>}
      <Group align="flex-end">
        <RoleSelect label={texts.people.people.role} value={role} onChange={setRole} />
        <ActionButton variant="filled" action={() => send('post', LINKS, { organizationId }, { role })} refresh={key}>
          {words.make}
        </ActionButton>
      </Group>
      <ListTable
        query={links}
        minWidth={320}
        empty={<EmptyScreen title={words.none} text={words.noneText} />}
        columns={[
          { heading: words.opens, cell: ({ space, collection }) => (space ?? collection ?? organization).title },
          {
            heading: texts.people.people.role,
            cell: (link) => roleName(link.space || link.collection ? link.level : link.role),
          },
          { heading: texts.people.people.actions, isButtons: true, cell: buttons },
        ]}
      />
    </Stack>
  );
}
