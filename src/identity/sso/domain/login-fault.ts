import type { Person } from './person.js';

/** Only plain foreign values are shown, so that our pages display no foreign sentences. */
const PLAIN = /^[\x21-\x7e]{1,300}$/;
const MAX_VALUES = 10;
/** The latest time that a Date can hold, in milliseconds. */
const LAST_TIME = 8.64e15;

/** A comparison for administrators: its name in the protocol, the expected and the received value. */
export interface Comparison {
  readonly name: string;
  readonly expected: string;
  readonly received: string;
}

/** Compares an expected with a foreign value; only names, addresses and numbers of foreign values are shown. */
export function comparison(name: string, expected: string, received: unknown): Comparison {
  return { name, expected, received: printableValue(received) };
}

/** A foreign value in a form that a page may show. */
export function printableValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return '(nothing)';
  if (Array.isArray(value))
    return value.length === 0
      ? '(nothing)'
      : value
          .slice(0, MAX_VALUES)
          .map((item) => (Array.isArray(item) ? '(a list)' : printableValue(item)))
          .join(', ');
  const text =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  return PLAIN.test(text) ? text : '(something that cannot be shown)';
}

/** A time in whole seconds, given in milliseconds; the number itself where no calendar has it. */
export function timeText(milliseconds: number): string {
  return Math.abs(milliseconds) > LAST_TIME
    ? String(milliseconds)
    : new Date(milliseconds).toISOString().replace(/\.\d+/, '');
}

interface About {
  /** The person whom the verified response of the identity provider names, if that was reached. */
  readonly person?: Person;
  readonly compared?: readonly Comparison[];
}

/**
 * The reason why a response of an identity provider is refused, in our own words for the person at the browser and for
 * administrators.
 */
export class LoginFault extends Error {
  readonly person: Person | undefined;
  readonly compared: readonly Comparison[];

  constructor(message: string, { person, compared = [] }: About = {}) {
    super(message);
    this.name = 'LoginFault';
    this.person = person;
    this.compared = compared;
  }
}
