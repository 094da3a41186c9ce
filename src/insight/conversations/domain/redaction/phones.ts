import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/core';
import numbering from 'libphonenumber-js/metadata.max';
import type { Span } from './spans.js';
import { inAscii, OF_WORD } from './writing.js';

/** A plus and digits: a number in international form, whether or not it is assigned. */
const INTERNATIONAL = new RegExp(
  `(?<!${OF_WORD})[+]\\s?\\(?\\d(?:[ \\u00a0().\\-/]{0,3}\\d){6,14}(?!${OF_WORD})`,
  'gu',
);
/** Groups of digits in national form. */
const NATIONAL = new RegExp(
  `(?<![_#$€£/.,-]|${OF_WORD})\\(?\\d(?:[ \\u00a0().\\-/]{0,2}\\d){6,14}(?![_%€$£]|${OF_WORD})`,
  'gu',
);

/** Regions for numbers without a country code, with their beginnings and groups. */
const AT_HOME: readonly { readonly shape: RegExp; readonly countries: readonly CountryCode[] }[] = [
  { shape: /^(?:1[ .-]?)?(?:\(\d{3}\)|\d{3})[ .-]?\d{3}[ .-]?\d{4}$/, countries: ['US', 'CA'] },
  {
    shape: /^\(?0/,
    countries: [
      'GB',
      'DE',
      'FR',
      'NL',
      'BE',
      'CH',
      'AT',
      'IE',
      'IT',
      'SE',
      'FI',
      'AU',
      'NZ',
      'JP',
      'KR',
      'CN',
      'IN',
      'ZA',
      'BR',
      'TR',
      'PL',
      'RO',
      'IL',
      'UA',
      'TW',
      'TH',
    ],
  },
  { shape: /^[6-9]\d\d[ .-]\d{3}[ .-]\d{3}$|^[6-9]\d\d(?:[ .-]\d\d){3}$/, countries: ['ES', 'PT', 'GR'] },
  { shape: /^\d\d(?: \d\d){3}$/, countries: ['DK', 'NO'] },
  { shape: /^\(\d\d\) ?9?\d{4}-?\d{4}$/, countries: ['BR'] },
  { shape: /^1[3-9]\d[ -]?\d{4}[ -]?\d{4}$/, countries: ['CN'] },
  { shape: /^8[ -]?\(?[3489]\d\d\)?[ -]?\d{3}[ -]?\d\d[ -]?\d\d$/, countries: ['RU'] },
];
const ANYWHERE: readonly CountryCode[] = [
  'US',
  'GB',
  'DE',
  'FR',
  'ES',
  'IT',
  'NL',
  'PT',
  'BR',
  'MX',
  'AU',
  'IN',
  'JP',
  'PL',
  'SE',
  'DK',
  'NO',
  'CZ',
  'GR',
  'SG',
  'HK',
  'CN',
  'AR',
  'CL',
  'CO',
  'RU',
  'UA',
  'TR',
  'KR',
  'TW',
  'TH',
  'EG',
  'SA',
  'AE',
];

/** Words before a telephone number, however its digits are grouped. */
const CALLED =
  /(?:\b(?:tel|tél|phone|fone|fon|telefon\w*|téléphone|telephone|teléfono|telefono|telefone|mobile?|móvil|portable|cell(?:phone)?|celular|handy\w*|whatsapp|sms|fax|rufnummer|numéro|call me|reach me|ring me|text me|llámame|rufen sie)\b|电话|電話|手机|手機|携帯|전화|휴대폰|телефон|тел\.|โทร|هاتف|رقمي)[^\d\n]{0,20}$/iu;
/** Words before digits with another meaning. */
const NAMED =
  /\b(?:order|ticket|invoice|case|id|no|nr|number|ref(?:erence)?|version|build|error|code|isbn|sku|serial|account|bestellung|rechnung|commande|facture|pedido|factura)\b\W{0,3}$|(?:订单|訂單|编号|編號|注文|番号|주문|заказ)[^\d\n]{0,6}$/iu;
const DATE = /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}(?![-/.]?\d)/;
/**
 * Text directly before digits that are not a telephone number, unless a word says so: a time, or the value of
 * something.
 */
const VALUE = /[:=]$/;
const ADDRESS_OR_VERSION = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const LOOKED_BACK = 40;

/** The telephone numbers in a text: international ones, and national ones that are valid in a possible region. */
export function phoneSpans(text: string): Span[] {
  const ascii = inAscii(text);
  const spans = [...ascii.matchAll(INTERNATIONAL)].map(({ index, 0: number }) => ({
    start: index,
    end: index + number.length,
  }));
  for (const { index, 0: number } of ascii.matchAll(NATIONAL)) {
    if (isPhone(number, ascii.slice(Math.max(0, index - LOOKED_BACK), index)))
      spans.push({ start: index, end: index + number.length });
  }
  return spans;
}

function isPhone(number: string, before: string): boolean {
  if (DATE.test(number) || ADDRESS_OR_VERSION.test(number)) return false;
  const isCalled = CALLED.test(before);
  if (!isCalled && (NAMED.test(before) || VALUE.test(before))) return false;
  const countries = isCalled ? ANYWHERE : AT_HOME.flatMap(({ shape, countries: of }) => (shape.test(number) ? of : []));
  return countries.some((country) => parsePhoneNumberFromString(number, country, numbering)?.isValid() === true);
}
