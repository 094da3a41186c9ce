import { comparison, LoginFault } from './login-fault.js';
import {
  childrenOf,
  elementsIn,
  isXmlElement,
  parseXml,
  elementText,
  descendantsOf,
  type XmlElement,
} from './saml-xml.js';

export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
/** Excludes SHA-1, HMAC (the certificate would be its key), and transforms that select what is signed. */
const SIGNATURE_METHODS = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
];
const DIGEST_METHODS = ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'];

interface ExpectedResponse {
  readonly acsURL: string;
  /** Entity id of the identity provider. */
  readonly entityID: string;
}

/**
 * Checks a response before its signatures are verified: it must have the exact structure of a login, so that no part of
 * it can be signed while another one is read. Returns the request that it claims to answer; the result of the login is
 * read from the signed bytes afterwards. Throws `LoginFault`.
 */
export function checkResponse(xml: string, expected: ExpectedResponse): { readonly inResponseTo: string } {
  const response = parseXml(xml);
  if (!isXmlElement(response, PROTOCOL, 'Response')) throw new LoginFault('This is not an answer to a login');
  checkStatus(response);
  const all = [...descendantsOf(response)];
  if (all.some(({ localName }) => localName.startsWith('Encrypted'))) {
    throw new LoginFault(
      'The assertion is encrypted, which is not supported: switch encryption off at the identity provider, the connection protects it',
    );
  }
  const assertions = all.filter(({ localName }) => localName === 'Assertion');
  const [assertion] = assertions;
  if (!assertion || assertions.length > 1) throw new LoginFault('An answer must hold one assertion');
  if (!isXmlElement(assertion, ASSERTION, 'Assertion') || assertion.parentNode !== response)
    throw new LoginFault('The assertion is not where it belongs');
  checkIds(all);
  checkSignatures(all, response, assertion);
  const issuers = childrenOf(response, ASSERTION, 'Issuer').map(elementText);
  if (issuers.length > 1 || (issuers.length === 1 && issuers[0] !== expected.entityID)) {
    throw new LoginFault(
      'The answer comes from another identity provider than the one of this login: compare the entityID that is set here',
      { compared: [comparison('Issuer', expected.entityID, issuers)] },
    );
  }
  const destination = response.getAttribute('Destination');
  if (destination !== '' && destination !== expected.acsURL)
    throw new LoginFault(
      'The answer was meant for another address: the identity provider has to send it to our acsURL',
      { compared: [comparison('Destination', expected.acsURL, destination)] },
    );
  const inResponseTo = response.getAttribute('InResponseTo');
  if (inResponseTo === '')
    throw new LoginFault('The answer belongs to no login that was begun here: begin at the start address');
  return { inResponseTo };
}

function checkStatus(response: XmlElement): void {
  const [status, ...others] = childrenOf(response, PROTOCOL, 'Status');
  const [code] = status ? childrenOf(status, PROTOCOL, 'StatusCode') : [];
  if (others.length === 0 && code?.getAttribute('Value') === SUCCESS) return;
  const codes = code
    ? [code, ...childrenOf(code, PROTOCOL, 'StatusCode')].map((each) => each.getAttribute('Value'))
    : [];
  throw new LoginFault('The identity provider did not let you in', {
    compared: [comparison('StatusCode', SUCCESS, codes)],
  });
}

function checkIds(elements: readonly XmlElement[]): void {
  const ids = elements.flatMap((element) =>
    Array.from(element.attributes)
      .filter(({ localName, name }) => (localName || name).toLowerCase() === 'id')
      .map(({ value }) => value),
  );
  if (new Set(ids).size !== ids.length) throw new LoginFault('Two elements of the answer have the same id');
}

function checkSignatures(elements: readonly XmlElement[], response: XmlElement, assertion: XmlElement): void {
  const signatures = elements.filter(({ localName }) => localName === 'Signature');
  if (signatures.length === 0) throw new LoginFault('The answer is not signed');
  for (const signature of signatures) {
    if (
      !isXmlElement(signature, SIGNATURE, 'Signature') ||
      (signature.parentNode !== response && signature.parentNode !== assertion)
    )
      throw new LoginFault('A signature is not where it belongs');
    if (elementsIn(signature.parentNode).filter(({ localName }) => localName === 'Signature').length > 1)
      throw new LoginFault('The answer has more signatures than it needs');
    checkSignature(signature, signature.parentNode);
  }
}

/** Requires a signature that covers its whole parent element and nothing else, with trusted algorithms. */
function checkSignature(signature: XmlElement, signed: XmlElement): void {
  const info = only(signature, 'SignedInfo');
  only(signature, 'SignatureValue');
  const reference = only(info, 'Reference');
  if (reference.getAttribute('URI') !== `#${signed.getAttribute('ID')}` || signed.getAttribute('ID') === '')
    throw new LoginFault('A signature covers another element than the one that it is in');
  const transforms = childrenOf(only(reference, 'Transforms'), SIGNATURE, 'Transform').map((each) =>
    each.getAttribute('Algorithm'),
  );
  const isPlain = transforms.length === 2 && transforms[0] === ENVELOPED && transforms[1] === EXCLUSIVE;
  if (!isPlain || only(info, 'CanonicalizationMethod').getAttribute('Algorithm') !== EXCLUSIVE)
    throw new LoginFault('A signature was made with transforms that are not allowed');
  const method = only(info, 'SignatureMethod').getAttribute('Algorithm');
  const digest = only(reference, 'DigestMethod').getAttribute('Algorithm');
  if (!SIGNATURE_METHODS.includes(method) || !DIGEST_METHODS.includes(digest)) {
    const compared = [
      comparison('SignatureMethod', SIGNATURE_METHODS.join(', '), method),
      comparison('DigestMethod', DIGEST_METHODS.join(', '), digest),
    ];
    throw new LoginFault(
      'The answer is signed with a method that is not trusted: let the identity provider use RSA with SHA-256',
      { compared },
    );
  }
  if (elementText(only(reference, 'DigestValue')) === undefined) throw new LoginFault('A signature is not well-formed');
}

function only(parent: XmlElement, name: string): XmlElement {
  const [child, ...others] = childrenOf(parent, SIGNATURE, name);
  if (!child || others.length > 0) throw new LoginFault('A signature is not well-formed');
  return child;
}
