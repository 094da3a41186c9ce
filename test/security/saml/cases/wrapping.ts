import { partsOf, replaced, type Case } from './case.js';

const DS = 'xmlns:ds="http://www.w3.org/2000/09/xmldsig#"';
const EXTENSIONS = (content: string) => `<samlp:Extensions>${content}</samlp:Extensions>`;

/** The answer with something instead of its assertion. */
const instead = (xml: string, by: string) => replaced(xml, partsOf(xml).assertion, by);
const unsigned = (xml: string) => replaced(xml, partsOf(xml).signature, '');
/** An answer like the signed one in which an attacker is named. */
const evilResponse = (xml: string) =>
  replaced(instead(unsigned(xml), partsOf(unsigned(xml)).evil), / ID="[^"]+"/, ' ID="_other"');
const withSignature = (xml: string, signature: string) => replaced(xml, '</saml:Issuer>', `</saml:Issuer>${signature}`);

/** XML signature wrapping (Somorovsky et al., "On Breaking SAML", 2012): what is signed is still there, and something else is to be read. */
export const WRAPPING: readonly Case[] = [
  {
    item: 18,
    name: 'XSW1: the signed answer within the signature of another',
    wish: { signs: 'response' },
    change: (xml) =>
      withSignature(
        evilResponse(xml),
        replaced(partsOf(xml).signature, '</ds:Signature>', `<ds:Object>${unsigned(xml)}</ds:Object></ds:Signature>`),
      ),
    reason: /one assertion/,
  },
  {
    item: 18,
    name: 'XSW2: the signed answer beside its signature in another',
    wish: { signs: 'response' },
    change: (xml) => withSignature(evilResponse(xml), `${unsigned(xml)}${partsOf(xml).signature}`),
    reason: /one assertion/,
  },
  {
    item: 18,
    name: 'XSW3: another assertion before the signed one',
    change: (xml) => instead(xml, partsOf(xml).evil + partsOf(xml).assertion),
    reason: /one assertion/,
  },
  {
    item: 18,
    name: 'another assertion after the signed one',
    change: (xml) => instead(xml, partsOf(xml).assertion + partsOf(xml).evil),
    reason: /one assertion/,
  },
  {
    item: 18,
    name: 'XSW4: the signed assertion within another',
    change: (xml) =>
      instead(xml, replaced(partsOf(xml).evil, '</saml:Assertion>', `${partsOf(xml).assertion}</saml:Assertion>`)),
    reason: /one assertion/,
  },
  {
    item: 18,
    name: 'XSW5: another assertion with the signature, and the signed one without it',
    change: (xml) =>
      instead(
        xml,
        withSignature(partsOf(xml).evil, partsOf(xml).signature) +
          replaced(partsOf(xml).assertion, partsOf(xml).signature, ''),
      ),
    reason: /one assertion/,
  },
  {
    item: 18,
    name: 'XSW6: the signed assertion in the signature of another',
    change: (xml) =>
      instead(
        xml,
        withSignature(
          partsOf(xml).evil,
          replaced(
            partsOf(xml).signature,
            '</ds:Signature>',
            `${replaced(partsOf(xml).assertion, partsOf(xml).signature, '')}</ds:Signature>`,
          ),
        ),
      ),
    reason: /one assertion/,
  },
  {
    item: 18,
    name: 'XSW7: another assertion in extensions',
    change: (xml) => instead(xml, EXTENSIONS(partsOf(xml).evil) + partsOf(xml).assertion),
    reason: /one assertion/,
  },
  {
    item: 18,
    name: 'XSW8: the signed assertion in an object of a signature',
    change: (xml) =>
      instead(
        xml,
        withSignature(
          partsOf(xml).evil,
          replaced(
            partsOf(xml).signature,
            '</ds:Signature>',
            `<ds:Object>${replaced(partsOf(xml).assertion, partsOf(xml).signature, '')}</ds:Object></ds:Signature>`,
          ),
        ),
      ),
    reason: /one assertion/,
  },
  {
    item: 18,
    name: 'another assertion as advice',
    change: (xml) =>
      replaced(xml, '<saml:Conditions', `<saml:Advice>${partsOf(xml).evil}</saml:Advice><saml:Conditions`),
    reason: /one assertion/,
  },
  {
    item: 18,
    name: 'the signed assertion in extensions only',
    change: (xml) => instead(xml, EXTENSIONS(partsOf(xml).assertion)),
    reason: /not where it belongs/,
  },
  {
    item: 18,
    name: 'the signature somewhere else',
    change: (xml) =>
      replaced(
        unsigned(xml),
        '<samlp:Status>',
        `<samlp:Extensions>${partsOf(xml).signature}</samlp:Extensions><samlp:Status>`,
      ),
    reason: /signature is not where/,
  },
  {
    item: 18,
    name: 'two signatures',
    change: (xml) => withSignature(xml, `${partsOf(xml).signature}${partsOf(xml).signature}`),
    reason: /more signatures/,
  },
  {
    item: 18,
    name: 'another signature element',
    change: (xml) => replaced(xml, '<samlp:Status>', `<ds:Signature ${DS}/><samlp:Status>`),
    reason: /not well-formed/,
  },
  {
    item: 18,
    name: 'an assertion of another namespace',
    change: (xml) => instead(xml, `<Assertion xmlns="urn:other">${partsOf(xml).assertion}</Assertion>`),
    reason: /one assertion/,
  },
  {
    item: 18,
    name: 'the assertion alone',
    change: (xml) => partsOf(xml).assertion,
    reason: /not an answer|not well-formed/,
  },
];
