import { Group, Select, Stack, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, readAll, type Schemas } from '../../api/client.js';
import type { Role } from '../../people/queries.js';
import { RoleSelect } from '../../people/role-select.js';
import { settingsTexts } from '../../texts/settings.js';
import { TextAreaField, TextField, useFieldFaults } from '../../ui/forms.js';
import { FromMetadata } from './metadata-field.js';
import type { Protocol, Provider } from './queries.js';
import {
  LIST_NAMES,
  listsOf,
  MOST_ITEMS,
  TEXT_NAMES,
  textsOf,
  type ListName,
  type TextName,
} from './settings-fields.js';

const words = settingsTexts.sso;
const MOST_LABEL = 30;

/** The state of the fields of an identity provider; `values` has those that differ from it. */
export function useProviderFields(protocol: Protocol, provider?: Provider) {
  const first = { label: provider?.label ?? '', ...textsOf(provider) };
  const firstLists = listsOf(provider);
  const [texts, setTexts] = useState(first);
  const [lists, setLists] = useState(firstLists);
  const [role, setRole] = useState<Role>(provider?.defaultRole ?? null);
  const [team, setTeam] = useState(provider?.defaultTeam?.id ?? null);
  const { at, noting } = useFieldFaults();
  const names = ['label', ...TEXT_NAMES[protocol]] as const;
  const changed = names
    .map((name) => [name, texts[name].trim()] as const)
    .filter(([name, value]) => value !== first[name] && value !== '');
  const changedLists = LIST_NAMES[protocol]
    .map((name) => [name, lists[name]] as const)
    .filter(([name, items]) => items.join('\n') !== firstLists[name].join('\n'));
  const values: Schemas['UpdateSamlProvider'] & Schemas['UpdateOidcProvider'] = {
    ...Object.fromEntries<string | readonly string[]>([...changed, ...changedLists]),
    ...(role !== (provider?.defaultRole ?? null) && { defaultRole: role }),
    ...(team !== (provider?.defaultTeam?.id ?? null) && { defaultTeam: team }),
  };
  const hasSecret = provider?.object === 'oidc-provider' && provider.hasClientSecret;
  const fields = { protocol, hasSecret, texts, setTexts, lists, setLists, role, setRole, team, setTeam, at };
  return { values, label: texts.label.trim(), noting, fields };
}

type ProviderFieldsProps = ReturnType<typeof useProviderFields>['fields'] & Readonly<{ organizationId: string }>;

/** Asks by which settings an identity provider signs people in, and what becomes of new ones. */
export function ProviderFields(props: ProviderFieldsProps) {
  const { protocol, texts, setTexts, at } = props;
  const set = (name: keyof typeof texts) => ({
    label: words.fields[name],
    value: texts[name],
    error: at(name),
    onText: (text: string) => setTexts({ ...texts, [name]: text }),
  });
  return (
    <Stack gap="sm">
      <TextField {...set('label')} description={words.labelHelp} maxLength={MOST_LABEL} required />
      {protocol === 'saml' ? (
        <>
          <FromMetadata onRead={(read) => setTexts({ ...texts, ...read })} />
          <TextField {...set('entityID')} maxLength={1024} dir="ltr" />
          <TextField {...set('ssoURL')} type="url" maxLength={2048} dir="ltr" />
          <TextAreaField {...set('certificate')} description={words.certificateHelp} isSource minRows={3} maxRows={8} />
        </>
      ) : (
        <ClientFields {...props} set={set} />
      )}
      <NewPeople {...props} />
    </Stack>
  );
}

type ClientFieldsProps = ProviderFieldsProps & Readonly<{ set: (name: TextName) => Parameters<typeof TextField>[0] }>;

/** The settings of OpenID Connect. */
function ClientFields({ hasSecret, lists, setLists, at, set }: ClientFieldsProps) {
  const list = (name: ListName) => ({
    label: words.fields[name],
    value: [...lists[name]],
    error: at(name),
    maxTags: MOST_ITEMS[name],
    splitChars: [',', ' '],
    dir: 'ltr',
    onChange: (items: string[]) => setLists({ ...lists, [name]: items }),
  });
  return (
    <>
      <TextField {...set('issuer')} description={words.issuerHelp} type="url" maxLength={2048} dir="ltr" />
      <TextField {...set('clientID')} maxLength={1024} dir="ltr" autoComplete="off" />
      <TextField
        {...set('clientSecret')}
        description={words.secretHelp(hasSecret)}
        type="password"
        maxLength={1024}
        dir="ltr"
        autoComplete="new-password"
      />
      <TagsInput {...list('scopes')} description={words.scopesHelp} />
      <TagsInput {...list('emailDomains')} description={words.emailDomainsHelp} />
    </>
  );
}

function NewPeople({ organizationId, role, setRole, team, setTeam, at }: ProviderFieldsProps) {
  const { data: teams = [] } = useQuery({
    queryKey: ['teams', organizationId, 'all'],
    queryFn: () =>
      readAll<Schemas['TeamBody']>((page) =>
        get('/v1/orgs/{organizationId}/teams', { organizationId }, { page, limit: 1000 }),
      ),
  });
  return (
    <Group align="flex-start">
      <RoleSelect label={words.defaultRole} value={role} onChange={setRole} />
      <Select
        label={words.defaultTeam}
        placeholder={words.noTeam}
        data={teams.map(({ id, title }) => ({ value: id, label: title }))}
        value={team}
        error={at('defaultTeam')}
        onChange={setTeam}
        searchable
        clearable
      />
    </Group>
  );
}
