import { Alert, FileButton, Group, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, readAll, type Schemas } from '../../api/client.js';
import type { Role } from '../../people/queries.js';
import { RoleSelect } from '../../people/role-select.js';
import { settingsTexts } from '../../texts/settings.js';
import { SecondaryButton } from '../../ui/buttons.js';
import { NEW_CHOICE, TextAreaField, TextField, useFieldFaults, useText } from '../../ui/forms.js';
import { MOST_METADATA, readMetadata } from './metadata.js';
import type { Provider } from './queries.js';

const words = settingsTexts.sso;
const MOST_LABEL = 30;
/** The service shows this in the place of an address that is not given yet. */
const NO_ADDRESS = 'about:blank';

/** The state of the fields of an identity provider; `values` has those that differ from it. */
export function useProviderFields(provider?: Provider) {
  const first = {
    label: provider?.label ?? '',
    entityID: provider?.entityID ?? '',
    ssoURL: provider?.ssoURL === NO_ADDRESS ? '' : (provider?.ssoURL ?? ''),
    certificate: provider?.certificate ?? '',
  };
  const [texts, setTexts] = useState(first);
  const [role, setRole] = useState<Role>(provider?.defaultRole ?? null);
  const [team, setTeam] = useState(provider?.defaultTeam?.id ?? null);
  const { at, noting } = useFieldFaults();
  const changed = Object.fromEntries(
    (Object.keys(first) as (keyof typeof first)[])
      .map((name) => [name, texts[name].trim()] as const)
      .filter(([name, value]) => value !== first[name] && value !== ''),
  );
  const values: Schemas['UpdateSamlProvider'] = {
    ...changed,
    ...(role !== (provider?.defaultRole ?? null) && { defaultRole: role }),
    ...(team !== (provider?.defaultTeam?.id ?? null) && { defaultTeam: team }),
  };
  return { values, label: texts.label.trim(), noting, fields: { texts, setTexts, role, setRole, team, setTeam, at } };
}

type ProviderFieldsProps = ReturnType<typeof useProviderFields>['fields'] & Readonly<{ organizationId: string }>;

/** Asks by which settings an identity provider signs people in, and what becomes of new ones. */
export function ProviderFields({ organizationId, texts, setTexts, at, ...more }: ProviderFieldsProps) {
  const set = (name: keyof typeof texts) => ({
    label: words.fields[name],
    value: texts[name],
    error: at(name),
    onText: (text: string) => setTexts({ ...texts, [name]: text }),
  });
  return (
    <Stack gap="sm">
      <TextField {...set('label')} description={words.labelHelp} maxLength={MOST_LABEL} required />
      <FromMetadata onRead={(read) => setTexts({ ...texts, ...read })} />
      <TextField {...set('entityID')} maxLength={1024} dir="ltr" />
      <TextField {...set('ssoURL')} type="url" maxLength={2048} dir="ltr" />
      <TextAreaField {...set('certificate')} description={words.certificateHelp} isSource minRows={3} maxRows={8} />
      <NewPeople organizationId={organizationId} at={at} {...more} />
    </Stack>
  );
}

type NewPeopleProps = Omit<ProviderFieldsProps, 'texts' | 'setTexts'>;

function NewPeople({ organizationId, role, setRole, team, setTeam, at }: NewPeopleProps) {
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

/** Fills the fields from the metadata of the identity provider, as a file or as text. */
function FromMetadata({ onRead }: Readonly<{ onRead: (read: NonNullable<ReturnType<typeof readMetadata>>) => void }>) {
  const pasted = useText();
  const [state, setState] = useState<'read' | 'unreadable'>();
  const take = (xml: string): void => {
    const read = readMetadata(xml);
    if (read) onRead(read);
    setState(read ? 'read' : 'unreadable');
  };
  const open = async (file: File | null): Promise<void> => {
    if (file) take(file.size > MOST_METADATA ? '' : await file.text());
  };
  return (
    <Stack gap="xs">
      <TextAreaField
        {...pasted}
        label={words.metadata}
        description={words.metadataHelp}
        isSource
        maxRows={4}
        onText={(xml) => {
          pasted.onText(xml);
          if (xml.trim() === '') setState(undefined);
          else take(xml);
        }}
      />
      <Group>
        <FileButton
          accept=".xml,application/samlmetadata+xml,application/xml,text/xml"
          onChange={(file) => void open(file)}
          inputProps={NEW_CHOICE}
        >
          {(props) => <SecondaryButton {...props} label={words.metadataFile} size="xs" />}
        </FileButton>
      </Group>
      {state && (
        <Alert color={state === 'read' ? 'green' : 'red'} role={state === 'read' ? 'status' : 'alert'}>
          {words.metadataStates[state]}
        </Alert>
      )}
    </Stack>
  );
}
