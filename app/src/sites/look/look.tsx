import { Alert, Box, Group, Select, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { ApiError, get, getTagged, send } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { siteTexts } from '../../texts/sites.js';
import { AddressButton, Button, SecondaryButton } from '../../ui/buttons.js';
import { ActionButton, useChange, useFieldFaults } from '../../ui/forms.js';
import { Loaded, Note, Section } from '../../ui/screens.js';
import { placedSpaces, SITE, siteKey, structureQuery, type SitePlace } from '../queries.js';
import { FieldInput, nameOf } from './field-input.js';
import { LOOK, valueAt, withValue, type Field, type Value } from './fields.js';

const WHOLE = `${SITE}/customization` as const;
const OF_SPACE = `${SITE}/site-spaces/{siteSpaceId}/customization` as const;
const words = siteTexts.look;
const PARTS = Object.entries(LOOK) as readonly (readonly [keyof typeof LOOK, readonly Field[]])[];

/** Milliseconds without another edit after which the page is shown with it. */
const SETTLING = 600;

type LookProps = Readonly<{ place: SitePlace }>;

/** The look of a site, and where its spaces differ from it, beside the real page. */
export function Look({ place }: LookProps) {
  const [siteSpace, setSiteSpace] = useState<string | null>(null);
  const isEdited = useRef(false);
  const structure = useQuery(structureQuery(place));
  const spaces = placedSpaces(structure.data?.structure ?? []);
  const site = useQuery({ queryKey: [...siteKey(place), 'look'], queryFn: () => getTagged(WHOLE, place) });
  const own = useQuery({
    queryKey: [...siteKey(place), 'look', siteSpace],
    enabled: siteSpace !== null,
    queryFn: () => getTagged(OF_SPACE, { ...place, siteSpaceId: siteSpace ?? '' }),
  });
  return (
    <Stack>
      {spaces.length > 1 && (
        <Select
          label={words.scope}
          description={words.scopeHelp}
          clearable
          searchable
          placeholder={words.wholeSite}
          data={spaces.map(({ id, above, siteSpace: { title } }) => ({
            value: id,
            label: [...above, title].join(' › '),
          }))}
          value={siteSpace}
          onChange={(next) => (!isEdited.current || window.confirm(words.leave)) && setSiteSpace(next)}
        />
      )}
      <Loaded query={siteSpace === null ? site : own}>
        {({ body, etag }) => (
          <LookForm
            key={siteSpace}
            place={place}
            siteSpaceId={siteSpace}
            settings={body}
            inherited={siteSpace === null ? undefined : site.data?.body}
            etag={etag}
            isEdited={isEdited}
          />
        )}
      </Loaded>
    </Stack>
  );
}

interface LookFormProps {
  readonly place: SitePlace;
  /** Absent for the whole site. */
  readonly siteSpaceId: string | null;
  readonly settings: Value;
  /** The settings of the site, where those of a space are shown. */
  readonly inherited: Value | undefined;
  readonly etag: string;
  /** Set while something is not saved. */
  readonly isEdited: RefObject<boolean>;
}

/** Edits by the paths of their values; null goes back to what the site has, or takes the value away. */
type Edits = Readonly<Record<string, unknown>>;

const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function LookForm({ place, siteSpaceId, settings, inherited, etag, isEdited }: LookFormProps) {
  const [edits, setEdits] = useState<Edits>({});
  /** The values as they were when they were edited first: somebody else may have saved others since. */
  const [bases, setBases] = useState<Edits>({});
  const [saves, setSaves] = useState(0);
  const { faults, noting } = useFieldFaults();
  const refresh = [...siteKey(place), 'look'];
  const save = useChange(
    noting(async () => {
      try {
        await write(place, siteSpaceId, { settings, edits, etag });
      } catch (error) {
        // The look is read again, and the edits are kept: they go into what somebody else saved meanwhile.
        throw error instanceof ApiError && error.status === 412 ? new Error(words.changedMeanwhile) : error;
      }
      setEdits({});
      setSaves(saves + 1);
    }),
    { refresh, done: words.saved },
  );
  const faultAt = (path: string): string | undefined =>
    faults.find((fault) => fault.path.replaceAll(/\[(\d+)\]/g, '.$1') === path)?.message;
  const edit = (path: string, value: unknown): void => {
    const { [path]: _former, ...others } = edits;
    const saved = valueAt(settings, path);
    setEdits(equal(value, saved) ? others : { ...others, [path]: value ?? null });
    if (!Object.hasOwn(edits, path)) setBases({ ...bases, [path]: saved });
  };
  const hasEdits = Object.keys(edits).length > 0;
  useEffect(() => {
    isEdited.current = hasEdits;
    return () => void (isEdited.current = false);
  }, [isEdited, hasEdits]);
  useBlocker({ enableBeforeUnload: () => hasEdits, shouldBlockFn: () => hasEdits && !window.confirm(words.leave) });
  return (
    <form action={() => save.mutate()}>
      <Stack>
        <Preview place={place} siteSpaceId={siteSpaceId} writing={{ settings, edits, etag }} version={saves} />
        <Box className="look-bar">
          <Group>
            <Button label={words.save} type="submit" disabled={!hasEdits} loading={save.isPending} />
            {hasEdits && <SecondaryButton label={words.discard} onClick={() => setEdits({})} />}
            {siteSpaceId !== null && (
              <ActionButton
                label={words.reset}
                ask={{ title: words.resetTitle, text: words.resetText, action: words.reset, color: 'red' }}
                action={() => send('delete', OF_SPACE, { ...place, siteSpaceId }).then(() => setEdits({}))}
                refresh={refresh}
                done={words.wasReset}
              />
            )}
          </Group>
        </Box>
        {faults.length > 0 && (
          <Alert color="red" title={texts.faults.notDone} role="alert" className="plain-text">
            {faults.map(({ path, message }) => `${path}: ${message}`).join('\n')}
          </Alert>
        )}
        {PARTS.map(([part, fields]) => (
          <Section key={part} title={words.parts[part]}>
            {fields
              .filter((field) => (siteSpaceId === null ? !field.isOfSpace : !field.isOfSite))
              .map((field) => (
                <OneField key={field.path} {...{ field, settings, inherited, edits, bases, edit, faultAt }} />
              ))}
          </Section>
        ))}
      </Stack>
    </form>
  );
}

interface OneFieldProps extends Pick<LookFormProps, 'settings' | 'inherited'> {
  readonly field: Field;
  readonly edits: Edits;
  readonly bases: Edits;
  readonly edit: (path: string, value: unknown) => void;
  readonly faultAt: (path: string) => string | undefined;
}

/** A value with a way back to that of the site, where a space has another one. */
function OneField({ field, settings, inherited, edits, bases, edit, faultAt }: OneFieldProps) {
  const { path, shape, isOptional, keepsOverride } = field;
  const isEdited = Object.hasOwn(edits, path);
  const ofSite = inherited && valueAt(inherited, path);
  const saved = valueAt(settings, path);
  const value = isEdited ? (edits[path] ?? ofSite) : saved;
  const label = (words.fields as Readonly<Record<string, string>>)[path] ?? nameOf(path.split('.').at(-1) ?? '');
  return (
    <Stack gap={4}>
      <FieldInput
        label={label}
        shape={shape}
        path={path}
        value={value}
        isOptional={isOptional ?? false}
        onChange={(next) => edit(path, next)}
        faultAt={faultAt}
      />
      {isEdited && !equal(bases[path], saved) && (
        <Group gap="xs">
          <Note role="status">{words.savedElsewhere}</Note>
          <SecondaryButton
            size="compact-xs"
            label={words.takeSaved}
            aria-label={words.takeSavedOne(label)}
            onClick={() => edit(path, saved)}
          />
        </Group>
      )}
      {inherited && !keepsOverride && !equal(value, ofSite) && (
        <Group gap="xs">
          <Note>{words.differs}</Note>
          <SecondaryButton
            size="compact-xs"
            label={words.inherit}
            aria-label={words.inheritOne(label)}
            onClick={() => edit(path, undefined)}
          />
        </Group>
      )}
    </Stack>
  );
}

type Writing = Readonly<{ settings: Value; edits: Edits; etag: string }>;

async function write(place: SitePlace, siteSpaceId: string | null, writing: Writing): Promise<void> {
  const headers = { 'If-Match': writing.etag };
  await (siteSpaceId === null
    ? send('put', WHOLE, place, wholeOf(writing) as never, { headers })
    : send('patch', OF_SPACE, { ...place, siteSpaceId }, overridesOf(writing) as never, { headers }));
}

/** The body by which a site is written: all of it. */
function wholeOf({ settings, edits }: Writing): Value {
  // The list of the actions of pages says the same as these flags of earlier clients.
  const { pdf: _pdf, git: _git, pageActions, ...rest } = settings;
  const items = (pageActions as Value)['items'];
  return Object.entries(edits).reduce<Value>((body, [path, value]) => withValue(body, path, value ?? undefined), {
    ...rest,
    pageActions: { items },
  });
}

/** The body by which a space is written: where it differs. */
const overridesOf = ({ edits }: Writing): Value =>
  Object.entries(edits).reduce<Value>((body, [path, value]) => withValue(body, path, value), {});

/** An address that shows the page as it would look, to this person alone. */
async function tried(place: SitePlace, siteSpaceId: string | null, writing: Writing): Promise<{ url: string }> {
  return siteSpaceId === null
    ? send('post', `${WHOLE}/preview`, place, wholeOf(writing) as never)
    : send('post', `${OF_SPACE}/preview`, { ...place, siteSpaceId }, overridesOf(writing) as never);
}

type PreviewProps = Readonly<{ place: SitePlace; siteSpaceId: string | null; writing: Writing; version: number }>;

/** The real page with the values of the form, saved or not, for the person who looks at it. */
function Preview({ place, siteSpaceId, writing, version }: PreviewProps) {
  const [edits] = useDebouncedValue(writing.edits, SETTLING);
  const query = siteSpaceId === null ? {} : { siteSpace: siteSpaceId };
  const { data, error, refetch } = useQuery({
    queryKey: [...siteKey(place), 'preview', siteSpaceId, version, edits],
    queryFn: () =>
      Object.keys(edits).length === 0
        ? get(`${SITE}/publishing/preview`, place, query)
        : tried(place, siteSpaceId, { ...writing, edits }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    // Each address is another one: read again for the window's focus, the page would lose its place.
    refetchOnWindowFocus: false,
  });
  const isRefused = error instanceof ApiError && error.status === 400;
  return (
    <Section
      title={words.preview}
      actions={
        <Group gap="xs">
          <SecondaryButton size="xs" label={words.reload} onClick={() => void refetch()} />
          {data && <AddressButton size="xs" label={words.open} href={data.url} target="_blank" rel="noopener" />}
        </Group>
      }
    >
      <Note>{words.previewText}</Note>
      {error && (
        <Note role="status">
          {isRefused
            ? words.notShown(error.details.map(({ path, message }) => `${path}: ${message}`))
            : words.noPreview}
        </Note>
      )}
      {data && <iframe key={data.url} className="look-preview" title={words.preview} src={data.url} />}
    </Section>
  );
}
