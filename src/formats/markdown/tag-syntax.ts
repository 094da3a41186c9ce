import type { CompileContext, Extension as MdastExtension, Token } from 'mdast-util-from-markdown';
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from 'micromark-util-types';
import type { Node as UnistNode } from 'unist';

/** A line that begins with a `{% … %}` tag: the whole line as written, for `splitTags`. */
export interface TagLine extends UnistNode {
  type: 'tagLine';
  value: string;
}

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    tagLine: 'tagLine';
    tagLineData: 'tagLineData';
    emojiShortcode: 'emojiShortcode';
  }
}

declare module 'mdast' {
  interface RootContentMap {
    tagLine: TagLine;
  }
  interface BlockContentMap {
    tagLine: TagLine;
  }
}

const LINE_FEEDS = new Set<Code>([-5, -4, -3]);
const SPACES = new Set<Code>([-2, -1, 32]);
const BRACE = 123;
const CLOSE_BRACE = 125;
const PERCENT = 37;
const BACKSLASH = 92;
const QUOTES = new Set<Code>([34, 39]);

function isNameStart(code: Code): boolean {
  return code !== null && ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 64);
}

/**
 * The flow construct: `{%`, a name, attributes (a quoted value may extend over several lines, as in diagrams), `%}`,
 * and the rest of the last line. It interrupts a paragraph, as a heading does, and it follows the indentation of lists
 * and quotes like any other construct.
 */
// States of one machine, which share the quote that is open: none of them is long.
// eslint-disable-next-line max-lines-per-function
function tokenizeTagLine(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const interrupting = this.interrupt === true;
  const isLazy = (): boolean => this.parser.lazy[this.now().line] === true;
  let quote: Code = null;

  return open;

  function open(code: Code): State | undefined {
    if (code !== BRACE) return nok(code);
    effects.enter('tagLine');
    effects.enter('tagLineData');
    effects.consume(code);
    return percent;
  }

  function percent(code: Code): State | undefined {
    if (code !== PERCENT) return nok(code);
    effects.consume(code);
    return beforeName;
  }

  function beforeName(code: Code): State | undefined {
    if (SPACES.has(code)) {
      effects.consume(code);
      return beforeName;
    }
    return isNameStart(code) ? inside(code) : nok(code);
  }

  function inside(code: Code): State | undefined {
    if (code === null) return nok(code);
    if (LINE_FEEDS.has(code)) {
      if (quote === null) return nok(code);
      return interrupting ? ok(code) : lineEnd(code);
    }
    effects.consume(code);
    if (quote !== null) {
      if (code === BACKSLASH) return escaped;
      if (code === quote) quote = null;
      return inside;
    }
    if (QUOTES.has(code)) quote = code;
    return code === PERCENT ? maybeClose : inside;
  }

  function escaped(code: Code): State | undefined {
    if (code !== BACKSLASH && code !== quote) return inside(code);
    effects.consume(code);
    return inside;
  }

  function maybeClose(code: Code): State | undefined {
    if (code !== CLOSE_BRACE) return inside(code);
    effects.consume(code);
    return rest;
  }

  function lineEnd(code: Code): State | undefined {
    effects.exit('tagLineData');
    effects.enter('lineEnding');
    effects.consume(code);
    effects.exit('lineEnding');
    return nextLine;
  }

  function nextLine(code: Code): State | undefined {
    if (isLazy()) return nok(code);
    effects.enter('tagLineData');
    return inside(code);
  }

  function rest(code: Code): State | undefined {
    if (code === null || LINE_FEEDS.has(code)) {
      effects.exit('tagLineData');
      effects.exit('tagLine');
      return ok(code);
    }
    effects.consume(code);
    return rest;
  }
}

const tagLine: Construct = { name: 'tagLine', tokenize: tokenizeTagLine, concrete: true };

/** Micromark extension for lines of `{% … %}` tags. */
export function tagLineSyntax(): Extension {
  return { flow: { [BRACE]: tagLine } };
}

/** Creates `tagLine` nodes from the tokens of `tagLineSyntax`. */
export function tagLineFromMarkdown(): MdastExtension {
  return {
    canContainEols: ['tagLine'],
    enter: {
      tagLine(this: CompileContext, token: Token) {
        this.enter({ type: 'tagLine', value: '' }, token);
        this.buffer();
      },
      tagLineData(this: CompileContext, token: Token) {
        this.config.enter['data']?.call(this, token);
      },
    },
    exit: {
      tagLineData(this: CompileContext, token: Token) {
        this.config.exit['data']?.call(this, token);
      },
      tagLine(this: CompileContext, token: Token) {
        const value = this.resume();
        const node = this.stack[this.stack.length - 1];
        if (node?.type === 'tagLine') node.value = value;
        this.exit(token);
      },
    },
  };
}
