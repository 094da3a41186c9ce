import { expect } from '@jest/globals';
import { encoded, form, replaced, type Case } from './case.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const bound = (text: string) =>
  [expect.stringMatching(new RegExp(`^${text} \\d{4}-[\\dT:-]+Z$`)), expect.stringMatching(TIME)] as const;
const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** Assertions that are signed as they should be, but for somebody else, for another time, or for nobody. */
export const FACTS: readonly Case[] = [
  {
    item: 20,
    name: 'another issuer',
    wish: { values: { Issuer: 'https://other.test/' } },
    reason: /another identity provider/,
    compared: ({ entityID }) => ({ Issuer: [entityID, 'https://other.test/'] }),
  },
  {
    item: 20,
    name: 'another issuer of the assertion only',
    wish: { before: (xml) => xml.replace(/(<saml:Assertion[\s\S]*?<saml:Issuer>)[^<]+/, '$1https://other.test/') },
    reason: /another identity provider/,
    compared: ({ entityID }) => ({ Issuer: [entityID, 'https://other.test/'] }),
  },
  {
    item: 20,
    name: 'no issuer of the assertion',
    wish: {
      signs: 'response',
      before: (xml) => xml.replace(/(<saml:Assertion[^>]*>)<saml:Issuer>[^<]+<\/saml:Issuer>/, '$1'),
    },
    reason: /one Issuer/,
  },
  {
    item: 20,
    name: 'another audience',
    wish: { values: { Audience: 'https://other.test/' } },
    reason: /another service: .* as its audience/,
    compared: ({ service }) => ({ Audience: [service.entityID, 'https://other.test/'] }),
  },
  {
    item: 20,
    name: 'a sentence as its audience',
    wish: { values: { Audience: 'Call 555-0100' } },
    reason: /another service/,
    compared: ({ service }) => ({ Audience: [service.entityID, '(something that cannot be shown)'] }),
  },
  {
    item: 20,
    name: 'markup as its audience',
    wish: { values: { Audience: '<script>alert(1)</script>' } },
    reason: /another service/,
    compared: ({ service }) => ({ Audience: [service.entityID, '&#x3C;script>alert(1)&#x3C;/script>'] }),
  },
  {
    item: 20,
    name: 'no audience',
    wish: { before: (xml) => replaced(xml, /<saml:AudienceRestriction>[\s\S]*<\/saml:AudienceRestriction>/, '') },
    reason: /another service/,
    compared: ({ service }) => ({ Audience: [service.entityID, '(nothing)'] }),
  },
  {
    item: 20,
    name: 'two audiences that must both be there',
    wish: {
      before: (xml) =>
        replaced(
          xml,
          '</saml:Conditions>',
          '<saml:AudienceRestriction><saml:Audience>https://other.test/</saml:Audience></saml:AudienceRestriction></saml:Conditions>',
        ),
    },
    reason: /another service/,
    compared: ({ service }) => ({ Audience: [service.entityID, `${service.entityID}, https://other.test/`] }),
  },
  {
    item: 20,
    name: 'another recipient',
    wish: { values: { SubjectRecipient: 'https://other.test/acs' } },
    reason: /another address/,
    compared: ({ service }) => ({ Recipient: [service.acsURL, 'https://other.test/acs'] }),
  },
  {
    item: 20,
    name: 'no recipient',
    wish: { before: (xml) => replaced(xml, / Recipient="[^"]+"/, '') },
    reason: /another address/,
  },
  {
    item: 20,
    name: 'nothing that confirms',
    wish: { before: (xml) => replaced(xml, /<saml:SubjectConfirmationData[^>]*\/>/, '') },
    reason: /one SubjectConfirmationData/,
  },
  {
    item: 20,
    name: 'another destination',
    wish: { values: { Destination: 'https://other.test/acs' } },
    reason: /another address/,
    compared: ({ service }) => ({ Destination: [service.acsURL, 'https://other.test/acs'] }),
  },
  {
    item: 20,
    name: 'an answer to another request',
    wish: { values: { InResponseTo: '_another' } },
    reason: /relay state/,
  },
  {
    item: 20,
    name: 'an answer to another request under the signature only',
    wish: { before: (xml) => xml.replace(/(<saml:SubjectConfirmationData[^>]* InResponseTo=")[^"]+/, '$1_another') },
    reason: /another login/,
  },
  {
    item: 20,
    name: 'an answer to no request',
    wish: { before: (xml) => xml.replaceAll(/ InResponseTo="[^"]+"/g, '') },
    reason: /no login/,
  },
  {
    item: 20,
    name: 'an answer to no request under the signature',
    wish: { before: (xml) => xml.replace(/(<saml:SubjectConfirmationData[^>]*) InResponseTo="[^"]+"/, '$1') },
    reason: /another login/,
  },
  {
    item: 20,
    name: 'conditions that are over',
    wish: { values: { ConditionsNotOnOrAfter: at(-2) } },
    reason: /not valid any more/,
    compared: () => ({ NotOnOrAfter: bound('later than') }),
  },
  {
    item: 20,
    name: 'conditions that have not begun',
    wish: { values: { ConditionsNotBefore: at(8) } },
    reason: /not valid yet/,
    compared: () => ({ NotBefore: bound('not later than') }),
  },
  {
    item: 20,
    name: 'a confirmation that is over',
    wish: { values: { SubjectConfirmationDataNotOnOrAfter: at(-2) } },
    reason: /not valid any more/,
  },
  {
    item: 20,
    name: 'a confirmation that has not begun',
    wish: {
      before: (xml) =>
        replaced(xml, '<saml:SubjectConfirmationData ', `<saml:SubjectConfirmationData NotBefore="${at(8)}" `),
    },
    reason: /not valid yet/,
  },
  {
    item: 20,
    name: 'a confirmation that never ends',
    wish: { before: (xml) => replaced(xml, / NotOnOrAfter="[^"]+"(?= Recipient)/, '') },
    reason: /never ends|time of the assertion is missing/,
  },
  {
    item: 20,
    name: 'a confirmation for a year',
    wish: { values: { SubjectConfirmationDataNotOnOrAfter: at(525_600) } },
    reason: /longer than an hour/,
    compared: () => ({ NotOnOrAfter: bound('not later than') }),
  },
  {
    item: 20,
    name: 'a session that is over',
    wish: { before: (xml) => replaced(xml, ' SessionIndex=', ` SessionNotOnOrAfter="${at(-2)}" SessionIndex=`) },
    reason: /session at the identity provider is over/,
    compared: () => ({ SessionNotOnOrAfter: bound('later than') }),
  },
  {
    item: 20,
    name: 'a session whose end is no time',
    wish: { before: (xml) => replaced(xml, ' SessionIndex=', ' SessionNotOnOrAfter="tomorrow" SessionIndex=') },
    reason: /not a time/,
  },
  {
    item: 20,
    name: 'an end that is no time',
    wish: { values: { SubjectConfirmationDataNotOnOrAfter: 'tomorrow' } },
    reason: /not a time/,
  },
  {
    item: 20,
    name: 'a confirmation by somebody else',
    wish: { before: (xml) => replaced(xml, 'cm:bearer', 'cm:sender-vouches') },
    reason: /not confirmed/,
  },
  {
    item: 20,
    name: 'nobody who logged in',
    wish: { before: (xml) => replaced(xml, /<saml:AuthnStatement[\s\S]*<\/saml:AuthnStatement>/, '') },
    reason: /anybody logged in/,
  },
  {
    item: 20,
    name: 'a login that failed',
    wish: { values: { StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Responder' } },
    reason: /did not let you in/,
    compared: () => ({ StatusCode: [expect.stringMatching(/:Success$/), expect.stringMatching(/:Responder$/)] }),
  },
  {
    item: 20,
    name: 'a name that is no address',
    wish: { email: 'ada' },
    reason: /NameID/,
    compared: () => ({ NameID: ['(an e-mail address)', 'ada'] }),
  },
  {
    item: 20,
    name: 'a name with other letters that look the same',
    wish: { email: 'ada@example.\u212Aom' },
    reason: /NameID/,
  },
  {
    item: 20,
    name: 'a name in another format',
    wish: { values: { NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' } },
    reason: /NameID/,
    compared: () => ({ Format: [expect.stringMatching(/emailAddress$/), expect.stringMatching(/persistent$/)] }),
  },
  {
    item: 20,
    name: 'two names',
    wish: {
      before: (xml) =>
        replaced(
          xml,
          '<saml:SubjectConfirmation ',
          '<saml:NameID>grace@example.com</saml:NameID><saml:SubjectConfirmation ',
        ),
    },
    reason: /one NameID/,
  },
  {
    item: 21,
    name: 'an address as relay state',
    body: ({ xml }) => form({ SAMLResponse: encoded(xml), RelayState: 'https://evil.test/' }),
    reason: /relay state/,
  },
  {
    item: 21,
    name: 'an address beside the relay state',
    body: ({ xml, relayState }) =>
      form({ SAMLResponse: encoded(xml), RelayState: `${relayState}&returnTo=//evil.test` }),
    reason: /relay state/,
  },
  {
    item: 21,
    name: 'two relay states',
    body: ({ xml, relayState }) =>
      `${form({ SAMLResponse: encoded(xml), RelayState: relayState })}&RelayState=https://evil.test/`,
    reason: /one answer/,
  },
  { item: 20, name: 'no relay state', body: ({ xml }) => form({ SAMLResponse: encoded(xml) }), reason: /relay state/ },
  {
    item: 20,
    name: 'two answers',
    body: ({ xml, relayState }) =>
      `${form({ SAMLResponse: encoded(xml), RelayState: relayState })}&${form({ SAMLResponse: encoded(xml) })}`,
    reason: /one answer/,
  },
  {
    item: 20,
    name: 'no base64',
    body: ({ xml, relayState }) => form({ SAMLResponse: xml, RelayState: relayState }),
    reason: /base64/,
  },
  { item: 20, name: 'nothing at all', body: () => '', reason: /one answer/ },
];
