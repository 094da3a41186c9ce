import { Group, Select, Stack } from '@mantine/core';
import { send } from '../api/client.js';
import { texts } from '../texts/en.js';
import { siteTexts } from '../texts/sites.js';
import { Button } from '../ui/buttons.js';
import { ActionButton, TextField, useChange, useText } from '../ui/forms.js';
import { Note } from '../ui/screens.js';
import { PublishedAddress, PublishedBadge } from './sites-screen.js';
import { SITE, sitesKey, type Site, type SitePlace } from './queries.js';

const words = siteTexts;
const VISIBILITIES = [
  'public',
  'unlisted',
  'share-link',
  'visitor-auth',
] as const satisfies readonly Site['visibility'][];

type PublishingProps = Readonly<{ site: Site; place: SitePlace }>;

/** The state of a site, its address, and for whom it is. */
export function Publishing({ site, place }: PublishingProps) {
  const refresh = sitesKey(place.organizationId);
  const isAdmin = site.permissions.admin;
  return (
    <Stack maw={560}>
      <Group>
        <PublishedBadge published={site.published} />
        <PublishedAddress url={site.urls.published} />
      </Group>
      {isAdmin && (
        <Group>
          {site.published ? (
            <ActionButton
              label={words.unpublish}
              color="red"
              ask={{
                title: words.unpublishTitle(site.title),
                text: words.unpublishText,
                action: words.unpublish,
                color: 'red',
              }}
              action={() => send('post', `${SITE}/unpublish`, place)}
              refresh={refresh}
              done={words.nowUnpublished}
            />
          ) : (
            <ActionButton
              label={words.publish}
              variant="filled"
              action={() => send('post', `${SITE}/publish`, place)}
              refresh={refresh}
              done={words.nowPublished}
            />
          )}
        </Group>
      )}
      {isAdmin ? <Settings site={site} place={place} /> : <Note>{words.visibilities[site.visibility]}</Note>}
    </Stack>
  );
}

/** The fields of a site that are saved together; the audience is changed at once. */
function Settings({ site, place }: PublishingProps) {
  const refresh = sitesKey(place.organizationId);
  const [title, basename] = [useText(site.title), useText(site.basename)];
  const changed = {
    ...(title.value.trim() !== site.title && { title: title.value.trim() }),
    ...(basename.value.trim() !== site.basename && { basename: basename.value.trim() }),
  };
  const save = useChange(() => send('patch', SITE, place, changed), { refresh, done: words.saved });
  const audience = useChange((visibility: Site['visibility']) => send('patch', SITE, place, { visibility }), {
    refresh,
    done: words.audienceChanged,
  });
  return (
    <>
      <Select
        label={words.audience}
        description={words.audienceTexts[audience.isPending ? audience.variables : site.visibility]}
        data={VISIBILITIES.map((value) => ({ value, label: words.visibilities[value] }))}
        value={audience.isPending ? audience.variables : site.visibility}
        disabled={audience.isPending}
        onChange={(chosen) => {
          const visibility = VISIBILITIES.find((each) => each === chosen);
          if (visibility !== undefined) audience.mutate(visibility);
        }}
      />
      <form action={() => save.mutate()}>
        <Stack gap="sm">
          <TextField {...title} label={words.titleField} maxLength={128} />
          <TextField {...basename} label={words.basename} description={words.basenameHelp} maxLength={100} />
          <Group>
            <Button
              label={texts.common.save}
              type="submit"
              disabled={Object.keys(changed).length === 0}
              loading={save.isPending}
            />
          </Group>
        </Stack>
      </form>
    </>
  );
}
