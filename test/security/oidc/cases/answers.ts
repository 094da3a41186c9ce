import type { Case } from './case.js';

const ID = /^[^.]*/;
const stateOf = ({ searchParams }: URL) => searchParams.get('state') ?? '';

/** What an attacker can change of what the browser brings back. */
export const ANSWERS: readonly Case[] = [
  {
    name: 'no state',
    change: ({ searchParams }) => searchParams.delete('state'),
    reason: /no login that was begun here/,
  },
  {
    name: 'two states',
    change: ({ searchParams }) => searchParams.append('state', '_other'),
    reason: /no login that was begun here/,
  },
  {
    name: 'a state that nobody began',
    change: (back) => back.searchParams.set('state', stateOf(back).replace(ID, `_${'0'.repeat(40)}`)),
    reason: /is over/,
  },
  {
    name: 'a state of SQL',
    change: (back) => back.searchParams.set('state', stateOf(back).replace(ID, `' OR true --`)),
    reason: /is over/,
  },
  {
    name: 'a state that names no key',
    change: (back) => back.searchParams.set('state', ID.exec(stateOf(back))?.[0] ?? ''),
    reason: /no login that was begun here/,
  },
  { name: 'no code', change: ({ searchParams }) => searchParams.delete('code'), reason: /code/ },
  { name: 'two codes', change: ({ searchParams }) => searchParams.append('code', 'other'), reason: /only once/ },
  {
    name: 'a code that the provider has not given',
    change: ({ searchParams }) => searchParams.set('code', 'guessed'),
    reason: /does not take the code/,
  },
  {
    name: 'the name of another issuer',
    change: ({ searchParams }) => searchParams.set('iss', 'https://other.test'),
    reason: /"iss"/,
    compared: ({ issuer }) => ({ iss: [issuer, 'https://other.test'] }),
  },
  {
    name: 'no name of the issuer, which this one always tells',
    change: ({ searchParams }) => searchParams.delete('iss'),
    reason: /"iss"/,
  },
  {
    name: 'two names of the issuer',
    change: ({ searchParams }) => searchParams.append('iss', 'https://other.test'),
    reason: /only once/,
  },
  {
    name: 'an error',
    change: ({ searchParams }) => searchParams.set('error', 'access_denied'),
    reason: /did not let you in/,
  },
  {
    name: 'an error with a text of an attacker',
    change: ({ searchParams }) => (
      searchParams.set('error', 'evil<script>'),
      searchParams.set('error_description', 'Call 555-0100')
    ),
    reason: /^The answer could not be verified: the identity provider answered with an error\.$/,
  },
  {
    name: 'an error that every object has',
    change: ({ searchParams }) => searchParams.set('error', 'constructor'),
    reason: /answered with an error/,
  },
  {
    name: 'an id token beside the code',
    change: ({ searchParams }) => searchParams.set('id_token', 'a.b.c'),
    reason: /unsupported|implicit/,
  },
  {
    name: 'an answer within a token',
    change: ({ searchParams }) => searchParams.set('response', 'a.b.c'),
    reason: /JARM/,
  },
];
