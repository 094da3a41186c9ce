import { Box, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../../api/client.js';
import { useOrganization } from '../../people/queries.js';
import { texts } from '../../texts/en.js';
import { settingsTexts } from '../../texts/settings.js';
import { Button, CopyField, TextLink } from '../../ui/buttons.js';
import { ActionButton, useChange } from '../../ui/forms.js';
import { EmptyScreen, Loaded, Note, ScreenFrame, Section } from '../../ui/screens.js';
import { LoginTesting } from './login-testing.js';
import { ProviderFields, useProviderFields } from './provider-fields.js';
import { PROVIDER, providerQuery, providersKey, type Provider, type ProviderPlace } from './queries.js';
import { ProviderBadge } from './single-sign-on.js';

const words = settingsTexts.sso;

/** One identity provider: what it needs to know, a test login, and its settings. */
export function ProviderScreen() {
  const place = useParams({ from: '/signed-in/o/$organizationId/settings/sso/$samlProviderId' });
  const { permissions } = useOrganization();
  if (!permissions.admin) return <EmptyScreen order={1} title={words.title} text={settingsTexts.hidden} />;
  return <OneProvider key={place.samlProviderId} place={place} />;
}

type PlaceProps = Readonly<{ place: ProviderPlace }>;

function OneProvider({ place }: PlaceProps) {
  const found = useQuery(providerQuery(place));
  // Typed text stays when somebody else changes the provider; the form begins anew with each save.
  const [saves, setSaves] = useState(0);
  const { test } = useSearch({ from: '/signed-in/o/$organizationId/settings/sso/$samlProviderId' });
  return (
    <Loaded query={found}>
      {({ body: provider, etag }) => (
        <ScreenFrame
          title={provider.label}
          above={
            <Box mb="sm">
              <TextLink
                label={words.title}
                size="sm"
                to="/o/$organizationId/settings"
                params={place}
                search={{ tab: 'sso' }}
              />
            </Box>
          }
          actions={
            <Group gap="xs">
              <ProviderBadge status={provider.status} />
              <Remove place={place} label={provider.label} />
            </Group>
          }
        >
          <Stack>
            <Section title={words.service}>
              <Note>{words.serviceText}</Note>
              <CopyField label={words.acsURL} value={provider.service.acsURL} />
              <CopyField label={words.audience} value={provider.service.entityID} />
              <CopyField label={words.startURL} value={provider.service.startURL} />
              <Note>{words.mapping}</Note>
            </Section>
            <LoginTesting place={place} provider={provider} testId={test} />
            <Section title={words.settings}>
              <Settings key={saves} provider={provider} etag={etag} place={place} onSaved={() => setSaves(saves + 1)} />
            </Section>
          </Stack>
        </ScreenFrame>
      )}
    </Loaded>
  );
}

function Remove({ place, label }: PlaceProps & Readonly<{ label: string }>) {
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await send('delete', PROVIDER, place);
    await navigate({ to: '/o/$organizationId/settings', params: place, search: { tab: 'sso' } });
  };
  return (
    <ActionButton
      label={texts.common.delete}
      color="red"
      ask={{ title: words.removeTitle(label), text: words.removeText, action: texts.common.delete, color: 'red' }}
      action={remove}
      refresh={[...providersKey(place.organizationId), 'list']}
      done={words.removed(label)}
    />
  );
}

type SettingsProps = PlaceProps & Readonly<{ provider: Provider; etag: string; onSaved: () => void }>;

function Settings({ provider, etag, place, onSaved }: SettingsProps) {
  const { values, label, noting, fields } = useProviderFields(provider);
  const save = useChange(
    noting(() => send('patch', PROVIDER, place, values, { headers: { 'If-Match': etag } })),
    { refresh: providersKey(place.organizationId), done: settingsTexts.saved },
  );
  const isUnchanged = Object.keys(values).length === 0 || label === '';
  return (
    <form action={() => save.mutate(undefined, { onSuccess: onSaved })}>
      <Stack>
        <ProviderFields organizationId={place.organizationId} {...fields} />
        <Note>{words.pendingAgain}</Note>
        <Group>
          <Button label={texts.common.save} type="submit" disabled={isUnchanged} loading={save.isPending} />
        </Group>
      </Stack>
    </form>
  );
}
