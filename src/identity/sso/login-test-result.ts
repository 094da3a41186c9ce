import type { AccessLevel } from '../../kernel/common/roles.js';
import type { Comparison, LoginFault } from './domain/login-fault.js';
import type { Attributes } from './domain/person.js';

/** Attributes that are kept of an assertion, values of one, and characters of each text. */
const MOST = { attributes: 100, values: 50, characters: 500 } as const;

export const FORESEEN_ACCOUNTS = ['member', 'invited', 'new'] as const;

/** The account that a login would let in, and its rights; `userId` is absent where the login would make or admit one. */
export interface ForeseenAccount {
  readonly account: (typeof FORESEEN_ACCOUNTS)[number];
  readonly userId?: string;
  readonly displayName: string;
  readonly role: AccessLevel;
  /** Teams that the login would add the person to. */
  readonly teams: readonly { readonly id: string; readonly title: string }[];
}

/** The verified assertion or claims of a test, as far as they are shown. */
export interface ShownAssertion {
  readonly subject: string;
  readonly attributes: readonly { readonly name: string; readonly values: readonly string[] }[];
  /** Names of attributes that a login reads and that did not come; tests of earlier releases lack it. */
  readonly missing?: readonly string[];
  /** As an ISO text. */
  readonly sessionUntil?: string;
}

/** Everything that a test found out; a login would have failed with the fault. */
export interface LoginTestResult {
  readonly fault?: { readonly message: string; readonly compared: readonly Comparison[] };
  readonly assertion?: ShownAssertion;
  readonly account?: ForeseenAccount;
}

/**
 * The parts of a verified assertion that a test shows, within limits. `read` has the attributes that a login reads: of
 * each group one is enough, and the first stands for all.
 */
export function shownAssertion(
  subject: string,
  attributes: Attributes,
  read: readonly (readonly [string, ...string[]])[],
  sessionUntil?: Date,
): ShownAssertion {
  return {
    subject: storable(subject),
    attributes: Object.entries(attributes)
      .slice(0, MOST.attributes)
      .map(([name, values]) => ({ name: storable(name), values: values.slice(0, MOST.values).map(storable) })),
    missing: read.filter((names) => !names.some((name) => Object.hasOwn(attributes, name))).map(([name]) => name),
    ...(sessionUntil && { sessionUntil: sessionUntil.toISOString() }),
  };
}

export function shownFault({ message, compared }: LoginFault): NonNullable<LoginTestResult['fault']> {
  return { message: storable(message), compared };
}

/** A foreign text without characters that the database does not store. */
function storable(text: string): string {
  return text
    .slice(0, MOST.characters)
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
}
