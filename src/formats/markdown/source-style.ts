import type { Nodes, Root } from 'mdast';
import { readMdast } from './mdast.js';

/** The characters that a source uses for markup which has several. */
export interface MarkdownStyle {
  readonly bullet: '*' | '-' | '+';
  readonly emphasis: '*' | '_';
  readonly rule: '*' | '-' | '_';
}

export const USUAL_STYLE: MarkdownStyle = { bullet: '*', emphasis: '_', rule: '*' };

type Characters = { readonly [Name in keyof MarkdownStyle]: readonly MarkdownStyle[Name][] };

const CHARACTERS: Characters = { bullet: ['*', '-', '+'], emphasis: ['*', '_'], rule: ['*', '-', '_'] };

/** The style of a body of Markdown: of each markup the character that it uses most often. */
export function styleOf(body: string, tree: Root = readMdast(body)): MarkdownStyle {
  const counts = new Map<string, number>();
  const visit = (node: Nodes): void => {
    const name = markupOf(node);
    const key = `${name ?? ''}${body.charAt(node.position?.start.offset ?? -1)}`;
    if (name !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    if ('children' in node) node.children.forEach(visit);
  };
  visit(tree);
  const most = <Name extends keyof MarkdownStyle>(name: Name): MarkdownStyle[Name] => {
    const count = (character: string): number => counts.get(name + character) ?? 0;
    const [first] = CHARACTERS[name].toSorted((a, b) => count(b) - count(a));
    return first === undefined || count(first) === 0 ? USUAL_STYLE[name] : first;
  };
  return { bullet: most('bullet'), emphasis: most('emphasis'), rule: most('rule') };
}

function markupOf(node: Nodes): keyof MarkdownStyle | undefined {
  if (node.type === 'list') return node.ordered === true ? undefined : 'bullet';
  if (node.type === 'thematicBreak') return 'rule';
  return node.type === 'emphasis' ? 'emphasis' : undefined;
}
