/** The longest source of an expression, in characters. */
export const MAX_EXPRESSION_LENGTH = 1024;

/** An expression that cannot be parsed or evaluated; `message` tells its author why. */
export class ExpressionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ExpressionError';
  }
}

export type Primitive = undefined | null | boolean | number | string;
export type List = readonly Data[];
export interface DataObject {
  readonly [name: string]: Data;
}

/** The input and output of expressions: JSON, and `undefined`. */
export type Data = Primitive | List | DataObject;

export type UnaryOperator = '!' | '-' | '+' | 'typeof';
export type LogicalOperator = '&&' | '||' | '??';
export type BinaryOperator = '===' | '!==' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%';

/** An anonymous function: it may only be the argument of a method that calls it for each item of a list. */
export interface Arrow {
  readonly kind: 'arrow';
  readonly parameters: readonly string[];
  readonly body: ExpressionTree;
}

/** The nodes of an expression. Functions are not values, so there is no recursion and every expression terminates. */
export type ExpressionTree =
  | { readonly kind: 'value'; readonly value: Primitive }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'text'; readonly strings: readonly string[]; readonly parts: readonly ExpressionTree[] }
  | { readonly kind: 'list'; readonly items: readonly ExpressionTree[] }
  | { readonly kind: 'fields'; readonly entries: readonly (readonly [string, ExpressionTree])[] }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: ExpressionTree }
  | {
      readonly kind: 'logical';
      readonly operator: LogicalOperator;
      readonly left: ExpressionTree;
      readonly right: ExpressionTree;
    }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: ExpressionTree;
      readonly right: ExpressionTree;
    }
  | {
      readonly kind: 'choice';
      readonly test: ExpressionTree;
      readonly yes: ExpressionTree;
      readonly no: ExpressionTree;
    }
  | {
      readonly kind: 'member';
      readonly object: ExpressionTree;
      readonly name: ExpressionTree;
      readonly optional: boolean;
    }
  | {
      readonly kind: 'call';
      readonly object: ExpressionTree;
      readonly method: string;
      readonly optional: boolean;
      readonly values: readonly ExpressionTree[];
      readonly each?: Arrow;
    }
  /** If `?.` finds nothing, the rest of the chain is nothing. */
  | { readonly kind: 'chain'; readonly inner: ExpressionTree };

/** A parsed expression; it may be evaluated any number of times. */
export interface Expression {
  readonly source: string;
  readonly tree: ExpressionTree;
  /** The names that it reads from its scope, such as `visitor` or `space`. */
  readonly roots: ReadonlySet<string>;
}

/** Throws for names that would give access to objects outside of the data. */
export function checkFieldName(name: string): string {
  if (name === '__proto__' || name === 'constructor' || name === 'prototype')
    throw new ExpressionError(`${name} cannot be read`);
  return name;
}
