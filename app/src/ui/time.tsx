import type { ReactNode } from 'react';

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const WORDS = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** How long ago a moment was, in words: `at` is an ISO time. */
export function timeAgo(at: string, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  const found = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  return found ? WORDS.format(Math.round(seconds / found[1]), found[0]) : WORDS.format(0, 'second');
}

/** A moment as the time since then; the exact time is its title. */
export function Time({ at }: Readonly<{ at: string }>): ReactNode {
  return (
    <time dateTime={at} title={EXACT.format(new Date(at))}>
      {timeAgo(at)}
    </time>
  );
}
