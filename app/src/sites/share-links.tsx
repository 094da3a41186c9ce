import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { send } from '../api/client.js';
import { texts } from '../texts/en.js';
import { invitationTexts } from '../texts/invitations.js';
import { siteTexts } from '../texts/sites.js';
import { Button, CopyAction } from '../ui/buttons.js';
import { ActionButton, FlagField, TextField, useChange, useText } from '../ui/forms.js';
import { EmptyScreen, Loaded, Note, Time } from '../ui/screens.js';
import { DataTable, RowName } from '../ui/tables.js';
import { SITE, shareLinksQuery, siteKey, type Site, type SitePlace } from './queries.js';

const LINK = '/v1/orgs/{organizationId}/sites/{siteId}/share-links/{shareLinkId}';
const MOST_NAME = 50;
const words = siteTexts.links;

/** Links that let their holders read a site. */
export function ShareLinks({ site, place }: Readonly<{ site: Site; place: SitePlace }>) {
  const links = useQuery(shareLinksQuery(place));
  const name = useText();
  const refresh = siteKey(place);
  const make = useChange(() => send('post', `${SITE}/share-links`, place, { name: name.value.trim() }), { refresh });
  const pathOf = (shareLinkId: string) => ({ ...place, shareLinkId });
  const setActive = useChange(
    ({ id, active }: Readonly<{ id: string; active: boolean }>) => send('patch', LINK, pathOf(id), { active }),
    { refresh },
  );
  return (
    <Stack>
      <Note>{site.visibility === 'share-link' ? words.text : words.otherAudience}</Note>
      <form action={() => make.mutate(undefined, { onSuccess: () => name.onText('') })}>
        <Group align="flex-end">
          <TextField {...name} label={words.name} maxLength={MOST_NAME} flex={1} maw={320} />
          <Button label={words.make} type="submit" disabled={name.value.trim() === ''} loading={make.isPending} />
        </Group>
      </form>
      <Loaded query={links} empty={<EmptyScreen title={words.none} text={words.noneText} />}>
        {(all) => (
          <DataTable
            items={all}
            columns={[
              {
                heading: words.name,
                cell: (link) => <RowName below={<Time at={link.createdAt} />}>{link.name}</RowName>,
              },
              {
                heading: words.active,
                cell: ({ id, name: of, active }) => (
                  <FlagField
                    aria-label={words.activeOne(of)}
                    checked={active}
                    onFlag={(isOn) => setActive.mutate({ id, active: isOn })}
                  />
                ),
              },
              {
                heading: texts.people.people.actions,
                isButtons: true,
                cell: ({ id, name: of, urls }) => (
                  <Group gap="xs" justify="flex-end" wrap="nowrap">
                    {urls.published !== undefined && (
                      <CopyAction label={invitationTexts.invitations.copyLink} value={urls.published} />
                    )}
                    <ActionButton
                      label={texts.common.delete}
                      size="xs"
                      aria-label={words.deleteOne(of)}
                      action={() => send('delete', LINK, pathOf(id))}
                      refresh={refresh}
                    />
                  </Group>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}
