import { Badge, MultiSelect, Select, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queries, send, useList } from '../../api/client.js';
import { useCandidates } from '../../people/candidates.js';
import { organizationsQuery, useOrganization, type OrganizationProps } from '../../people/queries.js';
import { roleName } from '../../people/role-select.js';
import { settingsTexts } from '../../texts/settings.js';
import { Button, CopyField, TextLink } from '../../ui/buttons.js';
import { changing, FlagField, FormDialog, useChange } from '../../ui/forms.js';
import { EmptyScreen, Note, Section } from '../../ui/screens.js';
import { ListTable } from '../../ui/tables.js';
import { ProviderFields, useProviderFields } from './provider-fields.js';
import {
  isProtocol,
  PATHS,
  PROTOCOLS,
  protocolOf,
  providersKey,
  readProviders,
  type Protocol,
  type Provider,
} from './queries.js';
import { missingIn } from './settings-fields.js';

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

export function ProviderBadge({ provider }: Readonly<{ provider: Provider }>) {
  const state = missingIn(provider).length > 0 ? 'incomplete' : provider.status;
  return <Badge color={state === 'active' ? 'green' : 'yellow'}>{words.statuses[state]}</Badge>;
}

function Providers({ organization: { id: organizationId } }: OrganizationProps) {
  const [isNew, setNew] = useState(false);
  const providers = useList<Provider>([...providersKey(organizationId), 'list'], () => readProviders(organizationId));
  return (
    <Section title={words.providers} actions={<Button label={words.add} onClick={() => setNew(true)} />}>
      <ListTable
        query={providers}
        empty={<EmptyScreen title={words.none} text={words.noneText} />}
        columns={[
          {
            heading: words.fields.label,
            cell: (provider) => (
              <TextLink
                label={<bdi>{provider.label}</bdi>}
                to="/o/$organizationId/settings/sso/$protocol/$providerId"
                params={{ organizationId, protocol: protocolOf(provider), providerId: provider.id }}
              />
            ),
          },
          { heading: words.protocol, cell: (provider) => words.protocols[protocolOf(provider)] },
          { heading: words.status, cell: (provider) => <ProviderBadge provider={provider} /> },
          { heading: words.defaultRole, cell: ({ defaultRole }) => roleName(defaultRole) },
        ]}
      />
      {isNew && <NewProvider organizationId={organizationId} onClose={() => setNew(false)} />}
    </Section>
  );
}

function NewProvider({ organizationId, onClose }: Readonly<{ organizationId: string; onClose: () => void }>) {
  const navigate = useNavigate();
  const [protocol, setProtocol] = useState<Protocol>('saml');
  const { values, label, noting, fields } = useProviderFields(protocol);
  const make = async (): Promise<void> => {
    const { id } = await send('post', PATHS[protocol].providers, { organizationId }, { ...values, label });
    await navigate({
      to: '/o/$organizationId/settings/sso/$protocol/$providerId',
      params: { organizationId, protocol, providerId: id },
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
      <Select
        label={words.protocol}
        description={words.protocolHelp}
        data={PROTOCOLS.map((value) => ({ value, label: words.protocols[value] }))}
        value={protocol}
        onChange={(chosen) => chosen !== null && isProtocol(chosen) && setProtocol(chosen)}
        allowDeselect={false}
      />
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
