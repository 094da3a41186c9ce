import { evaluate, evaluateText } from '../../kernel/common/expressions/evaluate.js';
import { parseExpression } from '../../kernel/common/expressions/parse.js';
import { ExpressionError, type Expression, type DataObject } from '../../kernel/common/expressions/tree.js';
import { MAX_STEPS, EvaluationBudget } from '../../kernel/common/expressions/evaluation-budget.js';
import { leaf, paragraph, plain, text } from './build.js';
import { sameMark, sameMarks } from './same-marks.js';
import type { Block, Document, Fragment, Inline, Leaf, Mark, Node, TextNode } from './types.js';

/** Which expressions of a document are evaluated: all, none, or those that mean the same for every reader. */
export const EVALUATED = ['true', 'false', 'deterministic-only'] as const;
export type Evaluated = (typeof EVALUATED)[number];

/** What the expressions of a document are evaluated with. */
export interface DocumentScope {
  readonly spaceVariables: DataObject;
  readonly pageVariables: DataObject;
  /** What is known of the reader: `{claims: {…, unsigned: {…}}}`; nobody has claims unless given. */
  readonly visitor?: DataObject;
  /** Leave alone what depends on the reader. */
  readonly deterministicOnly: boolean;
}

/** Steps of all expressions of a document; those after them come to nothing. Some hundred milliseconds. */
const MAX_STEPS_OF_DOCUMENT = 1_000_000;
/** Steps that reading a character of an expression takes. */
const STEPS_OF_A_CHARACTER = 4;

/** Whoever brings no claims. */
const NO_VISITOR: DataObject = { claims: { unsigned: {} } };
const DETERMINISTIC: ReadonlySet<string> = new Set(['space', 'page']);

/** Whether the canonical JSON of a document may hold anything to evaluate. */
export function mayHoldExpressions(json: string): boolean {
  return expressionsIn(json) > 0;
}

/** At most so many expressions and conditions does the canonical JSON of a document hold. */
export function expressionsIn(json: string): number {
  return json.match(/"type":"(?:expression|if)"/g)?.length ?? 0;
}

/**
 * The document with the texts of its expressions in their places and the content of its conditions where they hold. What
 * cannot be read or has no value is an empty text, and a condition that does not hold. Valid documents stay valid; the
 * keys of what stays do not change.
 */
export function evaluateDocument(document: Document, scope: DocumentScope): Document {
  return { ...document, nodes: new DocumentEvaluation(scope).blocks(document.nodes) };
}

/** `left alone`: what depends on the reader, where only the rest is asked for. */
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

  /** A fragment is never left without a block: most kinds of them must have one. */
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

/** Markup that Markdown keeps in an expression that says nothing. */
function isMarkup({ data }: Inline<'expression'>): boolean {
  return data.raw !== undefined && data.expression === '';
}

/** Adds a text to a line: texts that follow each other become one, and so do their leaves of the same marks. */
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

/** The marks of a text that stands between two: those that both have. */
function marksAround(before: Node | undefined, after: Node | undefined): Mark[] {
  const left: Leaf | undefined = before?.object === 'text' ? before.leaves.at(-1) : undefined;
  const right: Leaf | undefined = after?.object === 'text' ? after.leaves[0] : undefined;
  return (left?.marks ?? []).filter((mark) => right?.marks.some((other) => sameMark(mark, other)));
}

/** Text that a document can hold: no NUL, and no half of a surrogate pair, as `slice` may leave it. */
function keepable(value: string): string {
  return value.replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
}
