import { Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOrganization } from '../../people/queries.js';
import { siteTexts } from '../../texts/sites.js';
import { AppLink } from '../../ui/buttons.js';
import { Loaded, Note, Section, Time } from '../../ui/screens.js';
import { DataTable } from '../../ui/tables.js';
import type { SitePlace } from '../queries.js';
import { Counted } from './counted.js';
import { Findings } from './findings.js';
import { MissingAddresses } from './missing-addresses.js';
import {
  brokenLinksQuery,
  commentsQuery,
  pagesQuery,
  ratingsQuery,
  searchesQuery,
  visitsQuery,
  type Period,
} from './queries.js';

const words = siteTexts.insights;
const PERIODS = Object.keys(words.periods) as Period[];

type InsightsProps = Readonly<{ place: SitePlace }>;

/** The doings of readers in a period, as charts and as tables. */
export function Insights({ place }: InsightsProps) {
  const [period, setPeriod] = useState<Period>('last30Days');
  const visits = useQuery(visitsQuery(place, period));
  const pages = useQuery(pagesQuery(place, period));
  const searches = useQuery(searchesQuery(place, period, false));
  const unanswered = useQuery(searchesQuery(place, period, true));
  const ratings = useQuery(ratingsQuery(place, period));
  const { permissions } = useOrganization();
  return (
    <Stack>
      <Select
        label={words.period}
        maw={220}
        data={PERIODS.map((value) => ({ value, label: words.periods[value] }))}
        value={period}
        onChange={(chosen) => setPeriod(PERIODS.find((each) => each === chosen) ?? period)}
      />
      <Counted title={words.visits} kind="line" names={words.time} series={['views', 'visitors']} query={visits} />
      <Counted title={words.pages} kind="bars" names={words.page} series={['views']} query={pages} />
      <Counted title={words.searches} kind="bars" names={words.query} series={['times']} query={searches} />
      <Counted title={words.unanswered} kind="bars" names={words.query} series={['unanswered']} query={unanswered} />
      <Counted
        title={words.feedback}
        kind="columns"
        names={words.time}
        series={['good', 'ok', 'bad']}
        query={ratings}
      />
      <Comments place={place} period={period} />
      <MissingAddresses place={place} period={period} />
      {permissions.viewConversations && <Findings place={place} />}
      <BrokenLinks place={place} />
    </Stack>
  );
}

function Comments({ place, period }: InsightsProps & Readonly<{ period: Period }>) {
  const comments = useQuery(commentsQuery(place, period));
  return (
    <Section title={words.comments}>
      <Loaded query={comments} empty={<Note>{words.none}</Note>}>
        {(all) => (
          <DataTable
            items={all}
            columns={[
              {
                heading: words.comment,
                cell: ({ comment }) => (
                  <Text size="sm" dir="auto" className="plain-text">
                    {comment}
                  </Text>
                ),
              },
              {
                heading: words.rating,
                cell: ({ rating }) => (rating === 'good' || rating === 'ok' || rating === 'bad' ? words[rating] : '–'),
              },
              { heading: words.page, cell: ({ page }) => <bdi>{page}</bdi> },
              { heading: words.time, cell: ({ at }) => <Time at={at} /> },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

function BrokenLinks({ place }: InsightsProps) {
  const links = useQuery(brokenLinksQuery(place));
  return (
    <Section title={words.broken}>
      <Note>{words.brokenText}</Note>
      <Loaded query={links} empty={<Note>{words.noneBroken}</Note>}>
        {(all) => (
          <DataTable
            items={all}
            columns={[
              { heading: words.target, cell: ({ target }) => <bdi>{target}</bdi> },
              { heading: words.space, cell: ({ space }) => space },
              {
                heading: words.places,
                cell: ({ pages }) => (
                  <Stack gap={2}>
                    {pages.map(({ id, title, app }) =>
                      app === undefined ? (
                        title
                      ) : (
                        <AppLink key={id} url={app}>
                          {title}
                        </AppLink>
                      ),
                    )}
                  </Stack>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
