import SCIMMY from 'scimmy';
import { invalid } from '../../kernel/common/errors.js';

/** An attribute that has a value; names are in lower case, as in `emails.value`. */
export interface ScimComparison {
  readonly attribute: string;
  readonly value: string;
}

/**
 * Reads a filter (RFC 7644, section 3.4.2.2) of comparisons by `eq` that are joined by `and`, which is what identity
 * providers look people and groups up by; throws `invalid` for every other one.
 */
export function comparisonsOf(filter: string, path: string): ScimComparison[] {
  const [expressions, ...alternatives] = parsed(filter, path);
  if (!expressions || alternatives.length > 0) throw invalid(path, 'must consist of comparisons by eq, joined by and');
  return flat(expressions, '', path);
}

function parsed(filter: string, path: string): object[] {
  try {
    return [...new SCIMMY.Types.Filter(filter)] as object[];
  } catch (error) {
    throw invalid(path, error instanceof Error ? error.message : 'is not a filter');
  }
}

function flat(expression: object, prefix: string, path: string): ScimComparison[] {
  return Object.entries(expression).flatMap(([name, condition]: [string, unknown]) => {
    const attribute = `${prefix}${name}`.toLowerCase();
    if (!Array.isArray(condition)) return flat(condition as object, `${attribute}.`, path);
    const [operator, value] = condition as unknown[];
    const isText = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';
    if (operator !== 'eq' || !isText) throw invalid(path, 'must consist of comparisons by eq, joined by and');
    return [{ attribute, value: String(value) }];
  });
}
