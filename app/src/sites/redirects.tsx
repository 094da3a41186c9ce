import { Badge, Group, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { get, send, useList, type Schemas } from '../api/client.js';
import { texts } from '../texts/en.js';
import { siteTexts } from '../texts/sites.js';
import { Button } from '../ui/buttons.js';
import { ActionButton, FlagField, TextField, useChange, useText } from '../ui/forms.js';
import { EmptyScreen, Note } from '../ui/screens.js';
import { ListTable } from '../ui/tables.js';
import { RedirectImport } from './redirect-import.js';
import { placedSpaces, SITE, siteKey, structureQuery, type PlacedSpace, type SitePlace } from './queries.js';

type Redirect = Schemas['RedirectBody'];
type Destination = Schemas['RedirectInputDestination'];

const words = siteTexts.redirects;
const MOST_SOURCE = 512;

/** Old addresses of a site, and the targets to which they lead. */
export function Redirects({ place }: Readonly<{ place: SitePlace }>) {
  const key = [...siteKey(place), 'redirects'];
  const redirects = useList<Redirect>(key, (page) => get(`${SITE}/redirects`, place, { page }));
  const { data: structure } = useQuery(structureQuery(place));
  const spaces = placedSpaces(structure?.structure ?? []);
  return (
    <Stack>
      <Note>{words.text}</Note>
      <NewRedirect place={place} spaces={spaces} />
      <Group>
        <RedirectImport place={place} spaces={spaces} />
      </Group>
      <ListTable
        query={redirects}
        empty={<EmptyScreen title={words.none} text={words.noneText} />}
        columns={[
          {
            heading: words.source,
            cell: ({ source, draft }) => (
              <>
                {source} {draft && <Badge color="gray">{siteTexts.structure.draft}</Badge>}
              </>
            ),
          },
          { heading: words.target, cell: ({ destination }) => targetName(destination, spaces) },
          { heading: words.permanent, cell: ({ permanent }) => (permanent ? '308' : '307') },
          {
            heading: texts.people.people.actions,
            isButtons: true,
            cell: ({ id, source }) => (
              <ActionButton
                label={texts.common.delete}
                size="xs"
                aria-label={words.deleteOne(source)}
                action={() =>
                  send('delete', '/v1/orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId}', {
                    ...place,
                    siteRedirectId: id,
                  })
                }
                refresh={key}
              />
            ),
          },
        ]}
      />
    </Stack>
  );
}

function targetName(target: Redirect['destination'], spaces: readonly PlacedSpace[]): string {
  if (target.url !== undefined) return target.url;
  const space = spaces.find(
    ({ id, siteSpace }) => id === target.siteSpaceId || siteSpace.section === target.siteSectionId,
  );
  const title = space?.siteSpace.title ?? '–';
  return target.kind === 'site-page' ? words.pageOf(title) : title;
}

type NewRedirectProps = Readonly<{ place: SitePlace; spaces: readonly PlacedSpace[] }>;

function NewRedirect({ place, spaces }: NewRedirectProps) {
  const { source: given } = useSearch({ from: '/signed-in/o/$organizationId/sites/$siteId' });
  const [source, path] = [useText(given), useText()];
  const [permanent, setPermanent] = useState(true);
  const [siteSpaceId, setSiteSpace] = useState<string | null>(null);
  const isAddress = /^https?:\/\//.test(path.value.trim());
  const space = spaces.find(({ id }) => id === siteSpaceId) ?? spaces[0];
  const isReady = source.value.startsWith('/') && source.value.length > 1 && (isAddress || space !== undefined);
  const make = useChange(
    () => {
      const destination = isAddress
        ? { kind: 'external' as const, url: path.value.trim() }
        : destinationIn(space, path.value.trim());
      const redirect = { source: source.value.trim(), destination, permanent, draft: false, captureWildcard: false };
      return send('post', `${SITE}/redirects`, place, redirect);
    },
    { refresh: [...siteKey(place), 'redirects'], done: words.made },
  );
  const forget = (): void => {
    source.onText('');
    path.onText('');
  };
  return (
    <form action={() => make.mutate(undefined, { onSuccess: forget })}>
      <Group align="flex-end">
        <TextField
          {...source}
          label={words.source}
          placeholder="/old/page"
          maxLength={MOST_SOURCE}
          flex={1}
          miw={180}
        />
        {!isAddress && spaces.length > 1 && (
          <Select
            label={siteTexts.structure.space}
            data={spaces.map(({ id, siteSpace }) => ({ value: id, label: siteSpace.title }))}
            value={space?.id ?? null}
            onChange={setSiteSpace}
            allowDeselect={false}
          />
        )}
        <TextField
          {...path}
          label={words.path}
          description={words.pathHelp}
          inputWrapperOrder={ORDER}
          flex={1}
          miw={180}
        />
        <FlagField label={words.permanent} checked={permanent} onFlag={setPermanent} mb="xs" />
        <Button label={words.make} type="submit" disabled={!isReady} loading={make.isPending} />
      </Group>
    </form>
  );
}

/** The description stands below the field, so that fields in a row are level. */
const ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

function destinationIn(space: PlacedSpace | undefined, path: string): Destination {
  if (space === undefined) throw new Error('the site has no space');
  return path === ''
    ? { kind: 'site-space', siteSpaceId: space.id }
    : { kind: 'path', spaceId: space.siteSpace.space.id, path: path.replace(/^\//, '') };
}
