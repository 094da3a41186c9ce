import { z } from 'zod';
import { isStorableTime } from '../../../kernel/common/storable-time.js';
import { checkStorableUrl } from '../../../kernel/common/address-schema.js';
import { contentReference } from '../customization.schema.js';

/** Maximum number of events of one batch. */
export const MAX_EVENTS = 100;

export const EVENT_TYPES = [
  'page_view',
  'search_open',
  'search_type_query',
  'search_open_result',
  'page_post_feedback',
  'page_post_feedback_comment',
  'ask_question',
  'ask_view',
  'ask_rate_response',
  'link_click',
  'api_client_open',
  'api_client_request',
  'ad_click',
  'ad_display',
  'trademark_click',
] as const;
export const CONTEXTS = ['site', 'embed'] as const;
export const RATINGS = ['bad', 'ok', 'good'] as const;
export const LINK_POSITIONS = ['announcement', 'header', 'footer', 'sidebar', 'content'] as const;
export const TRADEMARK_PLACEMENTS = ['sidebar', 'ad', 'footer', 'pdf'] as const;

const text = (max: number) => z.string().max(max);
const id = text(100).nullable();
const address = z
  .string()
  .max(2048)
  .superRefine(checkStorableUrl)
  .check(z.url({ error: 'must be an address' }));
/** Claims that are not simple values are not stored. */
const claims = z.record(z.string().max(100), z.unknown());

const base = {
  session: z.object({
    visitorId: text(256),
    sessionId: text(256),
    // Accepted and not stored: the identity of the reader stays unknown.
    cookies: z.record(z.string().max(256), text(4096)).default({}),
    ip: text(64).optional(),
    visitorAuthToken: text(8192).nullable().optional(),
    userAgent: text(2048),
    language: text(64).nullable(),
    referrer: z.union([address, z.literal('')]).nullable(),
    visitorAuthClaims: claims.optional(),
  }),
  location: z.object({
    url: address,
    displayContext: z.enum(CONTEXTS).default('site'),
    siteSection: id,
    siteSpace: id,
    siteShareKey: text(200).nullable(),
    space: id,
    revision: id,
    page: id,
  }),
  timestamp: z.iso
    .datetime({ offset: true, abort: true, error: 'must be a time such as 2026-01-31T09:30:00.000Z' })
    .refine(isStorableTime, 'must be a time of the years 1 to 9999')
    .optional(),
};
const query = text(512);
const operation = z.object({ path: text(2048), method: text(16) });
const ad = z.object({ domain: text(256), zoneId: text(256), placement: z.enum(['aside']) });
const event = <Type extends (typeof EVENT_TYPES)[number], Shape extends z.core.$ZodLooseShape>(
  type: Type,
  shape: Shape,
) => z.object({ ...base, type: z.literal(type), ...shape });

/** An action of a reader. */
export const insightsEvent = z.discriminatedUnion('type', [
  event('page_view', {}),
  event('search_open', {}),
  event('search_type_query', { query }),
  event('search_open_result', { query, result: z.object({ spaceId: text(100), pageId: text(100) }) }),
  event('page_post_feedback', { feedback: z.object({ rating: z.enum(RATINGS) }) }),
  event('page_post_feedback_comment', {
    feedback: z.object({ rating: z.enum(RATINGS), comment: z.string().min(1).max(512) }),
  }),
  event('ask_question', { query }),
  event('ask_view', {}),
  event('ask_rate_response', { query, rating: z.union([z.literal(1), z.literal(-1)]), responseId: text(256) }),
  event('link_click', { link: z.object({ target: contentReference, position: z.enum(LINK_POSITIONS) }) }),
  event('api_client_open', { operation }),
  event('api_client_request', { operation }),
  event('ad_click', { ad }),
  event('ad_display', { ad }),
  event('trademark_click', { placement: z.enum(TRADEMARK_PLACEMENTS) }),
]);

export type InsightsEvent = z.output<typeof insightsEvent>;

export const trackedEvents = z.object({ events: z.array(insightsEvent).max(MAX_EVENTS) });

export const EVENTS_EXAMPLE = {
  events: [
    {
      type: 'page_view',
      session: {
        visitorId: 'a1b2',
        sessionId: 'c3d4',
        cookies: {},
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        language: 'en',
        referrer: null,
      },
      location: {
        url: 'https://docs.example.com/guides/install',
        siteSection: null,
        siteSpace: 'AbCdEfGh0123456789Xy',
        siteShareKey: null,
        space: 'AbCdEfGh0123456789Xz',
        revision: null,
        page: 'AbCdEfGh0123456789X0',
      },
    },
  ],
};
