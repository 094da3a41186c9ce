import type { Person } from './person.js';

/** Of whatever somebody else wrote, so that no page of ours says their sentences. */
const PLAIN = /^[\x21-\x7e]{1,300}$/;
const MAX_VALUES = 10;
/** The last one that a date can hold, in milliseconds. */
const LAST_TIME = 8.64e15;

/** What an administrator has to compare: its name in the protocol, what was expected of it, and what was received. */
export interface Comparison {
  readonly name: string;
  readonly expected: string;
  readonly received: string;
}

/** Compares what was expected with a value of somebody else, of which only names, addresses and numbers are shown. */
export function comparison(name: string, expected: string, received: unknown): Comparison {
  return { name, expected, received: printableValue(received) };
}

/** A value of somebody else as a page may show it. */
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
  /** Of whom the identity provider was verified to speak, where it came to that. */
  readonly person?: Person;
  readonly compared?: readonly Comparison[];
}

/** Why what an identity provider sent is refused, in words of our own for the person at the browser and for administrators. */
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
