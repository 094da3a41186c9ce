import { expect } from '@jest/globals';
import { makeIdentity } from '../certificates.js';
import { ATTACKER, partsOf, replaced, type Case } from './case.js';

const other = makeIdentity();
const FINGERPRINT: unknown = expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
const insertIntoAssertion = (xml: string, text: string) => replaced(xml, '<saml:Conditions', `${text}<saml:Conditions`);

/** Signatures that are missing, broken, somebody else's, or of something else. */
export const SIGNATURES: readonly Case[] = [
  {
    item: 18,
    name: 'a signature that was taken away',
    change: (xml) => replaced(xml, partsOf(xml).signature, ''),
    reason: /not signed/,
  },
  {
    item: 18,
    name: 'another name under the signature',
    change: (xml) => replaced(xml, />[^<]+<\/saml:NameID>/, `>${ATTACKER}</saml:NameID>`),
    reason: /could not be verified/,
  },
  {
    item: 18,
    name: 'another name under the signature of the whole answer',
    wish: { signs: 'response' },
    change: (xml) => replaced(xml, />[^<]+<\/saml:NameID>/, `>${ATTACKER}</saml:NameID>`),
    reason: /could not be verified/,
  },
  {
    item: 18,
    name: 'another name under both signatures',
    wish: { signs: 'both' },
    change: (xml) => replaced(xml, />[^<]+<\/saml:NameID>/, `>${ATTACKER}</saml:NameID>`),
    reason: /could not be verified/,
  },
  {
    item: 18,
    name: 'another value of the signature',
    change: (xml) => replaced(xml, /<ds:SignatureValue>[^<]{8}/, '<ds:SignatureValue>AAAAAAAA'),
    reason: /could not be verified/,
  },
  {
    item: 18,
    name: 'an empty signature',
    change: (xml) =>
      replaced(xml, partsOf(xml).signature, '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>'),
    reason: /not well-formed/,
  },
  {
    item: 18,
    name: 'a signature of another element',
    change: (xml) =>
      replaced(xml, /URI="#[^"]+"/, `URI="#${/<samlp:Response[^>]* ID="([^"]+)"/.exec(xml)?.[1] ?? ''}"`),
    reason: /another element/,
  },
  {
    item: 18,
    name: 'the signature of the assertion, moved to the answer',
    change: (xml) =>
      replaced(replaced(xml, partsOf(xml).signature, ''), '</saml:Issuer>', `</saml:Issuer>${partsOf(xml).signature}`),
    reason: /another element/,
  },
  {
    item: 18,
    name: 'a signature of whatever comes first',
    change: (xml) => replaced(xml, /URI="#[^"]+"/, 'URI=""'),
    reason: /another element/,
  },
  {
    item: 18,
    name: 'two descriptions of what is signed',
    change: (xml) =>
      replaced(
        xml,
        '</ds:SignedInfo>',
        `</ds:SignedInfo>${/<ds:SignedInfo>[\s\S]*<\/ds:SignedInfo>/.exec(xml)?.[0] ?? ''}`,
      ),
    reason: /not well-formed/,
  },
  {
    item: 18,
    name: 'two references',
    change: (xml) =>
      replaced(
        xml,
        '</ds:SignedInfo>',
        `${/<ds:Reference[\s\S]*<\/ds:Reference>/.exec(xml)?.[0] ?? ''}</ds:SignedInfo>`,
      ),
    reason: /not well-formed/,
  },
  {
    item: 18,
    name: 'a comment in the digest',
    change: (xml) => replaced(xml, '<ds:DigestValue>', '<ds:DigestValue><!-- x -->'),
    reason: /comment/,
  },
  {
    item: 18,
    name: 'a processing instruction in the digest',
    change: (xml) => replaced(xml, '<ds:DigestValue>', '<ds:DigestValue><?x y?>'),
    reason: /processing instruction/,
  },
  {
    item: 18,
    name: 'a comment in what is signed',
    change: (xml) => replaced(xml, '<ds:SignedInfo>', '<ds:SignedInfo><!-- x -->'),
    reason: /comment/,
  },
  {
    item: 18,
    name: 'two digests',
    change: (xml) =>
      replaced(
        xml,
        /<ds:DigestValue>[^<]+<\/ds:DigestValue>/,
        '<ds:DigestValue>AAAA</ds:DigestValue><ds:DigestValue>BBBB</ds:DigestValue>',
      ),
    reason: /not well-formed/,
  },
  {
    item: 18,
    name: 'an element in the digest',
    change: (xml) => replaced(xml, '<ds:DigestValue>', '<ds:DigestValue><x/>'),
    reason: /not well-formed/,
  },
  {
    item: 18,
    name: 'the same id twice',
    change: (xml) =>
      insertIntoAssertion(xml, `<saml:Advice ID="${/<saml:Assertion[^>]* ID="([^"]+)"/.exec(xml)?.[1] ?? ''}"/>`),
    reason: /same id/,
  },
  {
    item: 18,
    name: 'the same id under another name',
    change: (xml) =>
      insertIntoAssertion(xml, `<saml:Advice xml:id="${/<saml:Assertion[^>]* ID="([^"]+)"/.exec(xml)?.[1] ?? ''}"/>`),
    reason: /same id/,
  },
  {
    item: 18,
    name: 'a transform that chooses',
    change: (xml) =>
      replaced(
        xml,
        '</ds:Transforms>',
        '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"/></ds:Transforms>',
      ),
    reason: /transforms/,
  },
  {
    item: 18,
    name: 'no transforms',
    change: (xml) => replaced(xml, /<ds:Transforms>[\s\S]*<\/ds:Transforms>/, '<ds:Transforms/>'),
    reason: /transforms/,
  },
  {
    item: 20,
    name: 'a signature with another certificate, which it brings along',
    wish: { identity: other },
    reason: /could not be verified: its signature does not fit the certificate/,
    compared: () => ({ 'SHA-256 of the certificate': [FINGERPRINT, FINGERPRINT] }),
  },
  {
    item: 20,
    name: 'a signature with SHA-1',
    wish: { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' },
    reason: /not trusted/,
    compared: () => ({
      SignatureMethod: [expect.stringContaining('#rsa-sha256'), expect.stringContaining('#rsa-sha1')],
    }),
  },
  {
    item: 20,
    name: 'a digest with SHA-1',
    change: (xml) => replaced(xml, 'http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2000/09/xmldsig#sha1'),
    reason: /not trusted/,
  },
  {
    item: 20,
    name: 'a signature with elliptic curves',
    change: (xml) => replaced(xml, '#rsa-sha256', '#ecdsa-sha256'),
    reason: /not trusted: let the identity provider use RSA/,
  },
  {
    item: 20,
    name: 'a signature with the certificate as a secret',
    change: (xml) =>
      replaced(xml, 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'),
    reason: /not trusted/,
  },
];
