import { SegmentedControl, Select, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { siteTexts } from '../../texts/sites.js';
import { AppLink } from '../../ui/buttons.js';
import { Loaded, LoadingScreen, Note, Section, Time } from '../../ui/screens.js';
import { DataTable } from '../../ui/tables.js';
import type { SitePlace } from '../queries.js';
import {
  brokenLinksQuery,
  commentsQuery,
  pagesQuery,
  ratingsQuery,
  searchesQuery,
  visitsQuery,
  type Period,
  type Row,
  type Series,
} from './queries.js';

/** The library of charts is loaded when the first one is shown. */
const Chart = lazy(() => import('./chart.js').then(({ Chart: loaded }) => ({ default: loaded })));
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
      <BrokenLinks place={place} />
    </Stack>
  );
}

/** The names of the series of numbers. */
const SERIES: Readonly<Record<Series, string>> = {
  views: words.views,
  visitors: words.visitors,
  times: words.times,
  unanswered: words.unansweredTimes,
  good: words.good,
  ok: words.ok,
  bad: words.bad,
};

interface CountedProps {
  readonly title: string;
  readonly kind: 'line' | 'bars' | 'columns';
  /** The heading of the names of the rows. */
  readonly names: string;
  readonly series: readonly Series[];
  readonly query: Parameters<typeof Loaded<Row[]>>[0]['query'];
}

/** Numbers as a chart, or as a table for those who cannot see it, or want the exact ones. */
function Counted({ title, kind, names, series, query }: CountedProps) {
  const [view, setView] = useState('chart');
  const views = [
    { value: 'chart', label: words.asChart },
    { value: 'table', label: words.asTable },
  ];
  return (
    <Section
      title={title}
      actions={
        <SegmentedControl size="xs" aria-label={words.viewOf(title)} data={views} value={view} onChange={setView} />
      }
    >
      <Loaded query={query} empty={<Note>{words.none}</Note>}>
        {(rows) =>
          view === 'table' ? (
            <Numbers title={title} names={names} series={series} rows={rows} />
          ) : (
            <Suspense fallback={<LoadingScreen />}>
              <Chart
                label={words.chartOf(title)}
                kind={kind}
                rows={rows}
                series={series.map((name) => ({ name, label: SERIES[name] }))}
              />
            </Suspense>
          )
        }
      </Loaded>
    </Section>
  );
}

type NumbersProps = Pick<CountedProps, 'title' | 'names' | 'series'> & Readonly<{ rows: readonly Row[] }>;

function Numbers({ title, names, series, rows }: NumbersProps) {
  return (
    <Table.ScrollContainer minWidth={320} mah={400} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table>
        <caption>
          <VisuallyHidden>{title}</VisuallyHidden>
        </caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{names}</Table.Th>
            {series.map((name) => (
              <Table.Th key={name} ta="end">
                {SERIES[name]}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Th scope="row" fw={400}>
                <bdi>{names === words.time ? row.name : row.id}</bdi>
              </Table.Th>
              {series.map((name) => (
                <Table.Td key={name} ta="end">
                  {row[name]}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
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
