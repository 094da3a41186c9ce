import { Alert, Button, CopyButton, Group, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answered, api, type Schemas } from '../api/client.js';
import { nextPage } from '../api/pages.js';
import { queries } from '../api/query-client.js';
import { texts } from '../texts/en.js';
import { HiddenHeading } from '../ui/hidden-heading.js';
import { LoadedList } from '../ui/loaded.js';
import { EmptyScreen } from '../ui/screens.js';
import { showDone } from '../ui/toasts.js';
import type { Organization, Role } from './queries.js';
import { RoleSelect } from './role-select.js';

type InviteLink = Schemas['InviteLinkBody'];

const words = texts.people.links;

/** Links by which people join an organization by themselves. */
export function InviteLinks({ organization }: { readonly organization: Organization }): ReactNode {
  const organizationId = organization.id;
  const [role, setRole] = useState<Role>('read');
  const links = useInfiniteQuery({
    queryKey: ['invite-links', organizationId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: page }) =>
      answered(
        api.GET('/v1/orgs/{organizationId}/link-invites', { params: { path: { organizationId }, query: { page } } }),
      ),
    getNextPageParam: nextPage<InviteLink>,
  });
  const make = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/v1/orgs/{organizationId}/link-invites', { params: { path: { organizationId } }, body: { role } }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invite-links', organizationId] }),
  });
  return (
    <Stack>
      <Text c="dimmed">{words.text}</Text>
      {!organization.inviteLinks && <Alert color="yellow">{words.off}</Alert>}
      <Group align="flex-end">
        <RoleSelect label={texts.people.people.role} value={role} onChange={setRole} />
        <Button loading={make.isPending} onClick={() => make.mutate()}>
          {words.make}
        </Button>
      </Group>
      <LoadedList query={links} empty={<EmptyScreen title={words.none} text={words.noneText} />}>
        {(items) => (
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.opens}</Table.Th>
                <Table.Th>{texts.people.people.role}</Table.Th>
                <HiddenHeading>{texts.people.people.actions}</HiddenHeading>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map((link) => (
                <LinkRow key={link.id} organization={organization} link={link} />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </LoadedList>
    </Stack>
  );
}

interface LinkRowProps {
  readonly organization: Organization;
  readonly link: InviteLink;
}

function LinkRow({ organization, link }: LinkRowProps): ReactNode {
  const { id, space, collection } = link;
  const organizationId = organization.id;
  const role = space || collection ? link.level : link.role;
  const remove = useMutation({
    mutationFn: () =>
      answered(
        api.DELETE('/v1/orgs/{organizationId}/link-invites/{inviteId}', {
          params: { path: { organizationId, inviteId: id } },
        }),
      ),
    onSuccess: async () => {
      showDone(words.removed);
      await queries.invalidateQueries({ queryKey: ['invite-links', organizationId] });
    },
  });
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        {space?.title ?? collection?.title ?? organization.title}
      </Table.Th>
      <Table.Td>{texts.people.roles[role ?? 'guest']}</Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end">
          <CopyButton value={new URL(`join/${organizationId}/${id}`, document.baseURI).href}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? texts.people.copied : words.copy}
              </Button>
            )}
          </CopyButton>
          <Button size="xs" variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
            {texts.common.delete}
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
