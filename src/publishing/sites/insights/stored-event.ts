import { hash } from 'node:crypto';
import { BOTS, BROWSERS, DEVICES, readUserAgent, SYSTEMS } from '../domain/user-agent.js';
import { CONTEXTS, EVENT_TYPES, type InsightsEvent } from './events.schema.js';
import { webAddress } from '../../../kernel/common/web-address.js';

/** An event as in its row; hashes are decimal. */
export interface StoredEvent {
  readonly site: string;
  readonly at: Date;
  readonly type: number;
  readonly context: number;
  readonly device: number;
  readonly browser: number;
  readonly os: number;
  readonly bot: number | null;
  readonly visitor: string;
  readonly session: string;
  readonly url: string;
  readonly section: string | null;
  readonly siteSpace: string | null;
  readonly space: string | null;
  readonly page: string | null;
  readonly shareKey: string | null;
  readonly language: string | null;
  readonly referrer: string | null;
  readonly facts: Readonly<Record<string, unknown>> | null;
  readonly claims: Readonly<Record<string, string>> | null;
}

const MAX_CLAIMS = 50;
const MAX_CLAIM_LENGTH = 100;
const CAMPAIGN = {
  utm_source: 'utmSource',
  utm_medium: 'utmMedium',
  utm_campaign: 'utmCampaign',
  utm_term: 'utmTerm',
  utm_content: 'utmContent',
} as const;

/** The stored form of an event of a site. Times from a client are used unless they are in the future. */
export function storedEvent(site: string, event: InsightsEvent, now: Date): StoredEvent {
  const { session, location } = event;
  const agent = readUserAgent(session.userAgent);
  const given = event.timestamp === undefined ? now : new Date(event.timestamp);
  const url = new URL(location.url);
  const facts = { ...campaignOf(url), ...factsOf(event) };
  const visitor = hashed(site, session.visitorId);
  const claims = session.visitorAuthClaims && claimsOf(session.visitorAuthClaims);
  return {
    site,
    at: given > now ? now : given,
    type: EVENT_TYPES.indexOf(event.type),
    context: CONTEXTS.indexOf(location.displayContext),
    device: DEVICES.indexOf(agent.device),
    browser: BROWSERS.indexOf(agent.browser),
    os: SYSTEMS.indexOf(agent.os),
    bot: agent.bot === undefined ? null : BOTS.indexOf(agent.bot),
    visitor,
    session: session.sessionId === session.visitorId ? visitor : hashed(site, session.sessionId),
    url: plainAddress(url),
    section: location.siteSection,
    siteSpace: location.siteSpace,
    space: location.space,
    page: location.page,
    shareKey: location.siteShareKey === null ? null : hash('sha256', location.siteShareKey).slice(0, 16),
    language: session.language,
    referrer: session.referrer === null || session.referrer === '' ? null : plainAddress(new URL(session.referrer)),
    facts: Object.keys(facts).length === 0 ? null : facts,
    claims: claims && Object.keys(claims).length > 0 ? claims : null,
  };
}

/** A hash of 63 bits that identifies a person within one site. */
function hashed(site: string, id: string): string {
  return (BigInt(`0x${hash('sha256', `${site} ${id}`).slice(0, 16)}`) >> 1n).toString();
}

/** An address without query and fragment, which may contain tokens and keys. */
function plainAddress({ origin, host, protocol, pathname }: URL): string {
  return `${origin === 'null' ? `${protocol}//${host}` : origin}${pathname}`.replaceAll('\0', '').slice(0, 2048);
}

function campaignOf({ search, searchParams }: URL): Record<string, string> {
  if (search === '') return {};
  return Object.fromEntries(
    Object.entries(CAMPAIGN).flatMap(([parameter, name]) => {
      const value = searchParams.get(parameter)?.replaceAll('\0', '').slice(0, 256);
      return value ? [[name, value]] : [];
    }),
  );
}

/** The facts of an event beside place and person, by the names of columns in queries. */
function factsOf(event: InsightsEvent): Record<string, unknown> {
  switch (event.type) {
    case 'search_type_query':
    case 'search_open_result':
    case 'ask_question':
      return { eventSearchQuery: event.query };
    case 'ask_rate_response':
      return { eventSearchQuery: event.query, eventAskResponseRating: event.rating };
    case 'page_post_feedback':
      return { eventPageFeedbackRating: event.feedback.rating };
    case 'page_post_feedback_comment':
      return { eventPageFeedbackRating: event.feedback.rating, eventPageFeedbackComment: event.feedback.comment };
    case 'link_click': {
      const { target, position } = event.link;
      const domain = target.kind === 'url' ? webAddress(target.url)?.host : undefined;
      return {
        eventLinkTargetValue: target,
        eventLinkTargetKind: target.kind,
        eventLinkPosition: position,
        ...(domain && { eventLinkTargetDomain: domain }),
      };
    }
    case 'api_client_open':
    case 'api_client_request':
      return { eventAPIOperationPath: event.operation.path, eventAPIOperationMethod: event.operation.method };
    case 'ad_click':
    case 'ad_display':
      return { eventAdDomain: event.ad.domain, eventAdPlacement: event.ad.placement };
    case 'trademark_click':
      return { eventTrademarkPlacement: event.placement };
    case 'page_view':
    case 'search_open':
    case 'ask_view':
      return {};
  }
}

/** Claims that are simple values; those of `unsigned` with that name as a prefix. */
function claimsOf(claims: Readonly<Record<string, unknown>>, prefix = ''): Record<string, string> {
  const found = Object.entries(claims).flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return [[`${prefix}${name}`, String(value).slice(0, MAX_CLAIM_LENGTH)]];
    if (prefix === '' && name === 'unsigned' && typeof value === 'object' && value !== null)
      return Object.entries(claimsOf(value as Record<string, unknown>, 'unsigned.'));
    return [];
  });
  return Object.fromEntries(found.slice(0, MAX_CLAIMS));
}
