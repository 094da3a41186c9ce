import { deflateRawSync } from 'node:zlib';
import { encoded, form, partsOf, replaced, type Case } from './case.js';

const inName = (text: string) => (xml: string) => replaced(xml, /(?<=<saml:NameID[^>]*>)[^<]+/, text);
const inExtensions = (xml: string, text: string) =>
  replaced(xml, '<samlp:Status>', `<samlp:Extensions>${text}</samlp:Extensions><samlp:Status>`);
const DOCTYPE = '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';

/** Documents that are read in two ways, cost too much, or are none. */
export const DOCUMENTS: readonly Case[] = [
  { item: 19, name: 'a comment in the name', change: inName('ada@example.com<!-- -->.evil.test'), reason: /comment/ },
  {
    item: 19,
    name: 'a comment in the name, which is signed',
    wish: { before: inName('ada@example.com<!-- -->.evil.test') },
    reason: /comment/,
  },
  {
    item: 19,
    name: 'a processing instruction in the name',
    change: inName('<?p not-an-?>admin@example.com'),
    reason: /processing instruction/,
  },
  {
    item: 19,
    name: 'a processing instruction in the name, which is signed',
    wish: { before: inName('ada<?p x?>@example.com') },
    reason: /processing instruction/,
  },
  {
    item: 19,
    name: 'a processing instruction where its text was signed',
    wish: { email: 'not-an-admin@example.com' },
    change: (xml) => replaced(xml, 'not-an-admin@', '<?p not-an-?>admin@'),
    reason: /processing instruction/,
  },
  {
    item: 19,
    name: 'a comment in an attribute of the person',
    change: (xml) => replaced(xml, '<saml:AttributeValue ', '<!-- x --><saml:AttributeValue '),
    reason: /comment/,
  },
  { item: 19, name: 'a comment behind the answer', change: (xml) => `${xml}<!-- x -->`, reason: /comment/ },
  {
    item: 19,
    name: 'a processing instruction behind the answer',
    change: (xml) => `${xml}<?x y?>`,
    reason: /processing instruction/,
  },
  {
    item: 19,
    name: 'a second declaration of XML',
    change: (xml) => `<?xml version="1.0"?><?xml version="1.0"?>${xml}`,
    reason: /processing instruction/,
  },
  {
    item: 19,
    name: 'a declaration of types behind a declaration of XML',
    change: (xml) => `<?xml version="1.0"?>\n<!DOCTYPE r>${xml}`,
    reason: /declaration of types/,
  },
  { item: 19, name: 'CDATA in the name', change: inName('<![CDATA[ada@example.com]]>'), reason: /CDATA/ },
  {
    item: 19,
    name: 'an element in the name, which is signed',
    wish: { before: inName('ada@example.com<saml:x/>') },
    reason: /NameID/,
  },
  { item: 20, name: 'a declaration of types', change: (xml) => `<!DOCTYPE r>${xml}`, reason: /declaration of types/ },
  {
    item: 20,
    name: 'an entity of a file',
    change: (xml) => `<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]>${inName('&f;')(xml)}`,
    reason: /declaration of types/,
  },
  { item: 20, name: 'an entity bomb', change: (xml) => DOCTYPE + inName('&b;')(xml), reason: /declaration of types/ },
  {
    item: 20,
    name: 'an entity that nobody declared',
    change: inName('&f;'),
    reason: /not well-formed|could not be verified/,
  },
  {
    item: 20,
    name: 'a style sheet',
    change: (xml) => `<?xml-stylesheet href="https://evil.test/"?>${xml}`,
    reason: /processing instruction/,
  },
  {
    item: 20,
    name: '5 MB of text',
    change: (xml) => inExtensions(xml, 'x'.repeat(5 * 1024 * 1024)),
    reason: /larger than/,
  },
  {
    item: 20,
    name: '300 KB of text',
    change: (xml) => inExtensions(xml, 'x'.repeat(270 * 1024)),
    reason: /larger than/,
  },
  {
    item: 20,
    name: '5,000 nested elements',
    change: (xml) => inExtensions(xml, '<x>'.repeat(5000) + '</x>'.repeat(5000)),
    reason: /too deeply/,
  },
  {
    item: 20,
    name: '6,000 elements',
    change: (xml) => inExtensions(xml, '<x/>'.repeat(6000)),
    reason: /too many elements/,
  },
  { item: 20, name: 'a NUL character', change: inName('ada@example.com\0'), reason: /NUL/ },
  { item: 20, name: 'a tag that never ends', change: (xml) => `${xml}<x a="`, reason: /not well-formed/ },
  { item: 20, name: 'two roots', change: (xml) => xml + xml, reason: /one assertion|not well-formed/ },
  {
    item: 20,
    name: 'UTF-16',
    body: ({ xml, relayState }) => form({ SAMLResponse: encoded(Buffer.from(xml, 'utf16le')), RelayState: relayState }),
    reason: /not UTF-8|NUL|not well-formed/,
  },
  {
    item: 20,
    name: 'compressed',
    body: ({ xml, relayState }) => form({ SAMLResponse: encoded(deflateRawSync(xml)), RelayState: relayState }),
    reason: /not UTF-8|not well-formed/,
  },
  {
    item: 20,
    name: '50 MB that are compressed',
    body: ({ relayState }) =>
      form({ SAMLResponse: encoded(deflateRawSync(Buffer.alloc(50 * 1024 * 1024, '<'))), RelayState: relayState }),
    reason: /not UTF-8|not well-formed/,
  },
  { item: 20, name: 'nothing but text', change: () => 'hello', reason: /not well-formed/ },
  {
    item: 20,
    name: 'an answer to a logout',
    change: (xml) => xml.replaceAll('samlp:Response', 'samlp:LogoutResponse'),
    reason: /not an answer/,
  },
  {
    item: 20,
    name: 'an encrypted assertion',
    change: (xml) =>
      replaced(
        xml,
        partsOf(xml).assertion,
        '<saml:EncryptedAssertion><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#"/></saml:EncryptedAssertion>',
      ),
    reason: /encrypted, which is not supported/,
  },
];
