import { BarChart, LineChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { Box } from '@mantine/core';
import type { Row, Series } from './queries.js';

const COLORS: Readonly<Record<Series, string>> = {
  views: 'blue.6',
  visitors: 'grape.6',
  times: 'blue.6',
  unanswered: 'orange.6',
  good: 'teal.6',
  ok: 'yellow.6',
  bad: 'red.6',
  requests: 'red.6',
};
const [HEIGHT, BAR_HEIGHT, NAMES_WIDTH] = [260, 28, 180];

/** The picture has one name; its parts are in the table. */
const PICTURE = { accessibilityLayer: false };

interface ChartProps {
  readonly label: string;
  readonly kind: 'line' | 'bars' | 'columns';
  readonly rows: readonly Row[];
  readonly series: readonly Readonly<{ name: Series; label: string }>[];
}

/** Numbers as a picture: lines and columns over time, bars for names. */
export function Chart({ label, kind, rows, series }: ChartProps) {
  const props = {
    data: [...rows],
    dataKey: 'name',
    series: series.map(({ name, label: title }) => ({ name, label: title, color: COLORS[name] })),
    withLegend: series.length > 1,
  };
  return (
    <Box role="img" aria-label={label} dir="ltr">
      {kind === 'line' ? (
        <LineChart {...props} h={HEIGHT} lineChartProps={PICTURE} />
      ) : kind === 'columns' ? (
        <BarChart {...props} h={HEIGHT} type="stacked" barChartProps={PICTURE} />
      ) : (
        <BarChart
          {...props}
          h={rows.length * BAR_HEIGHT + 60}
          orientation="vertical"
          yAxisProps={{ width: NAMES_WIDTH }}
          barChartProps={PICTURE}
        />
      )}
    </Box>
  );
}
