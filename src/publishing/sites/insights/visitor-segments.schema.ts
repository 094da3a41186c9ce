import { Amount, Free, Text } from '../../../kernel/common/fields.js';

/** Visitors with the same claims, and what they did. */
export class VisitorSegmentBody {
  @Text({ description: 'The claims in words', example: 'plan: pro, unsigned.region: eu' })
  title: string;
  @Free({
    description: 'The claims as texts; empty for visitors without any',
    example: { plan: 'pro', unsigned: { region: 'eu' } },
  })
  claims: object;
  @Amount({ example: 180 }) events: number;
  @Amount({ example: 12 }) visitors: number;
  @Amount({ example: 20 }) sessions: number;
}

export interface VisitorSegmentRow {
  readonly claims: Readonly<Record<string, string>> | null;
  readonly events: number;
  readonly visitors: number;
  readonly sessions: number;
}

const UNSIGNED = 'unsigned.';
const NO_CLAIMS = 'Without claims';

export function presentVisitorSegment({ claims, events, visitors, sessions }: VisitorSegmentRow): VisitorSegmentBody {
  const entries = Object.entries(claims ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
  const unsigned = entries.filter(([name]) => name.startsWith(UNSIGNED));
  const signed = entries.filter(([name]) => !name.startsWith(UNSIGNED));
  return {
    title: entries.map(([name, value]) => `${name}: ${value}`).join(', ') || NO_CLAIMS,
    claims: {
      ...Object.fromEntries(signed),
      ...(unsigned.length > 0 && {
        unsigned: Object.fromEntries(unsigned.map(([name, value]) => [name.slice(UNSIGNED.length), value])),
      }),
    },
    events,
    visitors,
    sessions,
  };
}
