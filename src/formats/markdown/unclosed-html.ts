import type { Code, Construct, Effects, State, TokenizeContext } from 'micromark-util-types';

/** The ends of a comment, an instruction, a declaration and CDATA (https://spec.commonmark.org/0.31.2/#raw-html). */
const ENDS = { comment: '-->', instruction: '?>', declaration: '>', cdata: ']]>' } as const;
type Kind = keyof typeof ENDS;
const KINDS: readonly Kind[] = ['comment', 'instruction', 'declaration', 'cdata'];
/** The length of the longest of these, less one. */
const REMEMBERED = 2;

/** The positions at which the last end of each kind begins in a paragraph. */
type LastEnds = Record<Kind, number>;

const LESS_THAN = 60;
const QUESTION_MARK = 63;
const EXCLAMATION_MARK = 33;
const HYPHEN = 45;
const BRACKET = 91;

/**
 * Parses `<` as text if it begins a comment, instruction, declaration or CDATA that does not end in its paragraph: the
 * parser would search the whole paragraph for the end of each of them. Instead, the paragraph is scanned once for the
 * last of all ends.
 */
export function unclosedHtml(): Construct {
  const paragraphs = new WeakMap<TokenizeContext, LastEnds>();
  const hopeless: Construct = {
    partial: true,
    tokenize(effects, ok, nok) {
      const { offset } = this.now();
      return opening(effects, nok, (kind) => {
        const known = paragraphs.get(this);
        const decide = (last: LastEnds): State => (last[kind] < offset ? ok : nok);
        if (known) return decide(known);
        return lastEnds(this, effects, (last) => {
          paragraphs.set(this, last);
          return decide(last);
        });
      });
    },
  };
  return {
    name: 'unclosedHtml',
    tokenize(effects, ok, nok) {
      return effects.check(hopeless, literal, nok);

      function literal(code: Code): State {
        effects.enter('data');
        effects.consume(code);
        effects.exit('data');
        return ok;
      }
    },
  };
}

/** Reads the beginning of one of the kinds, and continues accordingly. */
function opening(effects: Effects, nok: State, next: (kind: Kind) => State): State {
  return (code) => {
    if (code !== LESS_THAN) return nok(code);
    effects.enter('data');
    effects.consume(code);
    return (second) => {
      if (second === QUESTION_MARK) return ended(second, 'instruction');
      if (second !== EXCLAMATION_MARK) return ended(second, undefined);
      effects.consume(second);
      return (third) => {
        if (third === HYPHEN) return ended(third, 'comment');
        if (third === BRACKET) return ended(third, 'cdata');
        return ended(
          third,
          third !== null && /[A-Za-z]/.test(String.fromCharCode(Math.max(0, third))) ? 'declaration' : undefined,
        );
      };
    };
  };

  function ended(code: Code, kind: Kind | undefined): State | undefined {
    effects.exit('data');
    return (kind === undefined ? nok : next(kind))(code);
  }
}

/** Reads to the end of the paragraph, and continues with the positions at which the last end of each kind begins. */
function lastEnds(context: TokenizeContext, effects: Effects, next: (last: LastEnds) => State): State {
  const last: LastEnds = { comment: -1, instruction: -1, declaration: -1, cdata: -1 };
  let behind = '';
  return (code) => {
    effects.enter('data');
    return read(code);
  };

  function read(code: Code): State | undefined {
    if (code === null) {
      effects.exit('data');
      return next(last)(code);
    }
    if (code === 62) for (const kind of KINDS) if (`${behind}>`.endsWith(ENDS[kind])) last[kind] = context.now().offset;
    behind = (behind + (code < 0 ? ' ' : String.fromCharCode(code))).slice(-REMEMBERED);
    effects.consume(code);
    return read;
  }
}
