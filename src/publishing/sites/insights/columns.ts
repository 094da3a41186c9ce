import { BOTS, BROWSERS, DEVICES, SYSTEMS } from '../domain/user-agent.js';
import { CONTEXTS, EVENT_TYPES, RATINGS } from './events.schema.js';

/** A column of queries over events `e`. */
export interface InsightsColumn {
  /** SQL; `$claim` is replaced by the parameter with the name of a claim, `$interval` by the word of an interval. */
  readonly expression: string;
  /** Counts rows: it is never grouped by, and conditions on it apply after counting. */
  readonly isMetric?: true;
  /** Events without a value do not count, since its values are never null. */
  readonly isNeeded?: true;
  /** Stored as the index of a name in this list. */
  readonly names?: readonly string[];
  readonly type: 'text' | 'number' | 'time' | 'json';
  /** Read from a separate row for each claim. */
  readonly perClaim?: true;
}

const text = (expression: string): InsightsColumn => ({ expression, type: 'text' });
const needed = (expression: string): InsightsColumn => ({ expression, type: 'text', isNeeded: true });
const named = (expression: string, names: readonly string[]): InsightsColumn => ({ expression, type: 'number', names });
const metric = (expression: string, type: InsightsColumn['type'] = 'number'): InsightsColumn => ({
  expression,
  type,
  isMetric: true,
});
const fact = (name: string): string => `e.facts ->> '${name}'`;
const given = (name: string): string => `coalesce(e.facts ->> '${name}', '')`;
/** A comment on a page repeats the rating that was counted before it. */
const rated = (name: string, value: string): string =>
  `count(*) FILTER (WHERE e.facts ->> '${name}' = '${value}' AND NOT e.facts ? 'eventPageFeedbackComment')`;

/**
 * Always null, because the locations of visitors are unknown: their addresses are not stored, and there is no
 * geographical database.
 */
const NOWHERE = text('NULL::text');

/** Every column, by its name in the public API. */
export const COLUMNS = {
  datetime: { expression: `date_trunc($interval, e.at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`, type: 'time' },
  url: text('e.url'),
  eventType: named('e.type', EVENT_TYPES),
  eventsCount: metric('count(*)::float8'),
  sessionsCount: metric('count(DISTINCT e.session)::float8'),
  visitorsCount: metric('count(DISTINCT e.visitor)::float8'),
  siteSection: text('e.section_id'),
  siteSpace: text('e.site_space_id'),
  siteShareKey: text('e.share_key'),
  displayContext: named('e.context', CONTEXTS),
  page: {
    expression: `CASE WHEN e.page_space_id IS NOT NULL THEN jsonb_build_object('page', e.page_id, 'space', e.page_space_id) END`,
    type: 'json',
  },
  visitorGeoCountry: NOWHERE,
  visitorGeoPoint: NOWHERE,
  visitorDevice: named('e.device', DEVICES),
  visitorBrowser: named('e.browser', BROWSERS),
  visitorOS: named('e.os', SYSTEMS),
  visitorBot: named('e.bot', BOTS),
  visitorLanguage: text('e.language'),
  eventLinkTargetValue: { expression: `e.facts -> 'eventLinkTargetValue'`, type: 'json', isNeeded: true },
  eventLinkTargetKind: needed(fact('eventLinkTargetKind')),
  eventLinkTargetDomain: text(fact('eventLinkTargetDomain')),
  eventLinkPosition: needed(fact('eventLinkPosition')),
  eventAPIOperationPath: text(fact('eventAPIOperationPath')),
  eventAPIOperationMethod: text(fact('eventAPIOperationMethod')),
  eventSearchQuery: needed(fact('eventSearchQuery')),
  eventPageFeedbackRating: needed(fact('eventPageFeedbackRating')),
  eventPageFeedbackComment: needed(fact('eventPageFeedbackComment')),
  eventAskResponseRating: { expression: `(${fact('eventAskResponseRating')})::float8`, type: 'number', isNeeded: true },
  pageFeedbackRating: metric(
    `jsonb_build_object(${RATINGS.map((rating) => `'${rating}', ${rated('eventPageFeedbackRating', rating)}`).join(', ')})`,
    'json',
  ),
  askResponseRating: metric(
    `jsonb_build_object('positive', ${rated('eventAskResponseRating', '1')}, 'negative', ${rated('eventAskResponseRating', '-1')})`,
    'json',
  ),
  referrer: text(`coalesce(e.referrer, '')`),
  referrerDomain: text(`coalesce(substring(e.referrer from '^[a-z]+://([^/]*)'), '')`),
  utmSource: text(given('utmSource')),
  utmMedium: text(given('utmMedium')),
  utmCampaign: text(given('utmCampaign')),
  utmTerm: text(given('utmTerm')),
  utmContent: text(given('utmContent')),
  visitorClaimProperty: { expression: 'property.name', type: 'text', perClaim: true },
  visitorClaim: needed('e.claims ->> $claim'),
  eventAdDomain: needed(fact('eventAdDomain')),
  eventAdPlacement: needed(fact('eventAdPlacement')),
  eventTrademarkPlacement: needed(fact('eventTrademarkPlacement')),
} as const satisfies Readonly<Record<string, InsightsColumn>>;

export type ColumnName = keyof typeof COLUMNS;

export const COLUMN_NAMES = Object.keys(COLUMNS) as [ColumnName, ...ColumnName[]];
