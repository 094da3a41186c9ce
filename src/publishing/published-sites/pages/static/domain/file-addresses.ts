/** The end of an address of an uploaded file: the version that pages name, and what may follow it. */
const VERSION = String.raw`\?v=[0-9a-f]{1,64}(?:(?:&|&amp;|&#x26;)(?:width|expires|site|signature)=[\w.~-]+)*`;
const START = String.raw`(?:https?:\/\/[^\s"'<>()\\/]+)?\/~files\/[A-Za-z0-9]{1,40}\/`;

/** Addresses of uploaded files in a tag of HTML, in a style sheet, and in text, where only the version tells their end. */
const IN = {
  tag: new RegExp(String.raw`${START}[^\s"<>?#,/]+(?:${VERSION})?`, 'g'),
  style: new RegExp(String.raw`${START}[^\s"'<>?#,/()]+(?:${VERSION})?`, 'g'),
  text: new RegExp(String.raw`${START}[^\s"<>?#/]+${VERSION}`, 'g'),
} as const;

export type FilePlace = keyof typeof IN;

const plain = (address: string): string => address.replaceAll('&#x26;', '&').replaceAll('&amp;', '&');

/** The addresses of uploaded files in a text, without the escapes of HTML. */
export function fileAddressesIn(text: string, place: FilePlace): string[] {
  return (text.match(IN[place]) ?? []).map(plain);
}

/** The text with other addresses in the place of those that `known` has. */
export function withFileAddresses(text: string, place: FilePlace, known: ReadonlyMap<string, string>): string {
  return text.replace(IN[place], (address) => known.get(plain(address)) ?? address);
}
