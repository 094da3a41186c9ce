import { Badge, MultiSelect, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { get, queries, send, useList } from '../../api/client.js';
import { useCandidates } from '../../people/candidates.js';
import { organizationsQuery, useOrganization, type OrganizationProps } from '../../people/queries.js';
import { roleName } from '../../people/role-select.js';
import { settingsTexts } from '../../texts/settings.js';
import { Button, CopyField, TextLink } from '../../ui/buttons.js';
import { changing, FlagField, FormDialog, useChange } from '../../ui/forms.js';
import { EmptyScreen, Note, Section } from '../../ui/screens.js';
import { ListTable } from '../../ui/tables.js';
import { ProviderFields, useProviderFields } from './provider-fields.js';
import { PROVIDERS, providersKey, type Provider } from './queries.js';

const words = settingsTexts.sso;

/** The identity providers of an organization, who has to use them, and how they provision people. */
export function SingleSignOn() {
  const organization = useOrganization();
  return (
    <Stack>
      <Providers organization={organization} />
      <Enforcement organization={organization} />
      <Members organization={organization} />
      <Section title={words.scim}>
        <Note>{words.scimText}</Note>
        <CopyField label={words.scimAddress} value={`${location.origin}/v1/orgs/${organization.id}/scim/v2`} />
        <TextLink label={words.scimToken} size="sm" to="/account" search={{ tab: 'tokens' }} />
      </Section>
    </Stack>
  );
}

export function ProviderBadge({ status }: Pick<Provider, 'status'>) {
  return <Badge color={status === 'active' ? 'green' : 'yellow'}>{words.statuses[status]}</Badge>;
}

function Providers({ organization: { id: organizationId } }: OrganizationProps) {
  const [isNew, setNew] = useState(false);
  const providers = useList<Provider>([...providersKey(organizationId), 'list'], (page) =>
    get(PROVIDERS, { organizationId }, { page }),
  );
  return (
    <Section title={words.providers} actions={<Button label={words.add} onClick={() => setNew(true)} />}>
      <ListTable
        query={providers}
        minWidth={320}
        empty={<EmptyScreen title={words.none} text={words.noneText} />}
        columns={[
          {
            heading: words.fields.label,
            cell: ({ id, label }) => (
              <TextLink
                label={<bdi>{label}</bdi>}
                to="/o/$organizationId/settings/sso/$samlProviderId"
                params={{ organizationId, samlProviderId: id }}
              />
            ),
          },
          { heading: words.status, cell: ({ status }) => <ProviderBadge status={status} /> },
          { heading: words.defaultRole, cell: ({ defaultRole }) => roleName(defaultRole) },
        ]}
      />
      {isNew && <NewProvider organizationId={organizationId} onClose={() => setNew(false)} />}
    </Section>
  );
}

function NewProvider({ organizationId, onClose }: Readonly<{ organizationId: string; onClose: () => void }>) {
  const navigate = useNavigate();
  const { values, label, noting, fields } = useProviderFields();
  const make = async (): Promise<void> => {
    const { id: samlProviderId } = await send('post', PROVIDERS, { organizationId }, { ...values, label });
    await navigate({
      to: '/o/$organizationId/settings/sso/$samlProviderId',
      params: { organizationId, samlProviderId },
    });
  };
  return (
    <FormDialog
      title={words.add}
      text={words.addText}
      action={words.addAction}
      size="lg"
      disabled={label === ''}
      onSubmit={noting(changing(make, { refresh: providersKey(organizationId) }))}
      onClose={onClose}
    >
      <ProviderFields organizationId={organizationId} {...fields} />
    </FormDialog>
  );
}

/** The switch that makes members sign in through a provider. */
function Enforcement({ organization: { id: organizationId, sso } }: OrganizationProps) {
  const change = useChange(
    async (isOn: boolean) => {
      await send('patch', '/v1/orgs/{organizationId}', { organizationId }, { sso: isOn });
      await queries.invalidateQueries(organizationsQuery);
    },
    { done: settingsTexts.saved },
  );
  return (
    <Section title={words.enforcement}>
      <FlagField
        label={words.enforce}
        description={words.enforceHelp}
        checked={change.isPending ? change.variables : sso}
        disabled={change.isPending}
        onFlag={change.mutate}
      />
    </Section>
  );
}

/** Lets members who have an account already sign in through a provider. */
function Members({ organization: { id: organizationId } }: OrganizationProps) {
  const { ids, clear, field } = useCandidates(organizationId, 'users');
  const mark = useChange(
    async () => {
      for (const userId of ids)
        await send('post', '/v1/orgs/{organizationId}/members/{userId}/sso', { organizationId, userId });
    },
    { refresh: ['members', organizationId], done: words.marked(ids.length) },
  );
  return (
    <Section title={words.members}>
      <Note>{words.membersText}</Note>
      <form action={() => mark.mutate(undefined, { onSuccess: clear })}>
        <Stack gap="sm" align="flex-start">
          <MultiSelect {...field} label={words.membersField} w="100%" />
          <Button label={words.mark} type="submit" disabled={ids.length === 0} loading={mark.isPending} />
        </Stack>
      </form>
    </Section>
  );
}
