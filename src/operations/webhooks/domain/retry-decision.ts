/** Seconds from one attempt to the next; after the last attempt a delivery is abandoned. Together about nine hours. */
const DELAYS = [5, 30, 120, 600, 1800, 7200, 21_600] as const;
const JITTER = 0.1;
/** Maximum delay that a receiver can request, in seconds. */
const MAX_RETRY_AFTER = 3600;

/** The outcome of an attempt. */
export type AttemptOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter?: string | undefined }
  /** No response; `final` if a retry is useless, such as for an address that is not allowed. */
  | { readonly kind: 'silent'; readonly final: boolean };

/** Tells whether the receiver has accepted it. */
export function isDelivered(answer: AttemptOutcome): boolean {
  return answer.kind === 'answered' && answer.status >= 200 && answer.status < 300;
}

/** The next state of a delivery. */
export type RetryDecision =
  { readonly status: 'delivered' | 'failed' } | { readonly status: 'pending'; readonly delay: number };

/**
 * Judges attempt number `attempt` (1 for the first). Missing responses, 429 and 5xx are retried, after an increasing
 * delay, with up to a tenth more or less (`random` is from 0 to 1), and at least the delay of `Retry-After`, up to an
 * hour. Every other status but 2xx is final: the receiver refuses it, or the address is wrong.
 */
export function retryDecisionOf(answer: AttemptOutcome, attempt: number, now: Date, random: number): RetryDecision {
  if (isDelivered(answer)) return { status: 'delivered' };
  const passing = answer.kind === 'answered' ? answer.status === 429 || answer.status >= 500 : !answer.final;
  const delay = DELAYS[attempt - 1];
  if (!passing || delay === undefined) return { status: 'failed' };
  const jittered = delay * (1 + JITTER * (2 * random - 1));
  const asked = answer.kind === 'answered' ? Math.min(secondsOf(answer.retryAfter, now), MAX_RETRY_AFTER) : 0;
  return { status: 'pending', delay: Math.max(jittered, asked) };
}

/** `Retry-After` is a number of seconds or a date (RFC 9110, 10.2.3); any other value is ignored. */
function secondsOf(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, (date - now.getTime()) / 1000);
}
