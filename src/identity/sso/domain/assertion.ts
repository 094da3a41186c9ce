import { CLOCK_SKEW } from './clock-skew.js';
import { comparison, LoginFault, timeText } from './login-fault.js';
import { displayName, emailAddress, type AssertedPerson, type Attributes } from './person.js';
import { ASSERTION } from './saml-response.js';
import { childrenOf, isXmlElement, parseXml, elementText, type XmlElement } from './saml-xml.js';
import { requireSession } from './session-end.js';

const MAX_LIFE = 60 * 60_000;
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
export const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const EMAIL_FORMATS: readonly string[] = [EMAIL_FORMAT, 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified', ''];

export interface ExpectedAssertion {
  /** Entity id of the identity provider. */
  readonly entityID: string;
  /** The entity id of this service. */
  readonly audience: string;
  readonly acsURL: string;
  readonly inResponseTo: string;
  readonly now: Date;
}

/** The person in an assertion, and its validity. */
export interface VerifiedAssertion extends AssertedPerson {
  readonly assertionId: string;
  /** The time from which the assertion is no longer usable, including the clock skew. */
  readonly usableUntil: Date;
  /** The end of the session at the identity provider, if it states one. */
  readonly sessionUntil: Date | undefined;
}

/**
 * Reads an assertion from the bytes that its signature covers (SAML 2.0 profiles, 4.1.4.3): issuer, audience, request
 * and times. Everything that a login needs must be present. Throws `LoginFault`.
 */
export function readAssertion(signedXml: string, expected: ExpectedAssertion): VerifiedAssertion {
  const assertion = parseXml(signedXml);
  if (!isXmlElement(assertion, ASSERTION, 'Assertion')) throw new LoginFault('The signature covers no assertion');
  const assertionId = assertion.getAttribute('ID');
  if (assertionId === '' || assertionId.length > 256) throw new LoginFault('The assertion has no usable id');
  const issuer = elementText(single(assertion, 'Issuer'));
  if (issuer !== expected.entityID)
    throw new LoginFault(
      'The assertion was issued by another identity provider than the one of this login: compare the entityID that is set here',
      { compared: [comparison('Issuer', expected.entityID, issuer)] },
    );
  const subject = single(assertion, 'Subject');
  const conditions = single(assertion, 'Conditions');
  checkTimes(conditions, expected.now);
  checkAudience(conditions, expected.audience);
  const usableUntil = confirmedUntil(subject, expected);
  const sessionUntil = sessionEnd(childrenOf(assertion, ASSERTION, 'AuthnStatement'), expected.now);
  const attributes = attributesOf(assertion);
  return {
    assertionId,
    email: emailOf(single(subject, 'NameID')),
    displayName: displayName(attributes['first_name']?.[0], attributes['last_name']?.[0]),
    attributes,
    usableUntil,
    sessionUntil,
  };
}

function single(parent: XmlElement, name: string): XmlElement {
  const [child, ...others] = childrenOf(parent, ASSERTION, name);
  if (!child || others.length > 0) throw new LoginFault(`The assertion must hold one ${name}`);
  return child;
}

/** Parses a time in UTC to milliseconds; throws for everything else. */
function timeOf(element: XmlElement, name: string): number | undefined {
  if (!element.hasAttribute(name)) return undefined;
  const text = element.getAttribute(name);
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) throw new LoginFault(`${name} of the assertion is not a time`);
  return time;
}

function checkTimes(element: XmlElement, now: Date): number | undefined {
  const from = timeOf(element, 'NotBefore');
  const until = timeOf(element, 'NotOnOrAfter');
  const [latest, earliest] = [now.getTime() + CLOCK_SKEW, now.getTime() - CLOCK_SKEW];
  if (from !== undefined && latest < from)
    throw new LoginFault('The assertion is not valid yet: compare the clocks of both servers', {
      compared: [comparison('NotBefore', `not later than ${timeText(latest)}`, timeText(from))],
    });
  if (until !== undefined && earliest >= until) {
    throw new LoginFault(
      'The assertion is not valid any more: begin the login again, or compare the clocks of both servers',
      { compared: [comparison('NotOnOrAfter', `later than ${timeText(earliest)}`, timeText(until))] },
    );
  }
  return until;
}

function checkAudience(conditions: XmlElement, audience: string): void {
  const restrictions = childrenOf(conditions, ASSERTION, 'AudienceRestriction');
  const named = restrictions.map((each) => childrenOf(each, ASSERTION, 'Audience').map(elementText));
  if (named.length > 0 && named.every((each) => each.includes(audience))) return;
  throw new LoginFault(
    'The assertion was made for another service: the identity provider has to name us as its audience',
    { compared: [comparison('Audience', audience, named.flat())] },
  );
}

/** The end of the required bearer confirmation, for this recipient and in response to the request of this login. */
function confirmedUntil(subject: XmlElement, { acsURL, inResponseTo, now }: ExpectedAssertion): Date {
  const confirmation = single(subject, 'SubjectConfirmation');
  if (confirmation.getAttribute('Method') !== BEARER)
    throw new LoginFault('The assertion is not confirmed by its bearer');
  const data = single(confirmation, 'SubjectConfirmationData');
  const recipient = data.getAttribute('Recipient');
  if (recipient !== acsURL)
    throw new LoginFault(
      'The assertion was meant for another address: the identity provider has to send it to our acsURL',
      { compared: [comparison('Recipient', acsURL, recipient)] },
    );
  if (data.getAttribute('InResponseTo') !== inResponseTo) throw new LoginFault('The assertion answers another login');
  const until = checkTimes(data, now);
  if (until === undefined) throw new LoginFault('The assertion never ends');
  const longest = now.getTime() + MAX_LIFE + CLOCK_SKEW;
  if (until > longest)
    throw new LoginFault('The assertion is valid for longer than an hour', {
      compared: [comparison('NotOnOrAfter', `not later than ${timeText(longest)}`, timeText(until))],
    });
  return new Date(until + CLOCK_SKEW);
}

/** The end of the session, the earliest of several. */
function sessionEnd(statements: readonly XmlElement[], now: Date): Date | undefined {
  if (statements.length === 0) throw new LoginFault('The assertion does not say that anybody logged in');
  const ends = statements.flatMap((each) => timeOf(each, 'SessionNotOnOrAfter') ?? []);
  if (ends.length === 0) return undefined;
  const end = new Date(Math.min(...ends));
  requireSession(end, now);
  return end;
}

function emailOf(nameId: XmlElement): string {
  const format = nameId.getAttribute('Format');
  const name = elementText(nameId)?.trim() ?? '';
  const email = EMAIL_FORMATS.includes(format) ? emailAddress(name) : undefined;
  if (email !== undefined) return email;
  const compared = [comparison('NameID', '(an e-mail address)', name), comparison('Format', EMAIL_FORMAT, format)];
  throw new LoginFault(
    'The name of the person (NameID) is not an e-mail address: let the identity provider send one, in the format emailAddress',
    { compared },
  );
}

/** The text values of attributes, by name. */
function attributesOf(assertion: XmlElement): Attributes {
  const values = new Map<string, string[]>();
  for (const statement of childrenOf(assertion, ASSERTION, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, ASSERTION, 'Attribute')) {
      const texts = childrenOf(attribute, ASSERTION, 'AttributeValue').map((value) => elementText(value)?.trim() ?? '');
      const name = attribute.getAttribute('Name');
      // The last one counts if several attributes have the same name.
      if (texts.some((text) => text !== ''))
        values.set(
          name,
          texts.filter((text) => text !== ''),
        );
    }
  }
  return Object.fromEntries(values);
}
