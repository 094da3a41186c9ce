/** Asked before letters are made small, since others (such as the sign for Kelvin) become the same address as somebody else's then. */
const ASCII = /^[\x21-\x7e]+$/;
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
const MAX_EMAIL_LENGTH = 320;
const MAX_NAME_LENGTH = 64;

/** Whom an identity provider speaks of. */
export interface Person {
  /** In small letters. */
  readonly email: string;
  readonly displayName: string | undefined;
}

/** Texts by name, as a verified answer has them: attributes of a SAML assertion, or claims of an id token. */
export type Attributes = Readonly<Record<string, readonly string[]>>;

/** A person with everything that a verified answer says of them. */
export interface AssertedPerson extends Person {
  readonly attributes: Attributes;
}

/** An e-mail address in small letters; undefined for every other text. */
export function emailAddress(text: string): string | undefined {
  if (text.length > MAX_EMAIL_LENGTH || !ASCII.test(text)) return undefined;
  const email = text.toLowerCase();
  return EMAIL.test(email) ? email : undefined;
}

/** A name of its parts, as far as they are there, without characters that cannot be shown or stored. */
export function displayName(...parts: readonly unknown[]): string | undefined {
  const texts = parts.flatMap((part) =>
    typeof part === 'string' ? [part.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim()] : [],
  );
  const name = texts.filter((text) => text !== '').join(' ');
  return name === '' ? undefined : [...name].slice(0, MAX_NAME_LENGTH).join('').trim();
}
