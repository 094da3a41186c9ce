import type { Schemas } from '../../api/client.js';

export type MergeRules = NonNullable<Schemas['SpaceBody']['mergeRules']>;
export type RulesType = MergeRules['type'];
export type RuleName = NonNullable<MergeRules['rules']>[number]['rule'];

/** A rule as the form holds it: with the fields of every kind. */
export interface RuleDraft {
  readonly key: number;
  readonly rule: RuleName;
  readonly users: readonly string[];
  readonly expression: string;
  readonly message: string;
}

export const MOST_RULES = 50;
export const INHERITED: MergeRules = { type: 'inherit' };
export const NO_RULES: MergeRules = { type: 'none' };

/** Rules are read again after a save alone: a form that is being filled does not change by itself. */
export const UNCHANGED_WHILE_EDITED = { staleTime: Infinity, gcTime: 0 } as const;

const OF_USERS: ReadonlySet<RuleName> = new Set([
  'require_specific_reviewers',
  'require_one_of_specific_reviewers',
  'allow_bypass',
]);

export const takesUsers = (rule: RuleName): boolean => OF_USERS.has(rule);

let lastKey = 0;

/** A rule in the form, from a saved one or new. */
export function draftOf(rule: NonNullable<MergeRules['rules']>[number]): RuleDraft {
  lastKey += 1;
  const { users = [], expression = '', message = '' } = rule;
  return { key: lastKey, rule: rule.rule, users, expression, message };
}

/** The rules of the form, as the interface takes them. */
export function rulesOf(type: RulesType, drafts: readonly RuleDraft[]): MergeRules {
  if (type !== 'rules') return { type };
  return {
    type,
    rules: drafts.map(({ rule, users, expression, message }) => ({
      rule,
      ...(takesUsers(rule) && { users: [...users] }),
      ...(rule === 'custom' && { expression, ...(message.trim() !== '' && { message: message.trim() }) }),
    })),
  };
}

/** The list with the item at a place moved by a step; the same list where there is no room. */
export function moved<Item>(items: readonly Item[], at: number, step: 1 | -1): readonly Item[] {
  const [item, other] = [items[at], items[at + step]];
  if (item === undefined || other === undefined) return items;
  return items.map((each, index) => (index === at ? other : index === at + step ? item : each));
}
