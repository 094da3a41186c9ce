// A textlint rule: sentences must begin with a plain noun instead of What, Whoever, Whatever or Of. Headings and
// questions are exempt.
const BEGINNING = /(?:^|[.:]\s)(What|Whoever|Whatever|Of)\s(?![^.]*\?)/g;

export default (context) => {
  const { Syntax, RuleError, report, getSource } = context;
  return {
    [Syntax.Paragraph](node) {
      for (const { 1: word, index } of getSource(node).matchAll(BEGINNING))
        report(node, new RuleError(`A sentence begins with ${word}: name who or what it is about`, { index }));
    },
    [Syntax.TableCell](node) {
      const [, word] = /^\|?\s*(What|Whoever|Whatever|Of) /.exec(getSource(node)) ?? [];
      if (word) report(node, new RuleError(`A cell begins with ${word}: name what it is about`));
    },
  };
};
