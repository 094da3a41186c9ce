import { comparison, printableValue, timeText, type Comparison } from './login-fault.js';

/** An error of the library: its message is always its own, its cause may contain received values. */
export interface OpenIdError {
  readonly message: string;
  readonly cause?: unknown;
}

export interface Explanation {
  readonly words: string;
  readonly compared?: readonly Comparison[];
}

type Facts = Readonly<Record<string, unknown>>;

const CLAIMS: ReadonlyMap<string, string> = new Map([
  ['iss', 'issuer'],
  ['aud', 'audience'],
  ['azp', 'authorized party'],
  ['sub', 'subject'],
  ['nonce', 'nonce'],
  ['iat', 'time of issue'],
  ['nbf', 'beginning'],
  ['exp', 'end'],
]);

const CLOCKS = 'compare the clocks of both servers';
const DIFFERENT: Readonly<Record<string, string>> = {
  iss: 'the id token was issued by another issuer than the one that is set',
  aud: 'the id token was made for another audience: compare the client id',
  azp: 'the id token was made for another authorized party: compare the client id',
  nonce: 'the id token answers another login (nonce): begin the login again',
  exp: `the id token is not valid any more: ${CLOCKS}`,
  nbf: `the id token is not valid yet: ${CLOCKS}`,
};

/**
 * Explanations of the library's messages, with advice; the name of the part of the response follows where the message
 * contains one.
 */
const MEANINGS: readonly (readonly [message: RegExp, words: string])[] = [
  [
    /JWT signature verification failed/,
    'the signature of the id token does not fit the key that the identity provider publishes',
  ],
  [/JWE/, 'the id token is encrypted (JWE), which is not supported: switch encryption off'],
  [/"crit"/, 'the id token demands an extension (crit) that nobody here knows'],
  [/Invalid JWT|JWT (Header|Payload)/, 'the id token is not a JWT'],
  [/"parameters" does not contain|no authorization code/, 'the answer holds no code'],
  [
    /JARM/,
    'the answer is within a token (JARM), which is not supported: let the identity provider answer in the address',
  ],
  [
    /implicit and hybrid/,
    'the answer holds a token (implicit or hybrid flow), which is not supported: let the identity provider answer with a code alone',
  ],
  [/token_type/, 'the access token is of a kind (token_type) that nobody here knows'],
  [/content-type must be/, 'the identity provider did not answer with JSON'],
  [/parse "response" body as JSON/, 'the identity provider did not answer with JSON'],
  [/JSON Web Key Set/, 'the keys of the identity provider cannot be read'],
];

/** Explains an error of the library in words that follow a colon; undefined if it contains too little information. */
export function explainOpenIdError({ message, cause }: OpenIdError): Explanation | undefined {
  const facts: Facts = typeof cause === 'object' && cause !== null ? (cause as Facts) : {};
  return (
    ofClaim(facts) ??
    ofAttribute(message, facts) ??
    ofSignature(message, facts) ??
    ofParameter(message, facts) ??
    ofMessage(message, facts)
  );
}

const within = (facts: Facts, name: string): Facts =>
  typeof facts[name] === 'object' && facts[name] !== null ? (facts[name] as Facts) : {};

function ofClaim(facts: Facts): Explanation | undefined {
  const { claim, expected, now, tolerance } = facts;
  if (typeof claim !== 'string' || !Object.hasOwn(DIFFERENT, claim)) return undefined;
  const words = DIFFERENT[claim] ?? '';
  const received = within(facts, 'claims')[claim];
  if (claim === 'nonce') return { words };
  if (typeof now === 'number' && typeof tolerance === 'number') {
    const [bound, at] = claim === 'exp' ? ['later than', now - tolerance] : ['not later than', now + tolerance];
    return {
      words,
      compared: [
        comparison(
          claim,
          `${bound} ${timeText(at * 1000)}`,
          typeof received === 'number' ? timeText(received * 1000) : received,
        ),
      ],
    };
  }
  if (claim === 'aud' && expected === undefined)
    return {
      words: 'the id token is for an audience beside us, and does not say that it was made for us (azp)',
      compared: [comparison(claim, '(one audience)', received)],
    };
  return { words, compared: [comparison(claim, printableValue(expected), received)] };
}

function ofAttribute(message: string, facts: Facts): Explanation | undefined {
  const { attribute, expected } = facts;
  if (attribute === 'issuer')
    return {
      words: 'the identity provider calls itself by another name than the issuer that is set',
      compared: [comparison('issuer', printableValue(expected), within(facts, 'body')['issuer'])],
    };
  if (attribute === 'sub')
    return { words: 'the identity provider speaks of another subject than the one who logged in' };
  const [, claim = '', fault] = /JWT "(\w+)" \([^)]*\) claim (missing|type)/.exec(message) ?? [];
  const name = CLAIMS.get(claim);
  return name === undefined
    ? undefined
    : { words: `the id token ${fault === 'missing' ? 'lacks its' : 'has no usable'} ${name} (${claim})` };
}

function ofSignature(message: string, facts: Facts): Explanation | undefined {
  const header = within(facts, 'header');
  if (/no applicable keys|multiple applicable keys/.test(message)) {
    return {
      words: 'the id token is signed with a key that the identity provider does not publish',
      compared: [
        comparison(
          'kid',
          `a key at ${facts['jwks_uri'] instanceof URL ? facts['jwks_uri'].href : '(no address)'}`,
          header['kid'],
        ),
      ],
    };
  }
  if (/"alg"|JWS algorithm/.test(message)) {
    const expected =
      facts['expected'] === undefined ? 'RS256, PS256, ES256 or EdDSA' : printableValue(facts['expected']);
    return {
      words: 'the id token is signed by a method ("alg") that is not taken',
      compared: [comparison('alg', expected, header['alg'] ?? facts['alg'])],
    };
  }
  return undefined;
}

function ofParameter(message: string, { parameters, expected }: Facts): Explanation | undefined {
  const [, name] = /^"([a-z_]+)" parameter must be provided only once/.exec(message) ?? [];
  if (name !== undefined) return { words: `the answer holds ${name} more than once, which must be there only once` };
  if (!/"iss" \(issuer\) (missing|response parameter)|response parameter "iss"/.test(message)) return undefined;
  const received = parameters instanceof URLSearchParams ? parameters.get('iss') : undefined;
  return {
    words: 'the answer is not that of the issuer of this login ("iss")',
    ...(expected !== undefined && { compared: [comparison('iss', printableValue(expected), received)] }),
  };
}

function ofMessage(message: string, { status }: Facts): Explanation | undefined {
  const known = MEANINGS.find(([pattern]) => pattern.test(message));
  if (known) return { words: known[1] };
  if (/unexpected HTTP status code/.test(message))
    return {
      words: 'the identity provider did not answer as it should',
      compared: [comparison('HTTP status', '200', status)],
    };
  const [, property] = /"response" body "([a-z_]+)" property/.exec(message) ?? [];
  if (property !== undefined) return { words: `what the identity provider answered has no usable ${property}` };
  const [, setting] = /metadata does not contain a valid "as\.([a-z_.]+)"/.exec(message) ?? [];
  return setting === undefined ? undefined : { words: `what the identity provider publishes has no usable ${setting}` };
}
