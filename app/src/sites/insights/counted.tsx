import { SegmentedControl, Table, VisuallyHidden } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { findingTexts } from '../../texts/findings.js';
import { siteTexts } from '../../texts/sites.js';
import { Loaded, LoadingScreen, Note, Section } from '../../ui/screens.js';
import type { Row, Series } from './queries.js';

/** The library of charts is loaded when the first one is shown. */
const Chart = lazy(() => import('./chart.js').then(({ Chart: loaded }) => ({ default: loaded })));
const words = siteTexts.insights;

/** The names of the series of numbers. */
const SERIES: Readonly<Record<Series, string>> = {
  views: words.views,
  visitors: words.visitors,
  times: words.times,
  unanswered: words.unansweredTimes,
  good: words.good,
  ok: words.ok,
  bad: words.bad,
  requests: findingTexts.missing.requests,
};

interface CountedProps<Counts extends Row> {
  readonly title: string;
  readonly text?: string;
  readonly kind: 'line' | 'bars' | 'columns';
  /** The heading of the names of the rows. */
  readonly names: string;
  readonly series: readonly Series[];
  readonly query: Parameters<typeof Loaded<Counts[]>>[0]['query'];
  /** The rows as a table, where it says more than the chart. */
  readonly table?: (rows: Counts[]) => ReactNode;
}

/** Numbers as a chart, or as a table for those who cannot see it, or want the exact ones. */
export function Counted<Counts extends Row>(props: CountedProps<Counts>) {
  const { title, text, kind, names, series, query, table } = props;
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
      {text !== undefined && <Note>{text}</Note>}
      <Loaded query={query} empty={<Note>{words.none}</Note>}>
        {(rows) =>
          view === 'table' ? (
            (table?.(rows) ?? <Numbers title={title} names={names} series={series} rows={rows} />)
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

type NumbersProps = Pick<CountedProps<Row>, 'title' | 'names' | 'series'> & Readonly<{ rows: readonly Row[] }>;

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
