import { queryOptions } from '@tanstack/react-query';
import { ApiError, get, queries, send, type Schemas } from '../../api/client.js';
import { siteTexts } from '../../texts/sites.js';
import { placedSpaces, SITE, siteKey, structureQuery, type SitePlace } from '../queries.js';

export type Period = keyof typeof siteTexts.insights.periods;

const MOST = 20;
const LONGEST_LABEL = 40;
const DAY = 86_400_000;
/** The width of the columns of a chart, and the days that a period has. */
const PERIODS = {
  last24Hours: ['hour', 1],
  last7Days: ['day', 7],
  last30Days: ['day', 30],
  last3Months: ['week', 91],
  lastYear: ['month', 365],
} as const satisfies Readonly<Record<Period, readonly [string, number]>>;

export type Series = 'views' | 'visitors' | 'times' | 'unanswered' | 'good' | 'ok' | 'bad' | 'requests';

/** A row of a chart and of its table: a name, and its numbers. */
export type Row = Readonly<{ id: string; name: string } & Partial<Record<Series, number>>>;

type Column = Readonly<{ column: string; interval?: string }>;
type Aggregation = Readonly<{
  select: readonly Column[];
  where?: readonly Readonly<{ column: string; values: readonly string[] }>[];
  order?: Readonly<{ by: Column; direction: 'asc' | 'desc' }>;
  limit?: number;
}>;

/** The values of the columns, row by row. */
async function rowsOf(place: SitePlace, range: Period, aggregation: Aggregation): Promise<unknown[][]> {
  const body = { range, limit: 1000, ...aggregation };
  const { columns } = await send('post', `${SITE}/insights/events/aggregate`, place, body as never);
  const values = columns.map((column) => column.values);
  return (values[0] ?? []).map((_, row) => values.map((column) => column[row]));
}

const keyOf = (place: SitePlace, name: string, period: Period) => [...siteKey(place), 'insights', name, period];
const options = <Data>(place: SitePlace, name: string, period: Period, queryFn: () => Promise<Data>) =>
  queryOptions({ queryKey: keyOf(place, name, period), staleTime: 60_000, queryFn });

/** A time as the middle of the words of an axis. */
function timeName(at: string, interval: string): string {
  const format: Intl.DateTimeFormatOptions =
    interval === 'hour'
      ? { hour: '2-digit', minute: '2-digit' }
      : interval === 'month'
        ? { month: 'short', year: 'numeric', timeZone: 'UTC' }
        : { day: 'numeric', month: 'short', timeZone: 'UTC' };
  return new Intl.DateTimeFormat(undefined, format).format(new Date(at));
}

const count = (value: unknown): number => (typeof value === 'number' ? value : 0);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const overTime = (period: Period) => {
  const time = { column: 'datetime', interval: PERIODS[period][0] };
  return { time, order: { by: time, direction: 'asc' } } as const;
};

/** Views and visitors of pages over time. */
export const visitsQuery = (place: SitePlace, period: Period) =>
  options(place, 'visits', period, async () => {
    const { time, order } = overTime(period);
    const rows = await rowsOf(place, period, {
      select: [time, { column: 'eventsCount' }, { column: 'visitorsCount' }],
      where: [{ column: 'eventType', values: ['page_view'] }],
      order,
    });
    return rows.map(([at, views, visitors]): Row => {
      const id = text(at);
      return { id, name: timeName(id, time.interval), views: count(views), visitors: count(visitors) };
    });
  });

/** The pages that were read most, by their addresses. */
export const pagesQuery = (place: SitePlace, period: Period) =>
  options(place, 'pages', period, async () => {
    const by = { column: 'eventsCount' };
    const rows = await rowsOf(place, period, {
      select: [{ column: 'url' }, by],
      where: [{ column: 'eventType', values: ['page_view'] }],
      order: { by, direction: 'desc' },
      limit: MOST,
    });
    return rows.map(([url, views]): Row => {
      const id = text(url);
      return { id, name: shortened(pathOf(id)), views: count(views) };
    });
  });

const beginningOf = (period: Period): string => new Date(Date.now() - PERIODS[period][1] * DAY).toISOString();

/** The words that readers searched for most; `isUnanswered`: those that found nothing. */
export const searchesQuery = (place: SitePlace, period: Period, isUnanswered: boolean) =>
  options(place, isUnanswered ? 'unanswered' : 'searches', period, async () => {
    const { items } = await get(`${SITE}/search-queries`, place, {
      from: beginningOf(period),
      limit: MOST,
      ...(isUnanswered && { unanswered: true }),
    });
    return items.map(({ query, searches, unanswered }): Row => ({
      id: query,
      name: shortened(query),
      times: searches,
      unanswered,
    }));
  });

/** An address at which readers found no page, with the page that the last of them came from. */
export type MissingAddress = Row & Readonly<{ from: string | undefined; at: string }>;

/** The addresses at which readers found no page most. */
export const missingQuery = (place: SitePlace, period: Period) =>
  options(place, 'missing', period, async () => {
    const { items } = await get(`${SITE}/missing-addresses`, place, { from: beginningOf(period), limit: MOST });
    return items.map(({ path, requests, referrer, lastAskedAt }): MissingAddress => ({
      id: path,
      name: shortened(path),
      requests,
      from: referrer,
      at: lastAskedAt,
    }));
  });

/** The ratings of pages over time. */
export const ratingsQuery = (place: SitePlace, period: Period) =>
  options(place, 'ratings', period, async () => {
    const { time, order } = overTime(period);
    const rows = await rowsOf(place, period, {
      select: [time, { column: 'pageFeedbackRating' }],
      where: [{ column: 'eventType', values: ['page_post_feedback', 'page_post_feedback_comment'] }],
      order,
    });
    return rows.map(([at, ratings]): Row => {
      const { good, ok, bad } = (ratings ?? {}) as Readonly<Record<string, unknown>>;
      const id = text(at);
      return { id, name: timeName(id, time.interval), good: count(good), ok: count(ok), bad: count(bad) };
    });
  });

/** The comments of readers on pages, the latest first. */
export const commentsQuery = (place: SitePlace, period: Period) =>
  options(place, 'comments', period, async () => {
    const time = { column: 'datetime', interval: 'hour' };
    const rows = await rowsOf(place, period, {
      select: [time, { column: 'url' }, { column: 'eventPageFeedbackRating' }, { column: 'eventPageFeedbackComment' }],
      where: [{ column: 'eventType', values: ['page_post_feedback_comment'] }],
      order: { by: time, direction: 'desc' },
      limit: 100,
    });
    return rows.map(([at, url, rating, comment], index) => ({
      id: String(index),
      at: text(at),
      page: text(url),
      rating: text(rating),
      comment: text(comment),
    }));
  });

const SPACES = 20;

/** Links of the spaces of a site that lead to nothing, the first of each space. */
export const brokenLinksQuery = (place: SitePlace) =>
  queryOptions({
    queryKey: [...siteKey(place), 'broken-links'],
    staleTime: 60_000,
    queryFn: async () => {
      const { structure } = await queries.fetchQuery(structureQuery(place));
      const spaces = new Map(placedSpaces(structure).map(({ siteSpace: { space } }) => [space.id, space.title]));
      const first = [...spaces].slice(0, SPACES);
      const reports = await Promise.all(
        first.map(async ([spaceId, space]) => {
          const items = await brokenIn(spaceId);
          return items.map((link, index) => ({ ...brokenLink(link), id: `${spaceId} ${index}`, space }));
        }),
      );
      return reports.flat();
    },
  });

/** The broken links of a space; none where a person may read the site, and not this space of it. */
async function brokenIn(spaceId: string): Promise<readonly Schemas['LinkUsage'][]> {
  try {
    return (await get('/v1/spaces/{spaceId}/links', { spaceId }, { status: 'broken', limit: MOST })).items;
  } catch (error) {
    if (error instanceof ApiError && [403, 404].includes(error.status)) return [];
    throw error;
  }
}

/** A broken link by the names of its target, as far as they are known, and of the first pages with it. */
function brokenLink({ targetReference: to, locationReferences }: Schemas['LinkUsage']) {
  const pages = new Map(locationReferences.map(({ page }) => [page?.id, page]));
  return {
    target: to?.url ?? to?.page?.title ?? to?.file?.name ?? to?.reusableContent?.title ?? '–',
    pages: [...pages.values()].flatMap((page) =>
      page ? [{ id: page.id, title: page.title, app: page.urls?.app }] : [],
    ),
  };
}

function pathOf(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    return url;
  }
}

const shortened = (name: string): string => {
  const letters = [...name];
  return letters.length > LONGEST_LABEL ? `${letters.slice(0, LONGEST_LABEL - 1).join('')}…` : name;
};
