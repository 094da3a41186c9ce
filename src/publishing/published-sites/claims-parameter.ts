import { invalid } from '../../kernel/common/errors.js';
import { readRison, RisonError } from './domain/rison.js';

/** The claims in a parameter: those of a signed token, and those that visitors can set themselves. */
export interface ClaimsInParameter {
  readonly signed: Readonly<Record<string, unknown>>;
  readonly unsigned?: Readonly<Record<string, unknown>>;
}

/** Reads claims in Rison or JSON; throws `invalid` for anything else. */
export function claimsInParameter(text: string | undefined): ClaimsInParameter {
  if (text === undefined) return { signed: {} };
  let read: unknown;
  try {
    read = text.trimStart().startsWith('{') ? JSON.parse(text) : readRison(text);
  } catch (error) {
    throw invalid('claims', error instanceof RisonError ? error.message : 'is neither Rison nor JSON');
  }
  if (!isRecord(read)) throw invalid('claims', 'must be an object');
  const { unsigned, ...signed } = read;
  return { signed, ...(isRecord(unsigned) && { unsigned }) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
