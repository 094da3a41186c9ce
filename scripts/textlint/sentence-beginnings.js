// A textlint rule: sentences and descriptions must begin with a plain noun instead of What, Whoever, Whatever, Whether or
// Of. Headings and questions are exempt.
const BEGINNING = /(?:^|[.:]\s)(What|Whoever|Whatever|Whether|Of)\s(?![^.]*\?)/g;

export default (context) => {
  const { Syntax, RuleError, report, getSource } = context;
  return {
    [Syntax.Paragraph](node) {
      for (const { 1: word, index } of getSource(node).matchAll(BEGINNING))
        report(node, new RuleError(`A sentence begins with ${word}: name who or what it is about`, { index }));
    },
    Yaml(node) {
      const [, word] = /^description: (What|Whoever|Whatever|Whether|Of) /m.exec(getSource(node)) ?? [];
      if (word) report(node, new RuleError(`The description begins with ${word}: name what it is about`));
    },
    [Syntax.TableCell](node) {
      const [, word] = /^\|?\s*(What|Whoever|Whatever|Whether|Of) /.exec(getSource(node)) ?? [];
      if (word) report(node, new RuleError(`A cell begins with ${word}: name what it is about`));
    },
  };
};
