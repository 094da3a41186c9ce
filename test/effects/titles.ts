import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** The titles of the tests of a spec file, those of tables as they are written. */
export function titlesOf(path: string): ReadonlySet<string> {
  const tree = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(?:it|inWholeRuns)\b/.test(node.expression.getText(tree))) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title)) titles.add(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return titles;
}
