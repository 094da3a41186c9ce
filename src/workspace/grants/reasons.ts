import type { TeamForCaller } from '../../identity/teams/teams.schema.js';
import type { UserFacts } from '../../identity/users/users.schema.js';
import { atLeast, type AccessLevel } from '../../kernel/common/roles.js';
import type { GrantKind } from './grant-tables.js';

/**
 * The rules by which a member has a role. `administrator` and `creator` stand outside of the order of precedence;
 * `person` and `team` are grants, `level` is the access that a collection or space gives to everybody.
 */
export const REASON_RULES = ['administrator', 'person', 'team', 'level', 'membership', 'creator'] as const;
export type ReasonRule = (typeof REASON_RULES)[number];
export const REASON_THINGS = ['organization', 'collection', 'space', 'site'] as const;
export type ReasonThing = (typeof REASON_THINGS)[number];

/** A rule that gives the member a role, as the database knows it. */
export interface Reason {
  /** The place in the order of precedence, 0 first; null outside of it. */
  readonly place: number | null;
  readonly rule: ReasonRule;
  readonly thing: ReasonThing;
  readonly thingId: string;
  readonly teamId: string | null;
  readonly role: AccessLevel;
}

export interface ExplainedReason extends Omit<Reason, 'thingId' | 'teamId' | 'place'> {
  /** Undefined if the caller does not see it. */
  readonly on: { readonly id: string; readonly title: string } | undefined;
  readonly team: TeamForCaller | undefined;
  readonly decides: boolean;
}

export interface RoleExplanation {
  readonly user: UserFacts;
  readonly role: AccessLevel;
  readonly disabled: boolean;
  readonly added: readonly string[];
  readonly reasons: readonly ExplainedReason[];
}

/** The order of precedence; on a site that of the roles, highest first. */
export function byPrecedence(reasons: readonly Reason[], kind: GrantKind): readonly Reason[] {
  const place = (reason: Reason): number =>
    reason.place ?? (reason.rule === 'administrator' ? -1 : Number.MAX_SAFE_INTEGER);
  return [...reasons].sort(
    (one, other) =>
      (kind === 'site' ? byRole(one, other) : 0) ||
      place(one) - place(other) ||
      // A site is asked for the grant of the person first, and so is everything else.
      REASON_RULES.indexOf(one.rule) - REASON_RULES.indexOf(other.rule) ||
      byRole(one, other) ||
      (one.thingId < other.thingId ? -1 : 1),
  );
}

const byRole = (one: Reason, other: Reason): number =>
  one.role === other.role ? 0 : atLeast(one.role, other.role) ? -1 : 1;

/** The reason whose role is the member's, out of those in order of precedence. */
export function decisiveReason(ordered: readonly Reason[], kind: GrantKind): Reason | undefined {
  const [first] = ordered;
  if (first === undefined || first.rule === 'administrator' || kind === 'site') return first;
  const ranked = ordered.filter(({ place }) => place !== null);
  const nearest = ranked.filter(({ place }) => place === ranked[0]?.place);
  // A grant of the person counts alone beside those of teams on the same thing; of several sites the highest counts.
  const counted = nearest.filter(
    ({ rule, thingId }) => rule !== 'team' || !nearest.some((own) => own.rule === 'person' && own.thingId === thingId),
  );
  const [best] = [...counted].sort(byRole);
  const creator = ordered.find(({ rule }) => rule === 'creator');
  return creator && best && !atLeast(best.role, creator.role) ? creator : best;
}
