// A rule of textlint: sentences begin with a plain noun, where they would begin with Whoever, Whatever or Of.
const BEGINNING = /(?:^|[.:] )(Whoever|Whatever|Of) /g;

export default (context) => {
  const { Syntax, RuleError, report, getSource } = context;
  return {
    [Syntax.Paragraph](node) {
      for (const { 1: word, index } of getSource(node).matchAll(BEGINNING))
        report(node, new RuleError(`A sentence begins with ${word}: name who or what it is about`, { index }));
    },
    [Syntax.TableCell](node) {
      const [, word] = /^\|?\s*(Whoever|Whatever|Of) /.exec(getSource(node)) ?? [];
      if (word) report(node, new RuleError(`A cell begins with ${word}: name what it is about`));
    },
  };
};
