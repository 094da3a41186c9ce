const TITLE_LENGTH = 80;

/** A title as letters quote it. */
export const quoted = (text: string): string => `“${title(text)}”`;
/** A title or a name, in one line of bounded length. */
export const title = (text: string): string => shortened(oneLine(text), TITLE_LENGTH);

/** A change request as letters name it. */
export function requestName({ number, subject }: { readonly number: number; readonly subject: string }): string {
  return subject.trim() === '' ? `#${number}` : `#${number} ${quoted(subject)}`;
}

/** Control characters could begin a header or a line, and those of direction make a text look like another. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim();
}

export function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
