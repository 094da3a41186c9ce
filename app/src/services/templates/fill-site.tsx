import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { get, readAll, send } from '../../api/client.js';
import { refreshTree } from '../../people/queries.js';
import { SITE, sitesKey, type Site } from '../../sites/queries.js';
import { templateTexts as words } from '../../texts/templates.js';
import { changing, FormDialog } from '../../ui/forms.js';
import { Note } from '../../ui/screens.js';

const MOST_SITES = 1000;

type FillSiteProps = Readonly<{ organizationId: string; onClose: () => void }>;

/** Gives a site without spaces the sections of a documentation, each with its space. */
export function FillSite({ organizationId, onClose }: FillSiteProps) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<string | null>(null);
  const { data: sites } = useQuery({
    queryKey: [...sitesKey(organizationId), 'all'],
    queryFn: () =>
      readAll<Site>((page) => get('/v1/orgs/{organizationId}/sites', { organizationId }, { page }), MOST_SITES),
  });
  const empty = sites?.filter(({ siteSpaces, permissions }) => siteSpaces === 0 && permissions.admin) ?? [];
  const fill = async (): Promise<void> => {
    if (chosen === null) return;
    const params = { organizationId, siteId: chosen };
    await send('post', `${SITE}/template`, params);
    await refreshTree(organizationId);
    await navigate({ to: '/o/$organizationId/sites/$siteId', params, search: { tab: 'contents' } });
  };
  return (
    <FormDialog
      title={words.site}
      text={words.siteText}
      action={words.siteAction}
      disabled={chosen === null}
      onSubmit={changing(fill, { refresh: sitesKey(organizationId), done: words.siteFilled })}
      onClose={onClose}
    >
      {sites && empty.length === 0 ? (
        <Note>{words.noSites}</Note>
      ) : (
        <Select
          label={words.siteField}
          data={empty.map(({ id, title }) => ({ value: id, label: title }))}
          value={chosen}
          onChange={setChosen}
          searchable
        />
      )}
    </FormDialog>
  );
}
