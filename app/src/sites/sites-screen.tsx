import { Anchor, Badge, MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { get, send, useList } from '../api/client.js';
import { spacesQuery, useOrganization } from '../people/queries.js';
import { texts } from '../texts/en.js';
import { siteTexts } from '../texts/sites.js';
import { Button, TextLink } from '../ui/buttons.js';
import { changing, FormDialog, TextField, useText } from '../ui/forms.js';
import { EmptyScreen, ScreenFrame } from '../ui/screens.js';
import { ListTable, RowName } from '../ui/tables.js';
import { sitesKey, type Site } from './queries.js';

const SITES = '/v1/orgs/{organizationId}/sites';
const [LEAST_TITLE, MOST_TITLE] = [2, 128];
const words = siteTexts;

/** The published sites of an organization. */
export function SitesScreen() {
  const { id: organizationId, permissions } = useOrganization();
  const [isNew, setNew] = useState(false);
  const sites = useList<Site>([...sitesKey(organizationId), 'list'], (page) =>
    get(SITES, { organizationId }, { page }),
  );
  return (
    <ScreenFrame
      title={texts.services.sites}
      actions={permissions.createContent && <Button label={words.newSite} onClick={() => setNew(true)} />}
    >
      <ListTable
        query={sites}
        empty={<EmptyScreen title={words.none} text={words.noneText} />}
        columns={[
          {
            heading: words.site,
            cell: ({ id, title, siteSpaces }) => (
              <RowName below={words.spaceCount(siteSpaces)}>
                <TextLink label={title} to="/o/$organizationId/sites/$siteId" params={{ organizationId, siteId: id }} />
              </RowName>
            ),
          },
          { heading: words.state, cell: ({ published }) => <PublishedBadge published={published} /> },
          { heading: words.audience, cell: ({ visibility }) => words.visibilities[visibility] },
          { heading: words.address, cell: ({ urls }) => <PublishedAddress url={urls.published} /> },
        ]}
      />
      {isNew && <NewSite organizationId={organizationId} onClose={() => setNew(false)} />}
    </ScreenFrame>
  );
}

export function PublishedBadge({ published }: Pick<Site, 'published'>) {
  return <Badge color={published ? 'green' : 'gray'}>{published ? words.published : words.unpublished}</Badge>;
}

export function PublishedAddress({ url }: Readonly<{ url: string | undefined }>) {
  return url === undefined ? '–' : <Anchor href={url}>{url.replace(/^https?:\/\//, '')}</Anchor>;
}

type NewSiteProps = Readonly<{ organizationId: string; onClose: () => void }>;

function NewSite({ organizationId, onClose }: NewSiteProps) {
  const navigate = useNavigate();
  const title = useText();
  const [chosen, setChosen] = useState<string[]>([]);
  const { data: spaces = [] } = useQuery(spacesQuery(organizationId));
  const make = async (): Promise<void> => {
    const site = await send(
      'post',
      SITES,
      { organizationId },
      { title: title.value.trim(), spaces: chosen, type: 'basic', visibility: 'public' },
    );
    await navigate({ to: '/o/$organizationId/sites/$siteId', params: { organizationId, siteId: site.id } });
  };
  return (
    <FormDialog
      title={words.newSite}
      text={words.newText}
      action={words.make}
      disabled={title.value.trim().length < LEAST_TITLE}
      onSubmit={changing(make, { refresh: sitesKey(organizationId) })}
      onClose={onClose}
    >
      <TextField {...title} label={words.titleField} maxLength={MOST_TITLE} data-autofocus />
      <MultiSelect
        label={words.spaces}
        data={spaces.map((space) => ({ value: space.id, label: space.title }))}
        value={chosen}
        onChange={setChosen}
        searchable
      />
    </FormDialog>
  );
}
