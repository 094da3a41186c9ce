import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, useList, type Schemas } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { serviceTexts } from '../../texts/services.js';
import { ButtonLink, TextLink } from '../../ui/buttons.js';
import { EmptyScreen } from '../../ui/screens.js';
import { ListTable } from '../../ui/tables.js';
import { pagesQuery } from '../../writing/queries.js';
import { treeData } from '../../writing/tree/tree-data.js';
import { contentsKey, TRANSLATION, type Translation, type TranslationPlace } from './queries.js';
import { SegmentBadge, StateFilter, type StateOrAll } from './segments.js';

type TranslatedPagesProps = Readonly<{ translation: Translation; place: TranslationPlace }>;

const words = serviceTexts.translations;

/** The pages of a translation with the states of their texts; those that are outdated can be chosen. */
export function TranslatedPages({ translation, place }: TranslatedPagesProps) {
  const [state, setState] = useState<StateOrAll>('all');
  const { organizationId } = place;
  const spaceId = translation.result.space;
  const { data: tree } = useQuery(pagesQuery({ organizationId, spaceId }));
  const { items: known } = treeData(tree ?? []);
  const key = [...contentsKey(place), 'pages', state];
  const pages = useList<Schemas['TranslatedPageBody']>(key, (page) =>
    get(`${TRANSLATION}/pages`, place, { page, ...(state !== 'all' && { state }) }),
  );
  const titleOf = (id: string): string => known.get(id)?.title ?? id;
  return (
    <Stack>
      <Group>
        <StateFilter state={state} onState={setState} />
      </Group>
      <ListTable
        query={pages}
        empty={<EmptyScreen title={words.noPages} text={words.noTextsText} />}
        columns={[
          {
            heading: words.page,
            cell: ({ id }) => (
              <TextLink
                label={<bdi>{titleOf(id)}</bdi>}
                to="/o/$organizationId/s/$spaceId/~/pages/$pageId"
                params={{ organizationId, spaceId, pageId: id }}
              />
            ),
          },
          { heading: serviceTexts.state, cell: (page) => <SegmentBadge state={page.state} /> },
          {
            heading: words.parts.texts,
            cell: ({ segments }) => words.counts(segments),
          },
          {
            heading: texts.people.people.actions,
            isButtons: true,
            cell: ({ id }) => (
              <ButtonLink
                label={words.parts.texts}
                aria-label={words.textsOf(titleOf(id))}
                size="xs"
                to="/o/$organizationId/translations/$translationId"
                params={place}
                search={{ tab: 'texts', page: id }}
              />
            ),
          },
        ]}
      />
    </Stack>
  );
}
