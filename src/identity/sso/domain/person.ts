/**
 * Tested before conversion to lower case, since other characters (such as the Kelvin sign) would then become equal to
 * the address of another person.
 */
const ASCII = /^[\x21-\x7e]+$/;
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
const MAX_EMAIL_LENGTH = 320;
const MAX_NAME_LENGTH = 64;

/** The person whom an identity provider names. */
export interface Person {
  /** In lower case. */
  readonly email: string;
  readonly displayName: string | undefined;
}

/** Texts by name, as in a verified response: attributes of a SAML assertion, or claims of an id token. */
export type Attributes = Readonly<Record<string, readonly string[]>>;

/** A person with all attributes of a verified response. */
export interface AssertedPerson extends Person {
  readonly attributes: Attributes;
}

/** An e-mail address in lower case; undefined for every other text. */
export function emailAddress(text: string): string | undefined {
  if (text.length > MAX_EMAIL_LENGTH || !ASCII.test(text)) return undefined;
  const email = text.toLowerCase();
  return EMAIL.test(email) ? email : undefined;
}

/** Joins the parts of a name that are present, without characters that cannot be shown or stored. */
export function displayName(...parts: readonly unknown[]): string | undefined {
  const texts = parts.flatMap((part) =>
    typeof part === 'string' ? [part.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim()] : [],
  );
  const name = texts.filter((text) => text !== '').join(' ');
  return name === '' ? undefined : [...name].slice(0, MAX_NAME_LENGTH).join('').trim();
}
