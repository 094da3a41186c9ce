import { emojiCharacters, emojiCode } from './emoji.js';

/** One emoji that is recommended for interchange, sequences included (UTS 51). */
const EMOJI = new RegExp('^\\p{RGI_Emoji}$', 'v');
const AS_EMOJI = '\uFE0F';

/** The code of an emoji, such as `1f44d`, given as its code or as the character itself; undefined for anything else. */
export function codeOfEmoji(text: string): string | undefined {
  const characters = emojiCharacters(text) ?? text;
  const emoji = [characters, characters + AS_EMOJI].find((each) => EMOJI.test(each));
  return emoji === undefined ? undefined : emojiCode(emoji);
}
