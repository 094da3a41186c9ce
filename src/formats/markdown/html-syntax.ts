import { htmlFlow } from 'micromark-core-commonmark';
import type { Code, Construct, Extension, State } from 'micromark-util-types';

const BRACE = 123;
const PERCENT = 37;

/** A line that begins like a `{% … %}` tag, tested from the end of the line before it. */
const tagBehind: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    return (code) => {
      effects.enter('lineEnding');
      effects.consume(code);
      effects.exit('lineEnding');
      return (first) => {
        effects.enter('data');
        return blanks(first);
      };
    };

    function blanks(code: Code): State | undefined {
      if (code === -2 || code === -1 || code === 32) {
        effects.consume(code);
        return blanks;
      }
      if (code !== BRACE) return ended(code, nok);
      effects.consume(code);
      return (next) => ended(next, next === PERCENT ? ok : nok);
    }

    function ended(code: Code, result: State): State | undefined {
      effects.exit('data');
      return result(code);
    }
  },
};

/**
 * Blocks of HTML as in CommonMark (https://spec.commonmark.org/0.31.2/#html-blocks), except that those that extend to a
 * blank line end before a line of a `{% … %}` tag too, so that no text is parsed twice.
 */
const untilTag: Construct = {
  ...htmlFlow,
  name: 'htmlUntilTag',
  tokenize(effects, ok, nok) {
    let askedAt = -1;
    return htmlFlow.tokenize.call(
      this,
      {
        ...effects,
        check: (construct, yes, no) => {
          // Only blocks that extend to a blank line test twice at the end of a line: for the blank line, and then
          // whether they continue on the next line.
          const { offset } = this.now();
          const runsToBlankLine = askedAt === offset;
          askedAt = offset;
          const goesOn = effects.check(construct, yes, no);
          return runsToBlankLine && no !== undefined ? effects.check(tagBehind, no, goesOn) : goesOn;
        },
      },
      ok,
      nok,
    );
  },
};

/** Micromark extension for blocks of HTML between tags. */
export function htmlSyntax(): Extension {
  return { disable: { null: ['htmlFlow'] }, flow: { 60: untilTag } };
}
