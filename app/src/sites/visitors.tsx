import { Anchor, Code, Group, Select, Stack, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, get, send, type Schemas } from '../api/client.js';
import { texts } from '../texts/en.js';
import { siteTexts } from '../texts/sites.js';
import { Button, CopyAction, CopyField, SecondaryButton } from '../ui/buttons.js';
import { ActionButton, FlagField, TextAreaField, TextField, useChange, useFieldFaults, useText } from '../ui/forms.js';
import { Loaded, Note, Section } from '../ui/screens.js';
import { placedSpaces, SITE, siteKey, sitesKey, structureQuery, type Site, type SitePlace } from './queries.js';
import { visitorToken } from './visitor-token.js';

const AUTH = `${SITE}/publishing/auth` as const;
const SCHEMA = `${SITE}/adaptive-schema` as const;
const words = siteTexts.visitors;
type Auth = Schemas['PublishingAuthBody'];
type ClaimsSchema = Schemas['AdaptiveSchemaBody']['jsonSchema'];
type VisitorsProps = Readonly<{ site: Site; place: SitePlace }>;

/** The login of the visitors of a site, what their claims show them, and a way to try both. */
export function Visitors({ site, place }: VisitorsProps) {
  const auth = useQuery({ queryKey: [...siteKey(place), 'auth'], queryFn: () => get(AUTH, place) });
  return (
    <Loaded query={auth}>
      {(found) => (
        <Stack>
          <Login key={found.fallbackURL} site={site} place={place} auth={found} />
          <Tester key={found.privateKey} site={site} place={place} auth={found} />
          <AdaptiveContent site={site} place={place} />
        </Stack>
      )}
    </Loaded>
  );
}

function Login({ site, place, auth }: VisitorsProps & Readonly<{ auth: Auth }>) {
  const refresh = [...siteKey(place), 'auth'];
  const fallback = useText(auth.fallbackURL);
  const [isShown, setShown] = useState(false);
  const { at, noting } = useFieldFaults();
  const fallbackURL = fallback.value.trim() === '' ? null : fallback.value.trim();
  const save = useChange(
    noting(() => send('patch', AUTH, place, { backend: 'custom', fallbackURL })),
    { refresh, done: words.saved },
  );
  return (
    <Section title={words.login}>
      <Note>{site.visibility === 'visitor-auth' ? words.loginText : words.otherAudience}</Note>
      <form action={() => save.mutate()}>
        <Group align="flex-start">
          <TextField
            {...fallback}
            label={words.fallback}
            description={words.fallbackHelp}
            inputMode="url"
            placeholder="https://app.example.com/login"
            maxLength={2048}
            error={at('fallbackURL')}
            flex={1}
            miw={220}
          />
          <Button
            label={texts.common.save}
            type="submit"
            mt={{ base: 0, sm: 44 }}
            disabled={fallbackURL === (auth.fallbackURL ?? null)}
            loading={save.isPending}
          />
        </Group>
      </form>
      {isShown && <CopyField label={words.key} value={auth.privateKey} />}
      <Group>
        <SecondaryButton
          label={isShown ? words.hideKey : words.showKey}
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        />
        <ActionButton
          label={words.rotate}
          ask={{ title: words.rotateTitle, text: words.rotateText, action: words.rotate, color: 'red' }}
          action={() => send('post', `${AUTH}/regenerate`, place)}
          refresh={refresh}
          done={words.rotated}
        />
      </Group>
    </Section>
  );
}

type Shown = Readonly<{ url: string; token?: string }>;

/** Opens the site as a visitor with some claims: as a preview, or by a token as a login would give. */
function Tester({ site, place, auth }: VisitorsProps & Readonly<{ auth: Auth }>) {
  const structure = useQuery(structureQuery(place));
  const spaces = placedSpaces(structure.data?.structure ?? []);
  const claims = useText('{}');
  const [siteSpace, setSiteSpace] = useState<string | null>(null);
  const [shown, setShown] = useState<Shown>();
  const { faults, noting } = useFieldFaults();
  const read = readObject(claims.value);
  const preview = useChange(
    noting(async () => {
      setShown(undefined);
      const query = { claims: claims.value.trim(), ...(siteSpace !== null && { siteSpace }) };
      setShown(await get(`${SITE}/publishing/preview`, place, query));
    }),
  );
  const address = spaces.find(({ id }) => id === siteSpace)?.siteSpace.urls.published ?? site.urls.published;
  const login = useChange(async () => {
    setShown(undefined);
    const token = await visitorToken(auth.privateKey, read ?? {});
    if (address === undefined) return;
    const url = new URL(address);
    url.searchParams.set('jwt_token', token);
    setShown({ url: url.href, token });
  });
  const isReady = read !== undefined;
  return (
    <Section title={words.tester}>
      <Note>{words.testerText}</Note>
      <TextAreaField
        {...claims}
        isSource
        label={words.claims}
        description={words.claimsHelp}
        minRows={3}
        maxRows={12}
        maxLength={2000}
        spellCheck={false}
        error={isReady ? faults.map(({ message }) => message).join(', ') || undefined : words.noJson}
      />
      {spaces.length > 1 && (
        <Select
          label={words.begin}
          clearable
          searchable
          placeholder={words.first}
          data={spaces.map(({ id, above, siteSpace: { title } }) => ({
            value: id,
            label: [...above, title].join(' › '),
          }))}
          value={siteSpace}
          onChange={setSiteSpace}
        />
      )}
      <Group>
        <Button label={words.preview} run={preview} disabled={!isReady} />
        <SecondaryButton
          label={words.makeToken}
          run={login}
          disabled={!isReady || !site.published || address === undefined || !window.isSecureContext}
        />
      </Group>
      {!site.published && <Note>{words.unpublished}</Note>}
      {!window.isSecureContext && <Note>{words.insecure}</Note>}
      {shown && (
        <Stack gap="xs" role="status">
          {shown.token !== undefined && <CopyField label={words.token} value={shown.token} />}
          <Anchor href={shown.url} target="_blank" rel="noopener">
            {shown.token === undefined ? words.openPreview : words.openWithToken}
          </Anchor>
        </Stack>
      )}
    </Section>
  );
}

/** An object in JSON; undefined for any other text. */
function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read)
      ? (read as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

const EMPTY = {
  type: 'object',
  properties: {
    plan: { type: 'string', enum: ['free', 'pro'], description: 'Plan of the visitor' },
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      properties: {},
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

function AdaptiveContent({ site, place }: VisitorsProps) {
  const schema = useQuery({
    queryKey: [...siteKey(place), 'adaptive-schema'],
    queryFn: async () => {
      try {
        return (await get(SCHEMA, place)).jsonSchema ?? null;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
  const enable = useChange((enabled: boolean) => send('patch', SITE, place, { adaptiveContent: { enabled } }), {
    refresh: sitesKey(place.organizationId),
    done: words.adaptiveChanged,
  });
  return (
    <Section title={words.adaptive}>
      <FlagField
        label={words.adaptiveOn}
        description={words.adaptiveText}
        checked={site.adaptiveContent.enabled}
        disabled={enable.isPending}
        onFlag={(isOn) => enable.mutate(isOn)}
      />
      <Loaded query={schema}>
        {(found) => <SchemaForm key={JSON.stringify(found)} place={place} schema={found ?? undefined} />}
      </Loaded>
      <Conditions place={place} />
    </Section>
  );
}

type SchemaFormProps = Readonly<{ place: SitePlace; schema: ClaimsSchema | undefined }>;

function SchemaForm({ place, schema }: SchemaFormProps) {
  const text = useText(JSON.stringify(schema ?? EMPTY, undefined, 2));
  const { faults, noting } = useFieldFaults();
  const read = readObject(text.value);
  const save = useChange(
    noting(() => send('put', SCHEMA, place, { jsonSchema: read } as never)),
    { refresh: siteKey(place), done: words.schemaSaved },
  );
  const fault = faults.map(({ path, message }) => `${path}: ${message}`).join('\n');
  return (
    <form action={() => save.mutate()}>
      <Stack gap="sm">
        <TextAreaField
          {...text}
          isSource
          label={words.schema}
          description={schema === undefined ? words.noSchema : words.schemaHelp}
          minRows={6}
          maxRows={24}
          spellCheck={false}
          error={read === undefined ? words.noJson : fault || undefined}
          errorProps={{ className: 'plain-text' }}
        />
        <Group>
          <Button label={words.saveSchema} type="submit" disabled={read === undefined} loading={save.isPending} />
        </Group>
      </Stack>
    </form>
  );
}

/** Conditions that follow from the schema, to be copied to pages and parts of the structure. */
function Conditions({ place }: Readonly<{ place: SitePlace }>) {
  const { data } = useQuery({
    queryKey: [...siteKey(place), 'template-conditions'],
    queryFn: () => get(`${SCHEMA}/template-conditions`, place),
  });
  if (!data || data.items.length === 0) return null;
  return (
    <Table.ScrollContainer minWidth={480} mah={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.condition}</Table.Th>
            <Table.Th>{words.meaning}</Table.Th>
            <Table.Th>{texts.people.copy}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.items.map(({ condition, description }) => (
            <Table.Tr key={condition}>
              <Table.Td>
                <Code>{condition}</Code>
              </Table.Td>
              <Table.Td>{description}</Table.Td>
              <Table.Td>
                <CopyAction label={texts.people.copy} aria-label={words.copyOne(condition)} value={condition} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
