import { Badge, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { get, send, useList } from '../../api/client.js';
import { refreshTree, spacesQuery, useOrganization } from '../../people/queries.js';
import { serviceTexts } from '../../texts/services.js';
import { Button, TextLink } from '../../ui/buttons.js';
import { changing, FlagField, FormDialog, TextField, useText } from '../../ui/forms.js';
import { EmptyScreen, ScreenFrame, ScreenTabs, Time } from '../../ui/screens.js';
import { ListTable, RowName } from '../../ui/tables.js';
import { usePolling } from '../polling.js';
import { Glossary } from './glossary.js';
import { languageName, LanguageSelect, type Language } from './languages.js';
import { isRunning, TRANSLATIONS, translationsKey, type Translation } from './queries.js';

const words = serviceTexts.translations;

/** The translations of an organization and its glossary, for administrators. */
export function TranslationsScreen() {
  const { id: organizationId, permissions } = useOrganization();
  const [isNew, setNew] = useState(false);
  if (!permissions.admin) return <EmptyScreen order={1} title={words.title} text={serviceTexts.hidden} />;
  return (
    <ScreenFrame title={words.title} actions={<Button label={words.make} onClick={() => setNew(true)} />}>
      <ScreenTabs
        labels={words.tabs}
        contents={{
          translations: <Translations organizationId={organizationId} />,
          glossary: <Glossary organizationId={organizationId} />,
        }}
      />
      {isNew && <NewTranslation organizationId={organizationId} onClose={() => setNew(false)} />}
    </ScreenFrame>
  );
}

type OfOrganization = Readonly<{ organizationId: string }>;

function Translations({ organizationId }: OfOrganization) {
  const { data: spaces = [] } = useQuery(spacesQuery(organizationId));
  const key = [...translationsKey(organizationId), 'list'];
  const translations = useList<Translation>(key, (page) => get(TRANSLATIONS, { organizationId }, { page }));
  usePolling(key, translations.data?.pages.some(({ items }) => items.some(isRunning)) ?? false);
  return (
    <ListTable
      query={translations}
      empty={<EmptyScreen title={words.none} text={words.noneText} />}
      columns={[
        {
          heading: words.translation,
          cell: ({ id, source, language, variant }) => (
            <RowName below={<bdi>{spaces.find((space) => space.id === source.space)?.title ?? source.space}</bdi>}>
              <TextLink
                label={words.direction(languageName(source.language), languageName(language), variant)}
                to="/o/$organizationId/translations/$translationId"
                params={{ organizationId, translationId: id }}
              />
            </RowName>
          ),
        },
        { heading: serviceTexts.state, cell: (translation) => <TranslationBadge translation={translation} /> },
        { heading: words.made, cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}

/** How the latest run of a translation went, or goes. */
export function TranslationBadge({ translation }: Readonly<{ translation: Translation }>) {
  const { status, error } = translation;
  if (status === 'completed' && error !== undefined) return <Badge color="red">{words.failed}</Badge>;
  return <Badge color={status === 'completed' ? 'green' : 'blue'}>{words.states[status]}</Badge>;
}

function NewTranslation({ organizationId, onClose }: OfOrganization & Readonly<{ onClose: () => void }>) {
  const navigate = useNavigate();
  const { data: spaces = [] } = useQuery(spacesQuery(organizationId));
  const [space, setSpace] = useState<string | null>(null);
  const [from, setFrom] = useState<Language | null>(null);
  const [language, setLanguage] = useState<Language | null>(null);
  const [translatesSlugs, setTranslatesSlugs] = useState(false);
  const [readerNote, setReaderNote] = useState(false);
  const [review, setReview] = useState(false);
  const variant = useText('');
  const choose = (id: string | null): void => {
    setSpace(id);
    setFrom(spaces.find((each) => each.id === id)?.language ?? from);
  };
  const isReady = space !== null && from !== null && language !== null && from !== language;
  const make = async (): Promise<void> => {
    if (!isReady) return;
    const name = variant.value.trim();
    const slugs = translatesSlugs ? 'translate' : 'keep';
    const body = {
      source: { space, language: from },
      language,
      slugs,
      readerNote,
      review,
      ...(name !== '' && { variant: name }),
    } as const;
    const { id } = await send('post', TRANSLATIONS, { organizationId }, body);
    // The space of the result is in the tree now.
    await refreshTree(organizationId);
    await navigate({
      to: '/o/$organizationId/translations/$translationId',
      params: { organizationId, translationId: id },
    });
  };
  return (
    <FormDialog
      title={words.make}
      text={words.makeText}
      action={words.makeAction}
      disabled={!isReady}
      onSubmit={changing(make, { refresh: translationsKey(organizationId) })}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Select
          label={words.space}
          data={spaces.map(({ id, title }) => ({ value: id, label: title }))}
          value={space}
          onChange={choose}
          searchable
        />
        <LanguageSelect label={words.from} value={from} onChange={setFrom} />
        <LanguageSelect
          label={words.into}
          value={language}
          onChange={setLanguage}
          without={from === null ? [] : [from]}
        />
        <TextField {...variant} label={words.variant} description={words.variantHelp} maxLength={20} dir="auto" />
        <FlagField
          label={words.slugs}
          description={words.slugsHelp}
          checked={translatesSlugs}
          onFlag={setTranslatesSlugs}
        />
        <FlagField
          label={words.readerNote}
          description={words.readerNoteHelp}
          checked={readerNote}
          onFlag={setReaderNote}
        />
        <FlagField label={words.review} description={words.reviewHelp} checked={review} onFlag={setReview} />
      </Stack>
    </FormDialog>
  );
}
