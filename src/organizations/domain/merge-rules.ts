/** Rules that need nothing but their name. */
export const BARE_RULES = [
  'require_at_least_one_review',
  'require_at_least_one_approved_review',
  'require_all_reviews_approved',
  'require_agent_review',
  'require_up_to_date_change_request',
  'require_change_request_subject',
  'require_change_request_description',
  'require_author_to_merge',
] as const;

/** Rules about the users that they list. */
export const USER_RULES = ['require_specific_reviewers', 'require_one_of_specific_reviewers', 'allow_bypass'] as const;

const MAX_RULES = 50;
const MAX_USERS = 100;
const MAX_EXPRESSION_LENGTH = 1024;

export type MergeRule =
  | { readonly rule: (typeof BARE_RULES)[number] }
  | { readonly rule: (typeof USER_RULES)[number]; readonly users: readonly string[] }
  | { readonly rule: 'custom'; readonly expression: string; readonly message?: string };

/** What has to hold before a change request may be merged; `inherit` (spaces only) takes the organization's rules. */
export type MergeRules = { readonly type: 'inherit' } | { readonly type: 'none' } | { readonly type: 'rules'; readonly rules: readonly MergeRule[] };

/** What is wrong with a value as merge rules, in words; undefined when nothing is. */
export function mergeRulesFault(value: unknown, mayInherit: boolean): string | undefined {
  if (!isObject(value)) return 'must be an object';
  if (value['type'] === 'none' || (mayInherit && value['type'] === 'inherit')) return undefined;
  if (value['type'] !== 'rules') return `type must be one of ${mayInherit ? 'inherit, ' : ''}rules, none`;
  const { rules } = value;
  if (!Array.isArray(rules) || rules.length > MAX_RULES) return `rules must be a list of at most ${MAX_RULES}`;
  for (const [index, rule] of rules.entries()) {
    const fault = ruleFault(rule);
    if (fault) return `rules.${index}: ${fault}`;
  }
  return undefined;
}

function ruleFault(rule: unknown): string | undefined {
  if (!isObject(rule)) return 'must be an object';
  const name = rule['rule'];
  if (BARE_RULES.some((bare) => bare === name)) return undefined;
  if (USER_RULES.some((kind) => kind === name)) {
    const { users } = rule;
    const listed = Array.isArray(users) && users.length > 0 && users.length <= MAX_USERS && users.every((user) => typeof user === 'string');
    return listed ? undefined : `users must be a list of 1 to ${MAX_USERS} user ids`;
  }
  if (name !== 'custom') return 'is not a known rule';
  const { expression, message } = rule;
  if (typeof expression !== 'string' || expression.length === 0 || expression.length > MAX_EXPRESSION_LENGTH) {
    return `expression must have 1 to ${MAX_EXPRESSION_LENGTH} characters`;
  }
  return message === undefined || typeof message === 'string' ? undefined : 'message must be a text';
}

/** The rules with nothing but their known fields; only for values without a fault. */
export function readMergeRules(value: MergeRules): MergeRules {
  if (value.type !== 'rules') return { type: value.type };
  return {
    type: 'rules',
    rules: value.rules.map((rule) => {
      if (rule.rule === 'custom') return { rule: rule.rule, expression: rule.expression, ...(rule.message !== undefined && { message: rule.message }) };
      return 'users' in rule ? { rule: rule.rule, users: [...rule.users] } : { rule: rule.rule };
    }),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
