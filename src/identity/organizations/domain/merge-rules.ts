import { parseExpression } from '../../../kernel/common/expressions/parse.js';
import { checkFields, type Shape } from '../../../kernel/common/expressions/shape.js';
import { ExpressionError } from '../../../kernel/common/expressions/tree.js';

/** Rules that have no fields besides their name. */
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

/** Rules with a list of users. */
export const USER_RULES = ['require_specific_reviewers', 'require_one_of_specific_reviewers', 'allow_bypass'] as const;

/** The scope of the expression of a `custom` rule. */
export const CUSTOM_SCOPE = {
  changeRequest: {
    fields: {
      id: 'text',
      number: 'number',
      status: 'text',
      subject: 'text',
      description: 'text',
      outdated: 'flag',
      createdBy: { fields: { id: 'text' } },
    },
  },
  reviews: {
    of: {
      fields: {
        id: 'text',
        status: 'text',
        outdated: 'flag',
        agent: 'text',
        reviewer: { fields: { id: 'text', displayName: 'text' } },
      },
    },
  },
  actor: { fields: { id: 'text' } },
  space: { fields: { id: 'text', title: 'text', editMode: 'text' } },
} as const satisfies Record<string, Shape>;

const MAX_RULES = 50;
const MAX_USERS = 100;
export const MAX_MESSAGE_LENGTH = 500;

type BareRule = (typeof BARE_RULES)[number];
type UserRule = (typeof USER_RULES)[number];

/** Each kind of rule with its fields. */
interface Kinds extends Record<BareRule, object>, Record<UserRule, { readonly users: readonly string[] }> {
  readonly custom: { readonly expression: string; readonly message?: string };
}

export type RuleName = keyof Kinds;
export type RuleOf<Name extends RuleName> = { readonly rule: Name } & Kinds[Name];
export type MergeRule = { [Name in RuleName]: RuleOf<Name> }[RuleName];
/** A rule that has to be fulfilled. */
export type Requirement = Exclude<MergeRule, { rule: 'allow_bypass' }>;

/** The conditions for merging a change request; `inherit` (spaces only) uses the organization's rules. */
export type MergeRules =
  | { readonly type: 'inherit' }
  | { readonly type: 'none' }
  | { readonly type: 'rules'; readonly rules: readonly MergeRule[] };

/** A fault and its place: a path below the rules, '' for all of them. */
export interface RuleFault {
  readonly path: string;
  readonly message: string;
}

/**
 * Returns the first fault of a value as merge rules; undefined if there is none. Does not check whether users exist.
 */
export function mergeRulesFault(value: unknown, mayInherit: boolean): RuleFault | undefined {
  if (!isObject(value)) return { path: '', message: 'must be an object' };
  const types = mayInherit ? ['inherit', 'rules', 'none'] : ['rules', 'none'];
  const { type, rules } = value;
  if (typeof type !== 'string' || !types.includes(type))
    return { path: 'type', message: `must be one of the following values: ${types.join(', ')}` };
  if (type !== 'rules')
    return rules === undefined
      ? undefined
      : { path: 'rules', message: `are only taken with the type rules, not with ${type}` };
  if (!Array.isArray(rules) || rules.length > MAX_RULES)
    return { path: 'rules', message: `must be a list of at most ${MAX_RULES}` };
  for (const [index, rule] of rules.entries()) {
    const fault = ruleFault(rule);
    if (fault)
      return { path: ['rules', index, fault.path].filter((part) => part !== '').join('.'), message: fault.message };
  }
  return undefined;
}

function ruleFault(rule: unknown): RuleFault | undefined {
  if (!isObject(rule)) return { path: '', message: 'must be an object' };
  const name = rule['rule'];
  if (BARE_RULES.some((bare) => bare === name)) return strayField(rule, []);
  if (USER_RULES.some((kind) => kind === name)) return usersFault(rule['users']) ?? strayField(rule, ['users']);
  return name === 'custom'
    ? (customFault(rule) ?? strayField(rule, ['expression', 'message']))
    : { path: 'rule', message: 'is not a known rule' };
}

/**
 * A field that belongs to rules of another kind is refused: it would be ignored, contrary to the caller's intention.
 */
function strayField(rule: Record<string, unknown>, taken: readonly string[]): RuleFault | undefined {
  const path = ['users', 'expression', 'message'].find((field) => rule[field] !== undefined && !taken.includes(field));
  return path === undefined ? undefined : { path, message: `is not taken by the rule ${String(rule['rule'])}` };
}

function usersFault(users: unknown): RuleFault | undefined {
  const listed =
    Array.isArray(users) &&
    users.length > 0 &&
    users.length <= MAX_USERS &&
    users.every((user) => typeof user === 'string');
  return listed ? undefined : { path: 'users', message: `must be a list of 1 to ${MAX_USERS} user ids` };
}

function customFault({ expression, message }: Record<string, unknown>): RuleFault | undefined {
  if (typeof expression !== 'string' || expression.trim() === '')
    return { path: 'expression', message: 'must be an expression' };
  const fault = expressionFault(expression);
  if (fault !== undefined) return { path: 'expression', message: fault };
  const said = message === undefined || (typeof message === 'string' && message.length <= MAX_MESSAGE_LENGTH);
  return said ? undefined : { path: 'message', message: `must be a text of at most ${MAX_MESSAGE_LENGTH} characters` };
}

/** Also reports unknown names and fields: a condition on them would silently hold or fail for everybody. */
function expressionFault(source: string): string | undefined {
  try {
    const { roots, tree } = parseExpression(source);
    const unknown = [...roots].find((name) => !Object.hasOwn(CUSTOM_SCOPE, name));
    if (unknown !== undefined)
      return `there is nothing called ${unknown}: it can see ${Object.keys(CUSTOM_SCOPE).join(', ')}`;
    checkFields(tree, { fields: CUSTOM_SCOPE });
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

/** Reads the known fields of rules; only for values without a fault. */
export function readMergeRules(value: MergeRules): MergeRules {
  if (value.type !== 'rules') return { type: value.type };
  return {
    type: 'rules',
    rules: value.rules.map((rule): MergeRule => {
      if (rule.rule === 'custom')
        return {
          rule: rule.rule,
          expression: rule.expression,
          ...(rule.message !== undefined && { message: rule.message }),
        };
      return 'users' in rule ? { rule: rule.rule, users: [...rule.users] } : { rule: rule.rule };
    }),
  };
}

/** The result of checking a rule. */
export interface Outcome {
  /** Its index in the list of rules. */
  readonly index: number;
  readonly rule: Requirement['rule'];
  /** The reason why it is not fulfilled; undefined if it is. */
  readonly reason: string | undefined;
  /** An `allow_bypass` after it lists the person. */
  readonly bypassed: boolean;
}

/** Checks all rules for a person; `reasonAgainst` returns why a rule is not fulfilled, or nothing if it is. */
export function outcomesOf(
  rules: readonly MergeRule[],
  userId: string,
  reasonAgainst: (rule: Requirement) => string | undefined,
): Outcome[] {
  return rules.flatMap((rule, index) => {
    if (rule.rule === 'allow_bypass') return [];
    const bypassed = rules
      .slice(index + 1)
      .some((later) => later.rule === 'allow_bypass' && later.users.includes(userId));
    return [{ index, rule: rule.rule, reason: reasonAgainst(rule), bypassed }];
  });
}

/** Tells whether a rule prevents the merge. */
export function hinders({ reason, bypassed }: Outcome): boolean {
  return reason !== undefined && !bypassed;
}

/** Tells whether the rules let a person merge regardless of all other rules. */
export function mayBypass(rules: readonly MergeRule[], userId: string): boolean {
  return !outcomesOf(rules, userId, () => '').some(hinders);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
