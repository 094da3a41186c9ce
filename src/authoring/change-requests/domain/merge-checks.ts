import { evaluate } from '../../../kernel/common/expressions/evaluate.js';
import { parseExpression } from '../../../kernel/common/expressions/parse.js';
import { ExpressionError, type Expression, type ExpressionTree } from '../../../kernel/common/expressions/tree.js';
import { EvaluationBudget } from '../../../kernel/common/expressions/evaluation-budget.js';
import {
  outcomesOf,
  type MergeRule,
  type Outcome,
  type Requirement,
  type RuleOf,
} from '../../../identity/organizations/domain/merge-rules.js';

// Types, not interfaces: expressions accept them as objects with any field names.
export type MergeReview = {
  readonly id: string;
  readonly status: 'approved' | 'changes-requested';
  /** True if the content has changed since. */
  readonly outdated: boolean;
  /** The name of the agent that reviewed for the reviewer; null for a person's own review. */
  readonly agent: string | null;
  readonly reviewer: { readonly id: string; readonly displayName: string };
};

/**
 * The facts that rules check when a person (the actor) wants to merge; expressions of `custom` rules see them under
 * these names.
 */
export type MergeFacts = {
  readonly actor: { readonly id: string };
  readonly space: { readonly id: string; readonly title: string; readonly editMode: string };
  readonly changeRequest: {
    readonly id: string;
    readonly number: number;
    readonly status: string;
    readonly subject: string;
    /** Its plain text. */
    readonly description: string;
    readonly outdated: boolean;
    readonly createdBy: { readonly id: string };
  };
  /** Standing reviews, see `standingReviews`. */
  readonly reviews: readonly MergeReview[];
};

/**
 * Filters the last reviews of all reviewers to those that stand: an approval ends with the content that it approved, an
 * objection only with another review.
 */
export function standingReviews(latest: readonly MergeReview[]): MergeReview[] {
  return latest.filter(({ status, outdated }) => status === 'changes-requested' || !outdated);
}

/** Checks merge rules, in their order; `names` has the names of the users in the rules, by id. */
export function checkRules(
  rules: readonly MergeRule[],
  facts: MergeFacts,
  names: ReadonlyMap<string, string> = new Map(),
): Outcome[] {
  const nameOf = (user: string): string => names.get(user) ?? user;
  return outcomesOf(rules, facts.actor.id, (rule) => (CHECKS[rule.rule] as Check<Requirement>)(facts, rule, nameOf));
}

/** The condition of each rule in words. */
export const RULE_TITLES: Readonly<Record<Requirement['rule'], string>> = {
  require_specific_reviewers: 'All named reviewers have approved',
  require_one_of_specific_reviewers: 'One of the named reviewers has approved',
  require_at_least_one_review: 'There is a review',
  require_at_least_one_approved_review: 'There is an approval',
  require_all_reviews_approved: 'All reviews approve',
  require_agent_review: 'An agent has approved',
  require_author_to_merge: 'The author merges',
  require_up_to_date_change_request: 'It is up to date with the published content',
  require_change_request_subject: 'It has a subject',
  require_change_request_description: 'It has a description',
  custom: 'A rule of the organization',
};

/** Returns the reason why a rule is not fulfilled; nothing if it is. */
type Check<Rule> = (facts: MergeFacts, rule: Rule, nameOf: (user: string) => string) => string | undefined;

const CHECKS: { readonly [Name in Requirement['rule']]: Check<RuleOf<Name>> } = {
  require_at_least_one_review: ({ reviews }) =>
    unless(ofPeople(reviews).length > 0, 'nobody has reviewed the change request as it is now'),
  require_at_least_one_approved_review: ({ reviews }) =>
    unless(approvers(reviews).length > 0, 'nobody has approved the change request as it is now'),
  require_all_reviews_approved: ({ reviews }) => {
    const against = reviews
      .filter(({ status }) => status === 'changes-requested')
      .map(({ reviewer, agent }) => (agent === null ? reviewer.displayName : `${agent} for ${reviewer.displayName}`));
    return unless(against.length === 0, `changes are requested by ${against.join(', ')}`);
  },
  require_agent_review: ({ reviews }) =>
    unless(
      reviews.some(({ agent, status }) => agent !== null && status === 'approved'),
      'no agent has approved the change request as it is now',
    ),
  require_up_to_date_change_request: ({ changeRequest }) =>
    unless(!changeRequest.outdated, 'the primary content has changed since: update the change request first'),
  require_change_request_subject: ({ changeRequest }) =>
    unless(changeRequest.subject.trim() !== '', 'the change request has no subject'),
  require_change_request_description: ({ changeRequest }) =>
    unless(changeRequest.description.trim() !== '', 'the change request has no description'),
  require_author_to_merge: ({ actor, changeRequest }) =>
    unless(actor.id === changeRequest.createdBy.id, 'only the author of the change request may merge it'),
  require_specific_reviewers: ({ reviews }, { users }, nameOf) => {
    const given = approvers(reviews);
    const missing = users.filter((user) => !given.includes(user));
    return unless(
      missing.length === 0,
      `the change request as it is now lacks the approval of ${missing.map(nameOf).join(', ')}`,
    );
  },
  require_one_of_specific_reviewers: ({ reviews }, { users }, nameOf) =>
    unless(
      approvers(reviews).some((user) => users.includes(user)),
      `the change request as it is now lacks the approval of one of ${users.map(nameOf).join(', ')}`,
    ),
  custom: (facts, { expression, message }) => {
    try {
      return unless(
        Boolean(evaluate(respelled(parseExpression(expression)), facts, new EvaluationBudget(), true)),
        message || `this does not hold: ${expression}`,
      );
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return `its expression came to no value: ${error.message}`;
    }
  },
};

function unless(holds: boolean, reason: string): string | undefined {
  return holds ? undefined : reason;
}

/** Reviews of agents are no substitute for those of people. */
const ofPeople = (reviews: readonly MergeReview[]): MergeReview[] => reviews.filter(({ agent }) => agent === null);

function approvers(reviews: readonly MergeReview[]): string[] {
  return ofPeople(reviews)
    .filter(({ status }) => status === 'approved')
    .map(({ reviewer }) => reviewer.id);
}

/** The alternative spelling of the status in the public documentation of expressions. */
const OTHER_SPELLING = 'changes_requested';
const SPELLING = 'changes-requested';

/**
 * Rewrites the review status in an expression to the spelling of reviews, so that comparing with either spelling works.
 */
function respelled(expression: Expression): Expression {
  return expression.source.includes(OTHER_SPELLING)
    ? { ...expression, tree: replaced(expression.tree) as ExpressionTree }
    : expression;
}

function replaced(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(replaced);
  if (typeof part !== 'object' || part === null) return part;
  if ('kind' in part && part.kind === 'value' && 'value' in part && part.value === OTHER_SPELLING)
    return { kind: 'value', value: SPELLING };
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, replaced(value)]));
}
