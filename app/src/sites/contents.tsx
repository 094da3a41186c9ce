import { Badge, Group, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../api/client.js';
import { spacesQuery } from '../people/queries.js';
import { texts } from '../texts/en.js';
import { ActionMenu, Button, MenuItem } from '../ui/buttons.js';
import { changing, useChange } from '../ui/forms.js';
import { EmptyScreen, Loaded } from '../ui/screens.js';
import { DataTable, RowName } from '../ui/tables.js';
import { showFault } from '../ui/toasts.js';
import { PublishedAddress } from './sites-screen.js';
import { placedSpaces, SITE, siteKey, structureQuery, type PlacedSpace, type Site, type SitePlace } from './queries.js';

const words = texts.sites.contents;

type ContentsProps = Readonly<{ site: Site; place: SitePlace }>;

/** The spaces of a site in the order of its navigation. */
export function Contents({ site, place }: ContentsProps) {
  const structure = useQuery(structureQuery(place));
  const isAdmin = site.permissions.admin;
  return (
    <Loaded query={structure}>
      {(found) => {
        const spaces = placedSpaces(found.structure);
        return (
          <Stack>
            {isAdmin && <AddSpace place={place} sections={found.type === 'sections'} present={spaces} />}
            {spaces.length === 0 ? (
              <EmptyScreen title={words.empty} text={words.emptyText} />
            ) : (
              <DataTable
                items={spaces}
                columns={[
                  {
                    heading: words.space,
                    cell: ({ siteSpace, above }) => (
                      <RowName below={above.join(' › ')}>
                        {siteSpace.title} {siteSpace.default && <Badge>{words.default}</Badge>}{' '}
                        {siteSpace.draft && <Badge color="gray">{words.draft}</Badge>}
                      </RowName>
                    ),
                  },
                  {
                    heading: texts.sites.address,
                    cell: ({ siteSpace }) => <PublishedAddress url={siteSpace.urls.published} />,
                  },
                  ...(isAdmin
                    ? [
                        {
                          heading: texts.people.people.actions,
                          isButtons: true,
                          cell: (item: PlacedSpace) => <SpaceMenu place={place} item={item} />,
                        },
                      ]
                    : []),
                ]}
              />
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

type SpaceMenuProps = Readonly<{ place: SitePlace; item: PlacedSpace }>;

function SpaceMenu({ place, item: { siteSpace } }: SpaceMenuProps) {
  const path = { ...place, siteSpaceId: siteSpace.id };
  const url = '/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}';
  const refresh = siteKey(place);
  const setDefault = changing(
    (): Promise<unknown> =>
      siteSpace.section === undefined
        ? send('patch', SITE, place, { defaultSiteSpace: siteSpace.id })
        : send(
            'patch',
            '/v1/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}',
            { ...place, siteSectionId: siteSpace.section },
            { defaultSiteSpace: siteSpace.id },
          ),
    { refresh, done: words.defaultChanged },
  );
  const setDraft = changing(() => send('patch', url, path, { draft: !siteSpace.draft }), { refresh });
  const remove = changing(() => send('delete', url, path), { refresh, done: words.removed(siteSpace.title) });
  const run = (work: () => Promise<unknown>) => () => void work().catch(showFault);
  return (
    <ActionMenu label={texts.people.people.actionsFor(siteSpace.title)}>
      {!siteSpace.default && <MenuItem label={words.makeDefault} onClick={run(setDefault)} />}
      <MenuItem label={siteSpace.draft ? words.endDraft : words.makeDraft} onClick={run(setDraft)} />
      <MenuItem label={words.remove} color="red" onClick={run(remove)} />
    </ActionMenu>
  );
}

type AddSpaceProps = Readonly<{ place: SitePlace; sections: boolean; present: readonly PlacedSpace[] }>;

/** Adds a space: as a section of its own where the site has sections. */
function AddSpace({ place, sections, present }: AddSpaceProps) {
  const { data: spaces = [] } = useQuery(spacesQuery(place.organizationId));
  const [chosen, setChosen] = useState<string | null>(null);
  const here = new Set(present.map(({ siteSpace }) => siteSpace.space.id));
  const add = useChange(
    (spaceId: string): Promise<unknown> =>
      send('post', sections ? `${SITE}/sections` : `${SITE}/site-spaces`, place, { spaceId, draft: false }),
    { refresh: siteKey(place), done: words.added },
  );
  const submit = (): void => {
    if (chosen !== null) add.mutate(chosen, { onSuccess: () => setChosen(null) });
  };
  return (
    <form action={submit}>
      <Group align="flex-end">
        <Select
          label={words.add}
          data={spaces.filter(({ id }) => !here.has(id)).map(({ id, title }) => ({ value: id, label: title }))}
          value={chosen}
          onChange={setChosen}
          searchable
          nothingFoundMessage={words.noSpace}
          flex={1}
          maw={320}
        />
        <Button label={words.addAction} type="submit" disabled={chosen === null} loading={add.isPending} />
      </Group>
    </form>
  );
}
