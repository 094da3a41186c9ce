import { SamlFault } from './saml-fault.js';
import { ASSERTION } from './saml-response.js';
import { childrenOf, isElement, parseXml, textOf, type XmlElement } from './saml-xml.js';

/** How far the clocks of two machines may be apart, in milliseconds. */
export const CLOCK_SKEW = 60_000;
const MAX_LIFE = 60 * 60_000;
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const EMAIL_FORMATS: readonly string[] = ['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress', 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified', ''];
/** Asked before letters are made small, since others (such as the sign for Kelvin) become the same address as somebody else's then. */
const ASCII = /^[\x21-\x7e]+$/;
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
const MAX_EMAIL_LENGTH = 320;
const MAX_NAME_LENGTH = 64;

export interface ExpectedAssertion {
  /** Of the identity provider. */
  readonly entityID: string;
  /** Our own name. */
  readonly audience: string;
  readonly acsURL: string;
  readonly inResponseTo: string;
  readonly now: Date;
}

/** Who an assertion says somebody is. */
export interface AssertedPerson {
  readonly assertionId: string;
  /** In small letters. */
  readonly email: string;
  readonly displayName: string | undefined;
  /** From when on the assertion could not be used any more, the skew of clocks included. */
  readonly usableUntil: Date;
}

/**
 * Reads an assertion from the bytes that its signature covers (SAML 2.0 profiles, 4.1.4.3): who issued it, for whom, in answer
 * to what, and when. Whatever a login needs must be there. Throws `SamlFault`.
 */
export function readAssertion(signedXml: string, expected: ExpectedAssertion): AssertedPerson {
  const assertion = parseXml(signedXml);
  if (!isElement(assertion, ASSERTION, 'Assertion')) throw new SamlFault('The signature covers no assertion');
  const assertionId = assertion.getAttribute('ID');
  if (assertionId === '' || assertionId.length > 256) throw new SamlFault('The assertion has no usable id');
  if (textOf(single(assertion, 'Issuer')) !== expected.entityID) throw new SamlFault('The assertion was issued by another identity provider than the one of this login');
  const subject = single(assertion, 'Subject');
  const conditions = single(assertion, 'Conditions');
  checkTimes(conditions, expected.now);
  checkAudience(conditions, expected.audience);
  const usableUntil = confirmedUntil(subject, expected);
  if (childrenOf(assertion, ASSERTION, 'AuthnStatement').length === 0) throw new SamlFault('The assertion does not say that anybody logged in');
  return { assertionId, email: emailOf(single(subject, 'NameID')), displayName: displayNameOf(assertion), usableUntil };
}

function single(parent: XmlElement, name: string): XmlElement {
  const [child, ...others] = childrenOf(parent, ASSERTION, name);
  if (!child || others.length > 0) throw new SamlFault(`The assertion must hold one ${name}`);
  return child;
}

/** Milliseconds of a time in UTC; throws for everything else. */
function timeOf(element: XmlElement, name: string): number | undefined {
  if (!element.hasAttribute(name)) return undefined;
  const text = element.getAttribute(name);
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) throw new SamlFault(`${name} of the assertion is not a time`);
  return time;
}

function checkTimes(element: XmlElement, now: Date): number | undefined {
  const from = timeOf(element, 'NotBefore');
  const until = timeOf(element, 'NotOnOrAfter');
  if (from !== undefined && now.getTime() + CLOCK_SKEW < from) throw new SamlFault('The assertion is not valid yet: compare the clocks of both servers');
  if (until !== undefined && now.getTime() - CLOCK_SKEW >= until) throw new SamlFault('The assertion is not valid any more: begin the login again');
  return until;
}

function checkAudience(conditions: XmlElement, audience: string): void {
  const restrictions = childrenOf(conditions, ASSERTION, 'AudienceRestriction');
  const isForUs = restrictions.length > 0 && restrictions.every((each) => childrenOf(each, ASSERTION, 'Audience').some((one) => textOf(one) === audience));
  if (!isForUs) throw new SamlFault('The assertion was made for another service');
}

/** The end of the one confirmation that must hold: whoever bears it here, in answer to the request of this login. */
function confirmedUntil(subject: XmlElement, { acsURL, inResponseTo, now }: ExpectedAssertion): Date {
  const confirmation = single(subject, 'SubjectConfirmation');
  if (confirmation.getAttribute('Method') !== BEARER) throw new SamlFault('The assertion is not confirmed by its bearer');
  const data = single(confirmation, 'SubjectConfirmationData');
  if (data.getAttribute('Recipient') !== acsURL) throw new SamlFault('The assertion was meant for another address');
  if (data.getAttribute('InResponseTo') !== inResponseTo) throw new SamlFault('The assertion answers another login');
  const until = checkTimes(data, now);
  if (until === undefined) throw new SamlFault('The assertion never ends');
  if (until > now.getTime() + MAX_LIFE + CLOCK_SKEW) throw new SamlFault('The assertion is valid for longer than an hour');
  return new Date(until + CLOCK_SKEW);
}

function emailOf(nameId: XmlElement): string {
  const text = textOf(nameId)?.trim() ?? '';
  if (text.length > MAX_EMAIL_LENGTH || !ASCII.test(text) || !EMAIL_FORMATS.includes(nameId.getAttribute('Format')) || !EMAIL.test(text.toLowerCase())) {
    throw new SamlFault('The name of the person (NameID) is not an e-mail address: let the identity provider send one, in the format emailAddress');
  }
  return text.toLowerCase();
}

function displayNameOf(assertion: XmlElement): string | undefined {
  const values = new Map<string, string>();
  for (const statement of childrenOf(assertion, ASSERTION, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, ASSERTION, 'Attribute')) {
      const value = textOf(childrenOf(attribute, ASSERTION, 'AttributeValue')[0])?.trim();
      if (value) values.set(attribute.getAttribute('Name'), value);
    }
  }
  const name = [values.get('first_name'), values.get('last_name')].filter((part) => part !== undefined).join(' ');
  return name === '' ? undefined : [...name].slice(0, MAX_NAME_LENGTH).join('');
}
