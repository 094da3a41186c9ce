import type { Answer, Wish } from '../identity-provider.js';

/** One way to cheat: what the identity provider is made to say, and what an attacker changes afterwards. */
export interface Case {
  /** Of the checklist. */
  readonly item: 18 | 19 | 20 | 21;
  readonly name: string;
  /** What the page says. */
  readonly reason: RegExp;
  /** What it lets administrators compare, by its name: what was expected of this provider, and what was received. */
  readonly compared?: (provider: {
    readonly entityID: string;
    readonly service: { readonly acsURL: string; readonly entityID: string };
  }) => Readonly<Record<string, readonly [expected: unknown, came: unknown]>>;
  readonly wish?: Wish;
  /** Changes the signed XML. */
  readonly change?: (xml: string) => string;
  /** Makes the body of the request by itself. */
  readonly body?: (answer: Answer) => string | Buffer;
}

/** Replaces what must be there, so that no case passes by changing nothing. */
export function replaced(xml: string, what: string | RegExp, by: string): string {
  const after = xml.replace(what, () => by);
  if (after === xml) throw new Error(`there is no ${String(what)} to replace`);
  return after;
}

export function form(values: Readonly<Record<string, string>>): string {
  return new URLSearchParams(values).toString();
}

export const encoded = (xml: string | Buffer): string => Buffer.from(xml).toString('base64');

const ASSERTION = /<saml:Assertion[\s\S]*<\/saml:Assertion>/;
const SIGNATURE = /<ds:Signature[ >][\s\S]*?<\/ds:Signature>/;
export const ATTACKER = 'mallory@example.com';

/** The parts of an answer whose assertion, or which itself, is signed. */
export function partsOf(xml: string): {
  readonly assertion: string;
  readonly signature: string;
  readonly evil: string;
} {
  const assertion = ASSERTION.exec(xml)?.[0] ?? '';
  const signature = SIGNATURE.exec(xml)?.[0] ?? '';
  const evil = replaced(
    replaced(assertion.replace(SIGNATURE, ''), / ID="[^"]+"/, ' ID="_evil"'),
    />[^<]+<\/saml:NameID>/,
    `>${ATTACKER}</saml:NameID>`,
  );
  return { assertion, signature, evil };
}
