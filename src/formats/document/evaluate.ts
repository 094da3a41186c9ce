import { evaluate, evaluateText } from '../../kernel/common/expressions/evaluate.js';
import { parseExpression } from '../../kernel/common/expressions/parse.js';
import { ExpressionError, type Expression, type DataObject } from '../../kernel/common/expressions/tree.js';
import { MAX_STEPS, EvaluationBudget } from '../../kernel/common/expressions/evaluation-budget.js';
import { leaf, paragraph, plain, text } from './build.js';
import { sameMark, sameMarks } from './same-marks.js';
import type { Block, Document, Fragment, Inline, Leaf, Mark, Node, TextNode } from './types.js';

/** The expressions of a document that are evaluated: all, none, or those with the same value for every reader. */
export const EVALUATED = ['true', 'false', 'deterministic-only'] as const;
export type Evaluated = (typeof EVALUATED)[number];

/** The scope in which the expressions of a document are evaluated. */
export interface DocumentScope {
  readonly spaceVariables: DataObject;
  readonly pageVariables: DataObject;
  /** The claims of the reader: `{claims: {…, unsigned: {…}}}`; without it the reader has no claims. */
  readonly visitor?: DataObject;
  /** Skips expressions that depend on the reader. */
  readonly deterministicOnly: boolean;
}

/** Steps of all expressions of a document; expressions after them become empty. Some hundred milliseconds. */
const MAX_STEPS_OF_DOCUMENT = 1_000_000;
/** Steps charged for parsing a character of an expression. */
const STEPS_OF_A_CHARACTER = 4;

/** A reader without claims. */
const NO_VISITOR: DataObject = { claims: { unsigned: {} } };
const DETERMINISTIC: ReadonlySet<string> = new Set(['space', 'page']);

/** Tells whether the canonical JSON of a document may contain expressions. */
export function mayHoldExpressions(json: string): boolean {
  return expressionsIn(json) > 0;
}

/** An upper bound of the expressions and conditions in the canonical JSON of a document. */
export function expressionsIn(json: string): number {
  return json.match(/"type":"(?:expression|if)"/g)?.length ?? 0;
}

/**
 * Replaces the expressions of a document by their texts, and keeps the content of conditions that hold. An expression
 * that cannot be parsed or has no value becomes an empty text; such a condition does not hold. Valid documents stay
 * valid; the keys of the remaining nodes do not change.
 */
export function evaluateDocument(document: Document, scope: DocumentScope): Document {
  return { ...document, nodes: new DocumentEvaluation(scope).blocks(document.nodes) };
}

/** `left alone`: the value depends on the reader, and only the other expressions are evaluated. */
type Outcome<Value> = Value | 'left alone';

class DocumentEvaluation {
  private readonly scope: DataObject;
  private readonly work = new EvaluationBudget(MAX_STEPS_OF_DOCUMENT);
  private readonly texts = new Map<string, Outcome<{ text: string }>>();
  private readonly conditions = new Map<string, Outcome<boolean>>();

  constructor(private readonly given: DocumentScope) {
    this.scope = {
      visitor: given.visitor ?? NO_VISITOR,
      space: { vars: given.spaceVariables },
      page: { vars: given.pageVariables },
    };
  }

  blocks(blocks: readonly Block[]): Block[] {
    return blocks.flatMap((block) => {
      if (block.type !== 'if') return [this.inside(block)];
      const held = this.condition(block.data.expression);
      if (held === 'left alone') return [this.inside(block)];
      return held ? this.blocks((block.nodes ?? []).filter((node) => node.object === 'block')) : [];
    });
  }

  private inside<Holder extends Block | Inline>(node: Holder): Holder {
    const { nodes, fragments } = node;
    return {
      ...node,
      ...(nodes && { nodes: this.children(nodes) }),
      ...(fragments && { fragments: fragments.map((fragment) => this.fragment(fragment)) }),
    };
  }

  private children(nodes: readonly Node[]): Node[] {
    const blocks = nodes.filter((node) => node.object === 'block');
    return blocks.length > 0 ? this.blocks(blocks) : this.line(nodes);
  }

  /** A fragment always keeps a block: most kinds of fragments require one. */
  private fragment(fragment: Fragment): Fragment {
    const [first] = fragment.nodes;
    const nodes = this.blocks(fragment.nodes);
    if (nodes.length > 0 || first === undefined) return { ...fragment, nodes };
    return { ...fragment, nodes: [{ ...paragraph(), ...(first.key !== undefined && { key: first.key }) }] };
  }

  private line(nodes: readonly Node[]): Node[] {
    const outcomes = nodes.map((node) =>
      node.object === 'inline' && node.type === 'expression' && !isMarkup(node)
        ? this.text(node.data.expression)
        : 'left alone',
    );
    if (outcomes.every((outcome) => outcome === 'left alone'))
      return nodes.map((node) => (node.object === 'inline' ? this.inside(node) : node));
    const line: Node[] = [];
    for (const [index, node] of nodes.entries()) {
      const outcome = outcomes[index];
      if (typeof outcome === 'object')
        append(line, text(leaf(outcome.text, marksAround(nodes[index - 1], nodes[index + 1]))));
      else if (node.object === 'text') append(line, node);
      else line.push(node.object === 'inline' ? this.inside(node) : node);
    }
    return line.length === 0 ? [plain('')] : line;
  }

  private text(source: string): Outcome<{ text: string }> {
    const known = this.texts.get(source);
    if (known !== undefined) return known;
    const made = this.outcome(
      source,
      (expression, work) => ({ text: keepable(evaluateText(expression, this.scope, work)) }),
      { text: '' },
    );
    this.texts.set(source, made);
    return made;
  }

  private condition(source: string): Outcome<boolean> {
    const known = this.conditions.get(source);
    if (known !== undefined) return known;
    const held =
      source.trim() === '' ||
      this.outcome(source, (expression, work) => Boolean(evaluate(expression, this.scope, work)), false);
    this.conditions.set(source, held);
    return held;
  }

  private outcome<Value>(
    source: string,
    evaluated: (expression: Expression, work: EvaluationBudget) => Value,
    otherwise: Value,
  ): Outcome<Value> {
    const expression = this.read(source);
    if (expression === undefined) return this.given.deterministicOnly ? 'left alone' : otherwise;
    if (this.given.deterministicOnly && ![...expression.roots].every((root) => DETERMINISTIC.has(root)))
      return 'left alone';
    return orWithoutValue(() => evaluated(expression, new EvaluationBudget(MAX_STEPS, this.work))) ?? otherwise;
  }

  private read(source: string): Expression | undefined {
    return orWithoutValue(() => {
      this.work.step(source.length * STEPS_OF_A_CHARACTER);
      return parseExpression(source);
    });
  }
}

function orWithoutValue<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

/** Markup that the Markdown reader stores in an expression without content. */
function isMarkup({ data }: Inline<'expression'>): boolean {
  return data.raw !== undefined && data.expression === '';
}

/** Appends a text to a line: adjacent texts are joined, and so are their leaves with equal marks. */
function append(line: Node[], node: TextNode): void {
  const last = line[line.length - 1];
  if (last?.object !== 'text') {
    line.push(node);
    return;
  }
  const leaves: Leaf[] = [];
  for (const next of [...last.leaves, ...node.leaves]) {
    const before = leaves[leaves.length - 1];
    if (before === undefined || before.text === '') leaves.splice(-1, 1, next);
    else if (sameMarks(before.marks, next.marks))
      leaves[leaves.length - 1] = { ...before, text: before.text + next.text };
    else if (next.text !== '') leaves.push(next);
  }
  line[line.length - 1] = { ...node, ...last, leaves };
}

/** The marks of a text between two others: those that both have. */
function marksAround(before: Node | undefined, after: Node | undefined): Mark[] {
  const left: Leaf | undefined = before?.object === 'text' ? before.leaves.at(-1) : undefined;
  const right: Leaf | undefined = after?.object === 'text' ? after.leaves[0] : undefined;
  return (left?.marks ?? []).filter((mark) => right?.marks.some((other) => sameMark(mark, other)));
}

/** Removes characters that a document cannot contain: NUL, and half surrogate pairs, as `slice` may leave them. */
function keepable(value: string): string {
  return value.replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
}
