import { expressionFault, parseExpression } from '../../common/expressions/parse.js';

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

/** What the expression of a `custom` rule can see. */
const CUSTOM_NAMES = ['changeRequest', 'reviews', 'actor', 'space'];

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
/** A rule that something has to fulfil. */
export type Requirement = Exclude<MergeRule, { rule: 'allow_bypass' }>;

/** What has to hold before a change request may be merged; `inherit` (spaces only) takes the organization's rules. */
export type MergeRules = { readonly type: 'inherit' } | { readonly type: 'none' } | { readonly type: 'rules'; readonly rules: readonly MergeRule[] };

/** What is wrong, and where: a path below the rules, '' for all of them. */
export interface RuleFault {
  readonly path: string;
  readonly message: string;
}

/** The first fault of a value as merge rules; undefined when there is none. Whether users exist is not looked at. */
export function mergeRulesFault(value: unknown, mayInherit: boolean): RuleFault | undefined {
  if (!isObject(value)) return { path: '', message: 'must be an object' };
  const types = mayInherit ? ['inherit', 'rules', 'none'] : ['rules', 'none'];
  const { type, rules } = value;
  if (typeof type !== 'string' || !types.includes(type)) return { path: 'type', message: `must be one of the following values: ${types.join(', ')}` };
  if (type !== 'rules') return undefined;
  if (!Array.isArray(rules) || rules.length > MAX_RULES) return { path: 'rules', message: `must be a list of at most ${MAX_RULES}` };
  for (const [index, rule] of rules.entries()) {
    const fault = ruleFault(rule);
    if (fault) return { path: ['rules', index, fault.path].filter((part) => part !== '').join('.'), message: fault.message };
  }
  return undefined;
}

function ruleFault(rule: unknown): RuleFault | undefined {
  if (!isObject(rule)) return { path: '', message: 'must be an object' };
  const name = rule['rule'];
  if (BARE_RULES.some((bare) => bare === name)) return undefined;
  if (USER_RULES.some((kind) => kind === name)) return usersFault(rule['users']);
  return name === 'custom' ? customFault(rule) : { path: 'rule', message: 'is not a known rule' };
}

function usersFault(users: unknown): RuleFault | undefined {
  const listed = Array.isArray(users) && users.length > 0 && users.length <= MAX_USERS && users.every((user) => typeof user === 'string');
  return listed ? undefined : { path: 'users', message: `must be a list of 1 to ${MAX_USERS} user ids` };
}

function customFault({ expression, message }: Record<string, unknown>): RuleFault | undefined {
  if (typeof expression !== 'string' || expression.trim() === '') return { path: 'expression', message: 'must be an expression' };
  const fault = expressionFault(expression) ?? unknownName(expression);
  if (fault !== undefined) return { path: 'expression', message: fault };
  const said = message === undefined || (typeof message === 'string' && message.length <= MAX_MESSAGE_LENGTH);
  return said ? undefined : { path: 'message', message: `must be a text of at most ${MAX_MESSAGE_LENGTH} characters` };
}

function unknownName(expression: string): string | undefined {
  const unknown = [...parseExpression(expression).roots].find((name) => !CUSTOM_NAMES.includes(name));
  return unknown === undefined ? undefined : `there is nothing called ${unknown}: it can see ${CUSTOM_NAMES.join(', ')}`;
}

/** The rules with nothing but their known fields; only for values without a fault. */
export function readMergeRules(value: MergeRules): MergeRules {
  if (value.type !== 'rules') return { type: value.type };
  return {
    type: 'rules',
    rules: value.rules.map((rule): MergeRule => {
      if (rule.rule === 'custom') return { rule: rule.rule, expression: rule.expression, ...(rule.message !== undefined && { message: rule.message }) };
      return 'users' in rule ? { rule: rule.rule, users: [...rule.users] } : { rule: rule.rule };
    }),
  };
}

/** What came of asking a rule. */
export interface Outcome {
  /** Its place in the list of rules. */
  readonly index: number;
  readonly rule: Requirement['rule'];
  /** Why it is not fulfilled; undefined where it is. */
  readonly reason: string | undefined;
  /** An `allow_bypass` after it lists the person. */
  readonly bypassed: boolean;
}

/** Asks all rules for somebody; `reasonAgainst` says why a rule is not fulfilled, or nothing where it is. */
export function outcomesOf(rules: readonly MergeRule[], userId: string, reasonAgainst: (rule: Requirement) => string | undefined): Outcome[] {
  return rules.flatMap((rule, index) => {
    if (rule.rule === 'allow_bypass') return [];
    const bypassed = rules.slice(index + 1).some((later) => later.rule === 'allow_bypass' && later.users.includes(userId));
    return [{ index, rule: rule.rule, reason: reasonAgainst(rule), bypassed }];
  });
}

/** Whether a rule stands in the way. */
export function hinders({ reason, bypassed }: Outcome): boolean {
  return reason !== undefined && !bypassed;
}

/** Whether the rules let somebody pass whatever else they ask for. */
export function mayBypass(rules: readonly MergeRule[], userId: string): boolean {
  return !outcomesOf(rules, userId, () => '').some(hinders);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
