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
import { EmptyScreen, Loaded, NotFoundScreen, Note, ScreenFrame, Section } from '../../ui/screens.js';
import { LoginTesting } from './login-testing.js';
import { ProviderFields, useProviderFields } from './provider-fields.js';
import { isProtocol, named, PATHS, providerQuery, providersKey, type Provider, type ProviderPlace } from './queries.js';
import { ProviderBadge } from './single-sign-on.js';

const words = settingsTexts.sso;

const ROUTE = '/signed-in/o/$organizationId/settings/sso/$protocol/$providerId';

/** One identity provider: what it needs to know, a test login, and its settings. */
export function ProviderScreen() {
  const { organizationId, protocol, providerId } = useParams({ from: ROUTE });
  const { permissions } = useOrganization();
  if (!permissions.admin) return <EmptyScreen order={1} title={words.title} text={settingsTexts.hidden} />;
  if (!isProtocol(protocol)) return <NotFoundScreen />;
  return <OneProvider key={providerId} place={{ organizationId, protocol, providerId }} />;
}

type PlaceProps = Readonly<{ place: ProviderPlace }>;

function OneProvider({ place }: PlaceProps) {
  const found = useQuery(providerQuery(place));
  // Typed text stays when somebody else changes the provider; the form begins anew with each save.
  const [saves, setSaves] = useState(0);
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
              <ProviderBadge provider={provider} />
              <Remove place={place} label={provider.label} />
            </Group>
          }
        >
          <Stack>
            <Section title={words.service}>
              <Note>{words.serviceText}</Note>
              {addressesOf(provider).map(([label, value]) => (
                <CopyField key={label} label={label} value={value} />
              ))}
              <Note>{words.mapping[place.protocol]}</Note>
            </Section>
            <Settings key={saves} provider={provider} etag={etag} place={place} onSaved={() => setSaves(saves + 1)} />
          </Stack>
        </ScreenFrame>
      )}
    </Loaded>
  );
}

/** The addresses of the service that the identity provider has to know, with what they are. */
function addressesOf({ object, service }: Provider): readonly (readonly [string, string])[] {
  const start = [words.startURL, service.startURL] as const;
  return object === 'saml-provider'
    ? [[words.acsURL, service.acsURL], [words.audience, service.entityID], start]
    : [[words.redirectURL, service.redirectURL], start];
}

function Remove({ place, label }: PlaceProps & Readonly<{ label: string }>) {
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await send('delete', PATHS[place.protocol].provider, named(place));
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

/** A test login with the settings that are saved, and the settings. */
function Settings({ provider, etag, place, onSaved }: SettingsProps) {
  const { test } = useSearch({ from: ROUTE });
  const { values, label, noting, fields } = useProviderFields(place.protocol, provider);
  const save = useChange(
    noting(() =>
      send('patch', PATHS[place.protocol].provider, named(place), values, { headers: { 'If-Match': etag } }),
    ),
    { refresh: providersKey(place.organizationId), done: settingsTexts.saved },
  );
  const isUnchanged = Object.keys(values).length === 0 || label === '';
  return (
    <>
      <LoginTesting place={place} provider={provider} isChanged={!isUnchanged} testId={test} />
      <Section title={words.settings}>
        <form action={() => save.mutate(undefined, { onSuccess: onSaved })}>
          <Stack>
            <ProviderFields organizationId={place.organizationId} {...fields} />
            <Note>{words.pendingAgain[place.protocol]}</Note>
            <Group>
              <Button label={texts.common.save} type="submit" disabled={isUnchanged} loading={save.isPending} />
            </Group>
          </Stack>
        </form>
      </Section>
    </>
  );
}
