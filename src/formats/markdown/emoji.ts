import { gemoji } from 'gemoji';
import type { CompileContext, Extension as MdastExtension, Token } from 'mdast-util-from-markdown';
import type { Code, Construct, Effects, Extension, State } from 'micromark-util-types';
import type { Node as UnistNode } from 'unist';

/** `:name:` of a known emoji; `code` are its code points in hexadecimal, joined by `-`. */
export interface EmojiNode extends UnistNode {
  type: 'emoji';
  code: string;
}

declare module 'mdast' {
  interface PhrasingContentMap {
    emoji: EmojiNode;
  }
  interface RootContentMap {
    emoji: EmojiNode;
  }
}

const CODE_BY_NAME = new Map<string, string>();
const NAME_BY_CODE = new Map<string, string>();
for (const entry of gemoji) {
  const code = emojiCode(entry.emoji);
  for (const name of entry.names) CODE_BY_NAME.set(name, code);
  const [first] = entry.names;
  if (first !== undefined && !NAME_BY_CODE.has(code)) NAME_BY_CODE.set(code, first);
}

/** The code of an emoji: its code points in hexadecimal, joined by `-`. */
export function emojiCode(emoji: string): string {
  return [...emoji].map((character) => (character.codePointAt(0) ?? 0).toString(16)).join('-');
}

/** The character sequence of a code such as `1f44b` or `2764-fe0f`, if it is valid. */
export function emojiCharacters(code: string): string | undefined {
  if (!/^[0-9a-f]{1,6}(-[0-9a-f]{1,6})*$/i.test(code)) return undefined;
  const points = code.split('-').map((part) => Number.parseInt(part, 16));
  if (points.some((point) => point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))) return undefined;
  return String.fromCodePoint(...points);
}

/** The shortcode name of a code, without colons. */
export function emojiName(code: string): string | undefined {
  return NAME_BY_CODE.get(code);
}

const COLON = 58;
const SHORTCODE = /:([a-z0-9_+-]{1,60}):/y;

function isNameCharacter(code: Code): boolean {
  return (
    code !== null &&
    ((code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95 || code === 43 || code === 45)
  );
}

function tokenizeShortcode(effects: Effects, ok: State, nok: State): State {
  let name = '';
  return start;

  function start(code: Code): State | undefined {
    effects.enter('emojiShortcode');
    effects.consume(code);
    return inside;
  }

  function inside(code: Code): State | undefined {
    if (code === COLON && CODE_BY_NAME.has(name)) {
      effects.consume(code);
      effects.exit('emojiShortcode');
      return ok;
    }
    if (code === null || !isNameCharacter(code) || name.length > 60) return nok(code);
    name += String.fromCharCode(code);
    effects.consume(code);
    return inside;
  }
}

const shortcode: Construct = { name: 'emojiShortcode', tokenize: tokenizeShortcode };

/** Micromark extension for `:name:` of known emoji; other names remain text. */
export function emojiSyntax(): Extension {
  return { text: { [COLON]: shortcode } };
}

export function emojiFromMarkdown(): MdastExtension {
  return {
    enter: {
      emojiShortcode(this: CompileContext, token: Token) {
        const name = this.sliceSerialize(token).slice(1, -1);
        this.enter({ type: 'emoji', code: CODE_BY_NAME.get(name) ?? '' }, token);
      },
    },
    exit: {
      emojiShortcode(this: CompileContext, token: Token) {
        this.exit(token);
      },
    },
  };
}

/** The emoji whose `:name:` begins at an offset of a text, with the length of what is written. */
export function emojiAt(text: string, offset: number): { readonly code: string; readonly length: number } | undefined {
  SHORTCODE.lastIndex = offset;
  const [written, name = ''] = SHORTCODE.exec(text) ?? [];
  const code = CODE_BY_NAME.get(name);
  return written === undefined || code === undefined ? undefined : { code, length: written.length };
}

/** Escapes text that would be read as an emoji, in text that is otherwise ready to be written. */
export function escapeShortcodes(markdown: string): string {
  return markdown.replace(/:(?=([a-z0-9_+-]{1,60}):)/g, (colon, name: string) =>
    CODE_BY_NAME.has(name) ? '\\:' : colon,
  );
}
