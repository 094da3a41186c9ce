import ts from 'typescript';

/** A function of the source, to be called with values. */
class Callable {
  constructor(
    readonly node: ts.SignatureDeclaration & { readonly body?: ts.Node },
    readonly env: Environment,
  ) {}
}

type Value =
  string | number | boolean | null | undefined | Callable | readonly Value[] | { readonly [name: string]: Value };
type Environment = ReadonlyMap<ts.Symbol, Value>;

/** So many values an expression may have: of each condition both sides count. */
const MOST_VALUES = 24;
const MOST_DEPTH = 60;
/** Steps that the values of one expression may take. */
const MOST_STEPS = 4_000;

const isText = (value: Value): value is string => typeof value === 'string';
const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
const isRecord = (value: Value): value is { readonly [name: string]: Value } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Callable);

const calleeOf = ({ expression }: ts.CallExpression): ts.Expression | ts.MemberName =>
  ts.isPropertyAccessExpression(expression) ? expression.name : expression;

function push<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** All ways to take one of each. Nothing where one has none. */
function combinations<T>(sets: readonly (readonly T[])[]): T[][] {
  return sets.reduce<T[][]>(
    (all, set) => all.flatMap((some) => set.map((each) => [...some, each])).slice(0, MOST_VALUES),
    [[]],
  );
}

/**
 * Finds the values that expressions of a program can have, as far as constants, conditions, templates, lists and calls of its own
 * functions tell: what texts of statements are made of. No value where something else comes in.
 */
export class ConstantValues {
  /** All calls by the name that they use. */
  private readonly named = new Map<string, ts.CallExpression[]>();
  /** The names that imports give to exported names. */
  private readonly renames = new Map<string, string[]>();
  private readonly calls = new Map<ts.Symbol, readonly ts.CallExpression[]>();
  /** What the manifests contribute to each point. */
  private readonly contributions = new Map<ts.Symbol, ts.Expression[]>();
  private readonly known = new Map<ts.Node, Value[]>();
  private readonly symbols = new Map<ts.Node, ts.Symbol | undefined>();
  /** Expressions that are being evaluated. */
  private readonly open = new Set<ts.Node>();
  private depth = 0;
  private steps = 0;
  /** How often an evaluation ended early: what was found on the way holds for that time alone. */
  private cuts = 0;

  constructor(
    private readonly checker: ts.TypeChecker,
    files: readonly ts.SourceFile[],
  ) {
    const visit = (node: ts.Node): void => {
      if (ts.isImportSpecifier(node) && node.propertyName) push(this.renames, node.propertyName.text, node.name.text);
      if (ts.isCallExpression(node)) {
        push(this.named, calleeOf(node).getText(), node);
        this.noteContribution(node);
      }
      ts.forEachChild(node, visit);
    };
    files.forEach(visit);
  }

  /** The calls of a function. Only calls by its name are resolved, since the compiler takes long for each. */
  private callsOf(symbol: ts.Symbol): readonly ts.CallExpression[] {
    const known = this.calls.get(symbol);
    if (known) return known;
    const names = new Set([symbol.name, ...(this.renames.get(symbol.name) ?? [])]);
    const found = [...names]
      .flatMap((name) => this.named.get(name) ?? [])
      .filter((call) => this.symbolAt(calleeOf(call)) === symbol);
    this.calls.set(symbol, found);
    return found;
  }

  private noteContribution({ expression, arguments: [value] }: ts.CallExpression): void {
    if (!value || !this.isMethod(expression, 'ContributionPoint', 'with')) return;
    const point = this.symbolAt(expression.expression);
    if (point) push(this.contributions, point, value);
  }

  private isMethod(node: ts.Expression, owner: string, name?: string): node is ts.PropertyAccessExpression {
    return (
      ts.isPropertyAccessExpression(node) &&
      (name === undefined || node.name.text === name) &&
      this.checker.getTypeAtLocation(node.expression).symbol?.name === owner
    );
  }

  /** The texts that an expression can be; empty where it is not known. */
  textsOf(node: ts.Expression): string[] {
    return [...new Set(this.valuesWhereCalled(node).filter(isText))];
  }

  /** The texts that a property of an object can be. */
  textsOfProperty(node: ts.Expression, name: string): string[] {
    const own = ts.isObjectLiteralExpression(node)
      ? node.properties.find((each) => ts.isPropertyAssignment(each) && each.name.getText() === name)
      : undefined;
    // Nothing else of the object has to be known.
    if (own && ts.isPropertyAssignment(own)) return this.textsOf(own.initializer);
    return [
      ...new Set(
        this.valuesWhereCalled(node)
          .flatMap((value) => memberOf(value, name))
          .filter(isText),
      ),
    ];
  }

  /** The values of an expression in a function for each call of that, so that its parameters go together. */
  private valuesWhereCalled(node: ts.Expression): Value[] {
    this.steps = 0;
    const owner = ts.findAncestor(node, ts.isFunctionLike);
    const symbol = owner && this.symbolOf(owner);
    const calls = symbol ? this.callsOf(symbol) : [];
    if (!owner || calls.length === 0 || !this.namesPartOf(owner, node)) return this.of(node, new Map());
    const found = calls.flatMap((call) => {
      const given = call.arguments.map((each) => (ts.isSpreadElement(each) ? [] : this.anew(each)));
      this.steps = 0;
      return this.bound(owner, new Map(), given).flatMap((env) => this.of(node, env));
    });
    return found.length === 0 ? this.of(node, new Map()) : found;
  }

  /** The values of an expression with all steps left, however many its neighbours took. */
  private anew(node: ts.Expression): Value[] {
    this.steps = 0;
    return this.of(node, new Map());
  }

  /** Whether an expression names a parameter or variable of a function, so that its value depends on the call. */
  private namesPartOf(owner: ts.SignatureDeclaration, node: ts.Node): boolean {
    if (ts.isIdentifier(node)) {
      const declaration = this.symbolAt(node)?.valueDeclaration;
      return declaration !== undefined && ts.findAncestor(declaration, (each) => each === owner) !== undefined;
    }
    return ts.forEachChild(node, (child) => this.namesPartOf(owner, child) || undefined) ?? false;
  }

  private symbolOf(owner: ts.SignatureDeclaration): ts.Symbol | undefined {
    const named = ts.isArrowFunction(owner) || ts.isFunctionExpression(owner) ? owner.parent : owner;
    const isNamed =
      ts.isVariableDeclaration(named) ||
      ts.isFunctionDeclaration(named) ||
      ts.isMethodDeclaration(named) ||
      ts.isPropertyDeclaration(named);
    return isNamed && named.name ? this.symbolAt(named.name) : undefined;
  }

  private symbolAt(node: ts.Node): ts.Symbol | undefined {
    if (this.symbols.has(node)) return this.symbols.get(node);
    const symbol = this.checker.getSymbolAtLocation(node);
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
    this.symbols.set(node, target);
    return target;
  }

  private of(node: ts.Node, env: Environment): Value[] {
    const isConstant = env.size === 0;
    const known = isConstant ? this.known.get(node) : undefined;
    if (known) return known;
    // An expression that is asked for again on the way has no other values to add.
    if ((isConstant && this.open.has(node)) || this.depth > MOST_DEPTH || ++this.steps > MOST_STEPS) {
      this.cuts++;
      return [];
    }
    const { cuts } = this;
    if (isConstant) this.open.add(node);
    this.depth++;
    const values = this.valuesOf(node, env).slice(0, MOST_VALUES);
    this.depth--;
    if (isConstant) this.open.delete(node);
    if (isConstant && this.cuts === cuts) this.known.set(node, values);
    return values;
  }

  private valuesOf(node: ts.Node, env: Environment): Value[] {
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isNumericLiteral(node)) return [Number(node.text)];
    if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword)
      return [node.kind === ts.SyntaxKind.TrueKeyword];
    if (node.kind === ts.SyntaxKind.NullKeyword) return [null];
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isAwaitExpression(node)
    )
      return this.of(node.expression, env);
    if (ts.isTemplateExpression(node)) return this.ofTemplate(node, env);
    if (ts.isConditionalExpression(node)) return this.ofBranches(node.condition, node.whenTrue, node.whenFalse, env);
    if (ts.isBinaryExpression(node)) return this.ofBinary(node, env);
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      return this.of(node.operand, env).map((value) => !value);
    if (ts.isArrayLiteralExpression(node))
      return combinations(
        node.elements.map((each) =>
          ts.isSpreadElement(each)
            ? this.of(each.expression, env).filter(isList)
            : this.of(each, env).map((value) => [value]),
        ),
      ).map((parts) => parts.flat());
    if (ts.isObjectLiteralExpression(node)) return this.ofObject(node, env);
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return [new Callable(node, env)];
    if (ts.isCallExpression(node)) return this.ofCall(node, env);
    if (ts.isElementAccessExpression(node))
      return combinations([this.of(node.expression, env), this.of(node.argumentExpression, env)]).flatMap(
        ([from, key]) => memberOf(from, key),
      );
    if (ts.isPropertyAccessExpression(node)) return this.ofProperty(node, env);
    if (ts.isIdentifier(node)) return node.text === 'undefined' ? [undefined] : this.ofSymbol(this.symbolAt(node), env);
    return [];
  }

  private ofTemplate(node: ts.TemplateExpression, env: Environment): Value[] {
    const spans = node.templateSpans.map(({ expression }) =>
      this.of(expression, env).filter((value) => isText(value) || typeof value === 'number'),
    );
    return combinations(spans).map(
      (values) =>
        node.head.text +
        node.templateSpans.map(({ literal }, index) => `${String(values[index])}${literal.text}`).join(''),
    );
  }

  private ofBranches(
    condition: ts.Expression,
    whenTrue: ts.Expression,
    whenFalse: ts.Expression,
    env: Environment,
  ): Value[] {
    const known = new Set(this.of(condition, env).map(Boolean));
    return [
      ...(known.size === 0 || known.has(true) ? this.of(whenTrue, env) : []),
      ...(known.size === 0 || known.has(false) ? this.of(whenFalse, env) : []),
    ];
  }

  private ofBinary({ left, right, operatorToken }: ts.BinaryExpression, env: Environment): Value[] {
    const one = this.of(left, env);
    if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
      return [
        ...one.filter((value) => value !== undefined && value !== null),
        ...(one.length === 0 || one.some((value) => value === undefined || value === null) ? this.of(right, env) : []),
      ];
    if (operatorToken.kind === ts.SyntaxKind.PlusToken)
      return combinations([one, this.of(right, env)]).flatMap(([a, b]): Value[] =>
        isText(a) && isText(b) ? [a + b] : typeof a === 'number' && typeof b === 'number' ? [a + b] : [],
      );
    if (operatorToken.kind === ts.SyntaxKind.AsteriskToken)
      return combinations([one, this.of(right, env)]).flatMap(([a, b]) =>
        typeof a === 'number' && typeof b === 'number' ? [a * b] : [],
      );
    if (operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken)
      return combinations([one, this.of(right, env)]).map(([a, b]) => a === b);
    if (operatorToken.kind === ts.SyntaxKind.ExclamationEqualsEqualsToken)
      return combinations([one, this.of(right, env)]).map(([a, b]) => a !== b);
    if (operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
      return [...one.filter((value) => !value), ...this.of(right, env)];
    return [];
  }

  private ofObject(node: ts.ObjectLiteralExpression, env: Environment): Value[] {
    const parts = node.properties.map((property): { readonly [name: string]: Value }[] => {
      if (ts.isSpreadAssignment(property)) return known(this.of(property.expression, env).filter(isRecord));
      if (ts.isShorthandPropertyAssignment(property))
        return known(
          this.ofSymbol(this.checker.getShorthandAssignmentValueSymbol(property), env).map((value) => ({
            [property.name.text]: value,
          })),
        );
      if (!ts.isPropertyAssignment(property)) return [{}];
      const name = ts.isComputedPropertyName(property.name)
        ? this.of(property.name.expression, env).find(isText)
        : property.name.text;
      return known(name === undefined ? [] : this.of(property.initializer, env).map((value) => ({ [name]: value })));
    });
    return combinations(parts).map((each) => Object.assign({}, ...each) as { readonly [name: string]: Value });
  }

  private ofProperty(node: ts.PropertyAccessExpression, env: Environment): Value[] {
    const declaration = this.symbolAt(node.name)?.valueDeclaration;
    if (declaration && ts.isPropertyDeclaration(declaration)) {
      const value = declaration.initializer ?? assignedInConstructor(declaration);
      if (value) return this.of(value, new Map());
    }
    return this.of(node.expression, env).flatMap((from) => memberOf(from, node.name.text));
  }

  private ofSymbol(symbol: ts.Symbol | undefined, env: Environment): Value[] {
    if (!symbol) return [];
    if (env.has(symbol)) return [env.get(symbol)];
    const declaration = symbol.valueDeclaration;
    if (!declaration) return [];
    if (ts.isVariableDeclaration(declaration)) return this.ofVariable(declaration, env);
    if (ts.isFunctionDeclaration(declaration)) return [new Callable(declaration, new Map())];
    if (ts.isParameter(declaration)) return this.ofParameter(declaration);
    if (ts.isBindingElement(declaration)) return this.ofBinding(declaration, env);
    return [];
  }

  /** What a variable begins with, or what a loop gives to it. */
  private ofVariable({ initializer, parent }: ts.VariableDeclaration, env: Environment): Value[] {
    if (initializer) return this.of(initializer, env);
    return ts.isForOfStatement(parent.parent) ? this.of(parent.parent.expression, env).filter(isList).flat() : [];
  }

  private ofBinding(element: ts.BindingElement, env: Environment): Value[] {
    const holder = element.parent.parent;
    const from = ts.isVariableDeclaration(holder)
      ? this.ofVariable(holder, env)
      : ts.isParameter(holder)
        ? this.ofParameter(holder)
        : [];
    const key: Value = ts.isArrayBindingPattern(element.parent)
      ? element.parent.elements.indexOf(element)
      : ((element.propertyName ?? element.name) as ts.Identifier).text;
    const values = from.flatMap((value) => memberOf(value, key));
    return [
      ...values.filter((value) => value !== undefined),
      ...(element.initializer && (values.length === 0 || values.includes(undefined))
        ? this.of(element.initializer, env)
        : []),
    ];
  }

  /** What a parameter is given by those who call its function. */
  private ofParameter(parameter: ts.ParameterDeclaration): Value[] {
    const owner = parameter.parent;
    const symbol = this.symbolOf(owner);
    const index = owner.parameters.indexOf(parameter);
    const given = (symbol ? this.callsOf(symbol) : []).flatMap(({ arguments: values }) => {
      const value = values[index];
      return value === undefined
        ? parameter.initializer
          ? this.of(parameter.initializer, new Map())
          : [undefined]
        : this.of(value, new Map());
    });
    return [...new Set(given)];
  }

  private ofCall(node: ts.CallExpression, env: Environment): Value[] {
    // What the database holds is not known.
    if (this.isMethod(node.expression, 'Database')) return [];
    const [point] = node.arguments;
    if (point && this.isMethod(node.expression, 'Registry', 'contributionsTo')) return this.ofContributions(point);
    if (point && this.isMethod(node.expression, 'Registry', 'contributionTo'))
      return this.ofContributions(point).flat();
    const values = combinations(node.arguments.map((each) => (ts.isSpreadElement(each) ? [] : this.of(each, env))));
    if (ts.isPropertyAccessExpression(node.expression)) {
      const name = node.expression.name.text;
      if (node.expression.expression.getText() === 'Object')
        return values.flatMap(([record]) => (record !== undefined && isRecord(record) ? ofRecord(name, record) : []));
      const own = this.of(node.expression.expression, env).flatMap((from) =>
        values.flatMap((given) => this.ofMethod(from, name, given)),
      );
      if (own.length > 0) return own;
    }
    const declaration = this.symbolAt(
      ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression,
    )?.valueDeclaration;
    const called =
      declaration && (ts.isMethodDeclaration(declaration) || ts.isFunctionDeclaration(declaration))
        ? [new Callable(declaration, new Map())]
        : this.of(node.expression, env);
    const given = node.arguments.map((each) => (ts.isSpreadElement(each) ? [] : this.of(each, env)));
    return called.flatMap((each) => (each instanceof Callable ? this.call(each, given) : []));
  }

  /** The lists that all modules together can contribute to a point. */
  private ofContributions(point: ts.Expression): (readonly Value[])[] {
    const symbol = this.symbolAt(point);
    return combinations(((symbol && this.contributions.get(symbol)) ?? []).map((value) => this.of(value, new Map())));
  }

  /** Calls a function with what is known of its arguments; of several ends all count. */
  private call({ node, env }: Callable, given: readonly (readonly Value[])[]): Value[] {
    const { body } = node;
    if (!body) return [];
    return this.bound(node, env, given).flatMap((inner) =>
      ts.isBlock(body) ? returnsOf(body).flatMap((each) => this.of(each, inner)) : this.of(body, inner),
    );
  }

  /** The parameters of a function with all values that they are given; one whose argument is not known stays unbound. */
  private bound(
    node: ts.SignatureDeclaration,
    env: Environment,
    given: readonly (readonly Value[] | undefined)[],
  ): Environment[] {
    return node.parameters.reduce<Environment[]>(
      (all, { name, initializer }, index) =>
        all
          .flatMap((known) => {
            const values = given[index] ?? (initializer ? this.of(initializer, known) : [undefined]);
            if (values.length === 0) return [known];
            return values.map((value) => {
              const inner = new Map(known);
              this.bind(name, value === undefined && initializer ? this.of(initializer, known)[0] : value, inner);
              return inner;
            });
          })
          .slice(0, MOST_VALUES),
      [env],
    );
  }

  private bind(name: ts.BindingName, value: Value, env: Map<ts.Symbol, Value>): void {
    const symbol = ts.isIdentifier(name) ? this.checker.getSymbolAtLocation(name) : undefined;
    if (symbol) env.set(symbol, value);
    if (ts.isIdentifier(name)) return;
    name.elements.forEach((element, index) => {
      if (ts.isOmittedExpression(element)) return;
      const key = ts.isArrayBindingPattern(name)
        ? index
        : ((element.propertyName ?? element.name) as ts.Identifier).text;
      const [inside = element.initializer && this.of(element.initializer, env)[0]] = memberOf(value, key);
      this.bind(element.name, inside, env);
    });
  }

  private ofMethod(from: Value, name: string, [first, second]: readonly Value[]): Value[] {
    if (isList(from)) {
      if (name === 'join')
        return from.every((each) => isText(each) || typeof each === 'number')
          ? [from.join(isText(first) ? first : ',')]
          : [];
      if ((name === 'map' || name === 'flatMap') && first instanceof Callable)
        return combinations(from.map((each, index) => this.call(first, [[each], [index]]))).map((each) =>
          name === 'map' ? each : each.flat(),
        );
      if (name === 'filter' && first instanceof Callable)
        return combinations(from.map((each) => this.call(first, [[each]]).map((kept) => (kept ? [each] : [])))).map(
          (each) => each.flat(),
        );
      // Where the condition is not known, each may be the one.
      if (name === 'find' && first instanceof Callable)
        return from.filter((each) => {
          const found = this.call(first, [[each]]);
          return found.length === 0 || found.some(Boolean);
        });
    }
    if (!isText(from)) return [];
    if (name === 'trim') return [from.trim()];
    if ((name === 'replaceAll' || name === 'replace') && isText(first) && isText(second))
      return [name === 'replace' ? from.replace(first, second) : from.replaceAll(first, second)];
    return [];
  }
}

/** The value that the constructor of a class gives to a property. */
function assignedInConstructor({ name, parent }: ts.PropertyDeclaration): ts.Expression | undefined {
  const body = parent.members.find(ts.isConstructorDeclaration)?.body;
  const assignment = body?.statements
    .flatMap((each) => (ts.isExpressionStatement(each) ? [each.expression] : []))
    .find(
      (each): each is ts.BinaryExpression =>
        ts.isBinaryExpression(each) &&
        each.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        ts.isPropertyAccessExpression(each.left) &&
        each.left.expression.kind === ts.SyntaxKind.ThisKeyword &&
        each.left.name.text === name.getText(),
    );
  return assignment?.right;
}

/** The values of a part of an object: one that is not known does not make the others unknown. */
function known(values: { readonly [name: string]: Value }[]): { readonly [name: string]: Value }[] {
  return values.length === 0 ? [{}] : values;
}

function ofRecord(method: string, record: { readonly [name: string]: Value }): Value[] {
  if (method === 'keys') return [Object.keys(record)];
  if (method === 'values') return [Object.values(record)];
  return method === 'entries' ? [Object.entries(record)] : [];
}

function memberOf(from: Value, key: Value): Value[] {
  if (isList(from))
    return key === 'length' ? [from.length] : typeof key === 'number' && key < from.length ? [from[key]] : [];
  return from !== undefined && isRecord(from) && isText(key) ? [Object.hasOwn(from, key) ? from[key] : undefined] : [];
}

function returnsOf(body: ts.Block): ts.Expression[] {
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return found;
}
