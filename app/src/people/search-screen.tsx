import { Highlight, Stack, Text, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useParams, useSearch, useNavigate } from '@tanstack/react-router';
import { useState, type KeyboardEvent } from 'react';
import IconSearch from '~icons/fa7-solid/magnifying-glass';
import { useList } from '../api/client.js';
import { texts } from '../texts/en.js';
import { searchTexts } from '../texts/search.js';
import { AppLink } from '../ui/buttons.js';
import { TextField } from '../ui/forms.js';
import { LoadedList, Note, ScreenFrame, EmptyScreen } from '../ui/screens.js';
import { foundWords, searchedWords } from './highlight.js';
import { searchPage, type SearchHit, type SpaceHit } from './queries.js';

const WAIT = 250;
const words = searchTexts;

export function SearchScreen() {
  const { query = '' } = useSearch({ from: '/signed-in/o/$organizationId/search' });
  const navigate = useNavigate({ from: '/o/$organizationId/search' });
  const [typed, setTyped] = useState(query);
  const search = useDebouncedCallback(
    (text: string) => void navigate({ search: text.trim() === '' ? {} : { query: text.trim() }, replace: true }),
    WAIT,
  );
  return (
    <ScreenFrame title={texts.services.search}>
      <div role="search" onKeyDown={moveFocus}>
        <TextField
          type="search"
          size="md"
          mb="lg"
          aria-label={words.field}
          placeholder={words.field}
          description={words.help}
          leftSection={<IconSearch />}
          value={typed}
          onText={(text) => {
            setTyped(text);
            search(text);
          }}
          autoFocus
          maxLength={512}
        />
        {query === '' ? <EmptyScreen title={words.startTitle} text={words.startText} /> : <Hits query={query} />}
      </div>
    </ScreenFrame>
  );
}

/** Arrow keys go through the field and the hits. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const places = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a[href]')];
  const next = places[places.findIndex((place) => place === document.activeElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function Hits({ query }: Readonly<{ query: string }>) {
  const { organizationId } = useParams({ from: '/signed-in/o/$organizationId/search' });
  const hits = useList<SpaceHit>(
    ['search', organizationId, query, 'all'],
    (page) => searchPage(organizationId, query, page),
    keepPreviousData,
  );
  const searched = searchedWords(query);
  return (
    <LoadedList query={hits} empty={<EmptyScreen title={words.nothing(query)} text={words.nothingText} />}>
      {(spaces) => (
        <Stack gap="xl" aria-live="polite" aria-busy={hits.isFetching}>
          {spaces.map(({ id, title, pages }) => (
            <section key={id}>
              <Title order={2} size="h3" c="dimmed" mb="xs">
                {title}
              </Title>
              <Stack gap="md">
                {pages.map((page) => (
                  <Hit key={page.id} page={page} searched={searched} />
                ))}
              </Stack>
            </section>
          ))}
        </Stack>
      )}
    </LoadedList>
  );
}

function Hit({ page, searched }: Readonly<{ page: SearchHit; searched: readonly string[] }>) {
  const { title, ancestors, sections, urls } = page;
  return (
    <div>
      <AppLink url={urls.app} fw={600}>
        <Highlighted text={title} searched={searched} />
      </AppLink>
      {ancestors.length > 0 && <Note size="xs">{ancestors.map((ancestor) => ancestor.title).join(' / ')}</Note>}
      {sections.map((section) => (
        <div key={section.id}>
          {section.title !== title && (
            <AppLink url={section.urls.app} size="sm">
              <Highlighted text={section.title} searched={searched} />
            </AppLink>
          )}
          <Text size="sm" lineClamp={3}>
            <Highlighted text={section.body} searched={searched} />
          </Text>
        </div>
      ))}
    </div>
  );
}

type HighlightedProps = Readonly<{ text: string; searched: readonly string[] }>;

function Highlighted({ text, searched }: HighlightedProps) {
  return <Highlight component="span" inherit wholeWord highlight={foundWords(text, searched)} children={text} />;
}
