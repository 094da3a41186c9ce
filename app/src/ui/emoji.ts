/** The emoji that a page has as the codes of its characters. */
export function emojiOf({ emoji }: Readonly<{ emoji?: string | null }>): string | undefined {
  if (emoji === undefined || emoji === null || emoji === '') return undefined;
  const codes = emoji.split('-').map((code) => Number.parseInt(code, 16));
  const known = codes.every((code) => Number.isInteger(code) && code > 0 && code <= 0x10ffff);
  return known && /^[0-9a-f-]+$/i.test(emoji) ? String.fromCodePoint(...codes) : emoji;
}
