import { Alert, Box, Group, Progress, Stack } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { queries, send } from '../../api/client.js';
import { spacesQuery, useOrganization } from '../../people/queries.js';
import { serviceTexts } from '../../texts/services.js';
import { TextLink } from '../../ui/buttons.js';
import { ActionButton } from '../../ui/forms.js';
import { EmptyScreen, Loaded, Note, ScreenFrame, ScreenTabs } from '../../ui/screens.js';
import { TranslationFiles } from './files.js';
import { languageName } from './languages.js';
import {
  contentsKey,
  countsQuery,
  SEGMENT_STATES,
  TRANSLATION,
  translationKey,
  translationQuery,
  translationsKey,
  type Translation,
  type TranslationPlace,
} from './queries.js';
import { Segments } from './segments.js';
import { Settings } from './settings.js';
import { TranslatedPages } from './translated-pages.js';
import { TranslationBadge } from './translations-screen.js';

type TranslationProps = Readonly<{ translation: Translation; place: TranslationPlace }>;

const words = serviceTexts.translations;
const COLORS = { outdated: 'yellow.8', untranslated: 'gray.7', machine: 'blue', reviewed: 'green.8' } as const;

/** One translation: how far it is, its texts and pages, its files and its settings. */
export function TranslationScreen() {
  const { permissions } = useOrganization();
  const place = useParams({ from: '/signed-in/o/$organizationId/translations/$translationId' });
  const translation = useQuery({ ...translationQuery(place), enabled: permissions.admin });
  if (!permissions.admin) return <EmptyScreen order={1} title={words.title} text={serviceTexts.hidden} />;
  return (
    <Loaded query={translation}>
      {(found) => (
        <ScreenFrame
          title={words.direction(languageName(found.source.language), languageName(found.language), found.variant)}
          above={
            <Box mb="sm">
              <TextLink label={words.title} size="sm" to="/o/$organizationId/translations" params={place} />
            </Box>
          }
          actions={<Actions place={place} />}
        >
          <Stack>
            <Standing translation={found} place={place} />
            <ScreenTabs
              labels={words.parts}
              contents={{
                texts: <Segments translation={found} place={place} />,
                pages: <TranslatedPages translation={found} place={place} />,
                files: <TranslationFiles place={place} />,
                // Fields begin anew with other settings only: not with each run.
                settings: (
                  <Settings
                    key={JSON.stringify([found.instructions, found.slugs, found.readerNote, found.review])}
                    {...{ place }}
                    translation={found}
                  />
                ),
              }}
            />
          </Stack>
        </ScreenFrame>
      )}
    </Loaded>
  );
}

function Actions({ place }: Readonly<{ place: TranslationPlace }>) {
  const navigate = useNavigate();
  const end = async (): Promise<void> => {
    await send('delete', TRANSLATION, place);
    await navigate({ to: '/o/$organizationId/translations', params: place });
  };
  return (
    <Group gap="xs">
      <ActionButton
        label={words.run}
        action={() => send('post', `${TRANSLATION}/run`, place)}
        refresh={translationKey(place)}
        done={words.runAsked}
      />
      <ActionButton
        label={words.end}
        color="red"
        ask={{ title: words.endTitle, text: words.endText, action: words.end, color: 'red' }}
        action={end}
        refresh={[...translationsKey(place.organizationId), 'list']}
        done={words.ended}
      />
    </Group>
  );
}

/** The two spaces, the state of the latest run, and the states of the texts. */
function Standing({ translation, place }: TranslationProps) {
  const { source, result, stats, error } = translation;
  const { organizationId } = place;
  // The list stays on the screen, with all that was loaded, until the new texts are there.
  useDidUpdate(
    () => void queries.invalidateQueries({ queryKey: contentsKey(place) }),
    [translation.status, stats.runs],
  );
  const { data: spaces = [] } = useQuery(spacesQuery(organizationId));
  const { data: counts } = useQuery(countsQuery(place));
  const all = counts ? SEGMENT_STATES.reduce((sum, state) => sum + counts[state], 0) : 0;
  const titleOf = (id: string): string => spaces.find((space) => space.id === id)?.title ?? id;
  return (
    <>
      <Group gap="xs" role="status">
        <TranslationBadge translation={translation} />
        <TextLink
          label={words.sourceSpace(titleOf(source.space))}
          size="sm"
          to="/o/$organizationId/s/$spaceId"
          params={{ organizationId, spaceId: source.space }}
        />
        <TextLink
          label={words.resultSpace(titleOf(result.space))}
          size="sm"
          to="/o/$organizationId/s/$spaceId"
          params={{ organizationId, spaceId: result.space }}
        />
        {result.changeRequest !== undefined && (
          <TextLink
            label={words.inReview}
            size="sm"
            to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId"
            params={{ organizationId, spaceId: result.space, changeRequestId: result.changeRequest }}
          />
        )}
        <Note>{words.stats(stats.runs, stats.totalPages, stats.totalWords)}</Note>
      </Group>
      {error !== undefined && (
        <Alert color={translation.status === 'completed' ? 'red' : 'yellow'} title={words.failedTitle} role="alert">
          <bdi>{error}</bdi>
        </Alert>
      )}
      {counts && all > 0 && (
        <div>
          <Progress.Root size="lg" aria-hidden>
            {SEGMENT_STATES.map((state) => (
              <Progress.Section key={state} value={(100 * counts[state]) / all} color={COLORS[state]} />
            ))}
          </Progress.Root>
          <Note>{words.counts(counts)}</Note>
        </div>
      )}
    </>
  );
}
