import { Anchor, Box, Group, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { get, send, useList, type Schemas } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { serviceTexts } from '../../texts/services.js';
import { CopyField, SecondaryButton, TextLink } from '../../ui/buttons.js';
import { ActionButton, FormDialog, useChange } from '../../ui/forms.js';
import { EmptyScreen, Loaded, Note, PresentBadge, ScreenFrame, Section, Time } from '../../ui/screens.js';
import { ListTable } from '../../ui/tables.js';
import { Faults } from './faults.js';
import {
  giveSource,
  SPECIFICATION,
  specificationKey,
  specificationQuery,
  specificationsKey,
  type Specification,
  type SpecificationPlace,
} from './queries.js';
import { SourceFields, useSource } from './source-fields.js';
import { StateBadge } from './specifications-screen.js';

const words = serviceTexts.specifications;
const VISIBILITIES = ['private', 'public'] as const;

type SpecificationProps = Readonly<{ specification: Specification; place: SpecificationPlace }>;

/** One specification: its source, its faults, its versions, and who can read it. */
export function SpecificationScreen() {
  const place = useParams({ from: '/signed-in/o/$organizationId/openapi/$specSlug' });
  const specification = useQuery(specificationQuery(place));
  return (
    <Loaded query={specification}>
      {(found) => (
        <ScreenFrame
          title={found.slug}
          above={
            <Box mb="sm">
              <TextLink label={words.title} size="sm" to="/o/$organizationId/openapi" params={place} />
            </Box>
          }
          actions={found.permissions.edit && <Actions specification={found} place={place} />}
        >
          <Stack>
            <Facts specification={found} />
            <Faults specification={found} place={place} />
            <Visibility specification={found} place={place} />
            <Section title={words.versions}>
              <Versions key={found.lastVersion} specification={found} place={place} />
            </Section>
          </Stack>
        </ScreenFrame>
      )}
    </Loaded>
  );
}

function Actions({ specification: { slug, sourceURL }, place }: SpecificationProps) {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = async (): Promise<void> => {
    await send('delete', SPECIFICATION, place);
    await navigate({ to: '/o/$organizationId/openapi', params: place });
  };
  return (
    <Group gap="xs">
      <SecondaryButton label={words.newSource} onClick={() => setAsking(true)} />
      <ActionButton
        label={texts.common.delete}
        color="red"
        ask={{ title: words.deleteTitle(slug), text: words.deleteText, action: texts.common.delete, color: 'red' }}
        action={remove}
        refresh={[...specificationsKey(place.organizationId), 'list']}
        done={words.deleted(slug)}
      />
      {isAsking && <NewSource place={place} address={sourceURL} onClose={() => setAsking(false)} />}
    </Group>
  );
}

type NewSourceProps = Readonly<{ place: SpecificationPlace; address: string | undefined; onClose: () => void }>;

function NewSource({ place, address, onClose }: NewSourceProps) {
  const { source, noting, fields } = useSource(address);
  return (
    <FormDialog
      title={words.newSource}
      text={words.newSourceText}
      action={words.readIt}
      size="lg"
      disabled={source === undefined}
      onSubmit={noting(async () => source && giveSource(place, source))}
      onClose={onClose}
    >
      <SourceFields {...fields} />
    </FormDialog>
  );
}

function Facts({ specification }: Readonly<{ specification: Specification }>) {
  const { sourceURL, lastProcessedAt } = specification;
  return (
    <Group gap="xs" role="status">
      <StateBadge specification={specification} />
      {sourceURL === undefined ? (
        <Note>{words.givenAsText}</Note>
      ) : (
        <Anchor href={sourceURL} size="sm" className="plain-text">
          <bdi>{sourceURL}</bdi>
        </Anchor>
      )}
      {lastProcessedAt !== undefined && <Note at={lastProcessedAt}>{words.readAt}</Note>}
    </Group>
  );
}

function Visibility({ specification: { visibility, urls, permissions }, place }: SpecificationProps) {
  const change = useChange(
    (next: Specification['visibility']) => send('patch', SPECIFICATION, place, { visibility: next }),
    { refresh: specificationKey(place), done: words.visibilityChanged },
  );
  const shown = change.isPending ? change.variables : visibility;
  return (
    <Section title={words.visibility}>
      {permissions.edit ? (
        <Select
          aria-label={words.visibility}
          data={VISIBILITIES.map((value) => ({ value, label: words.visibilities[value] }))}
          value={shown}
          disabled={change.isPending}
          maw={320}
          onChange={(chosen) => {
            const next = VISIBILITIES.find((each) => each === chosen);
            if (next !== undefined) change.mutate(next);
          }}
        />
      ) : (
        words.visibilities[visibility]
      )}
      <Note>{words.visibilityTexts[shown]}</Note>
      {urls.published !== undefined && <CopyField label={words.address} value={urls.published} />}
    </Section>
  );
}

function Versions({ specification: { lastVersion }, place }: SpecificationProps) {
  const versions = useList<Schemas['OpenApiVersionBody']>(
    [...specificationKey(place), 'versions', lastVersion],
    (page) => get(`${SPECIFICATION}/versions`, place, { page }),
  );
  return (
    <ListTable
      query={versions}
      minWidth={320}
      empty={<EmptyScreen title={words.noVersions} text={words.noVersionsText} />}
      columns={[
        {
          heading: words.made,
          cell: ({ id, createdAt: at }) => (
            <>
              {at === undefined ? id : <Time at={at} />} {id === lastVersion && <PresentBadge />}
            </>
          ),
        },
        {
          heading: words.asJson,
          cell: ({ id, url }) => <Anchor href={url} aria-label={words.jsonOf(id)} children={words.json} />,
        },
      ]}
    />
  );
}
