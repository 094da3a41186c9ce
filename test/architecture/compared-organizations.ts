import { loadModule, parseSync } from 'libpg-query';

type Node = Readonly<Record<string, unknown>>;

/** A table in a query; `column` is the one with the organization, undefined for whatever has none. */
interface Relation {
  readonly table: string;
  readonly column: string | undefined;
  isCompared: boolean;
}

/** What the columns of a query may belong to, by the names that it gives. */
interface Scope {
  readonly relations: ReadonlyMap<string, Relation>;
  readonly outer: Scope | undefined;
}

/** Kinds of expressions whose operator may be an equality: `=`, `= ANY (…)`, `IN (…)`, `IS NOT DISTINCT FROM`. */
const EQUALITIES = new Set(['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN', 'AEXPR_NOT_DISTINCT']);
const SEMI_JOINS = new Set(['ANY_SUBLINK', 'EXISTS_SUBLINK']);
const QUERIES = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'];
const SOURCES = ['relation', 'fromClause', 'usingClause', 'sourceRelation'];
const CONDITIONS = ['whereClause', 'joinCondition'];
/** Parts of a query that `query` reads by themselves, or that name its relations again. */
const READ_APART = new Set([...SOURCES, ...CONDITIONS, 'withClause', 'larg', 'rarg', 'lockingClause']);
/** The sides of a join whose rows are only those for which its condition holds. */
const HELD_SIDES: Readonly<Record<string, readonly string[]>> = {
  JOIN_INNER: ['larg', 'rarg'],
  JOIN_LEFT: ['rarg'],
  JOIN_RIGHT: ['larg'],
};

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const child = (node: Node | undefined, name: string): Node | undefined => {
  const value = node?.[name];
  return isNode(value) ? value : undefined;
};
const list = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);
const stringOf = (node: Node): string | undefined => child(node, 'String')?.['sval'] as string | undefined;
const isEquality = (name: unknown): boolean => list(name).map(stringOf).join('.') === '=';
/** The elements of `(a, b)`, and of anything else itself. */
const elementsOf = (node: Node | undefined): readonly Node[] =>
  node === undefined ? [] : child(node, 'RowExpr') ? list(child(node, 'RowExpr')?.['args']) : [node];

/** Looks in one statement for tables whose organization nothing is compared with. */
class StatementReader {
  readonly found: Relation[] = [];

  constructor(private readonly columns: ReadonlyMap<string, string | undefined>) {}

  /** Reads a part that is no condition of the query around it. */
  visit(node: unknown, scope: Scope | undefined, common: ReadonlySet<string>): void {
    if (Array.isArray(node)) node.forEach((each) => this.visit(each, scope, common));
    if (!isNode(node) || Array.isArray(node)) return;
    const kind = QUERIES.find((name) => name in node);
    if (kind !== undefined) this.query(child(node, kind) ?? {}, scope, common);
    else if (typeof node['relname'] === 'string') this.relation(node, common);
    else Object.values(node).forEach((each) => this.visit(each, scope, common));
  }

  /** Reads a query, and returns the relations around it whose organization has to be equal wherever it gives a row. */
  private query(query: Node, outer: Scope | undefined, above: ReadonlySet<string>): ReadonlySet<Relation> {
    const expressions = list(child(query, 'withClause')?.['ctes']).map((each) => child(each, 'CommonTableExpr') ?? {});
    const common = new Set([...above, ...expressions.map(({ ctename }) => ctename as string)]);
    for (const { ctequery } of expressions) this.visit(ctequery, outer, common);
    for (const side of ['larg', 'rarg']) if (child(query, side)) this.query(child(query, side) ?? {}, outer, common);
    const relations = new Map<string, Relation>();
    const scope = { relations, outer };
    for (const source of SOURCES.flatMap((name): unknown[] => [query[name]].flat()))
      this.source(source, relations, common);
    const compared = new Set(CONDITIONS.flatMap((name) => [...this.condition(query[name], scope, common)]));
    for (const source of SOURCES) for (const held of this.joins(query[source], scope, common)) compared.add(held);
    const target = child(query, 'relation');
    const given = list(query['cols']).map((each) => child(each, 'ResTarget')?.['name']);
    for (const relation of relations.values())
      if (compared.has(relation) || (target && given.includes(relation.column))) relation.isCompared = true;
    for (const [name, part] of Object.entries(query)) if (!READ_APART.has(name)) this.visit(part, scope, common);
    return new Set([...compared].filter((relation) => ![...relations.values()].includes(relation)));
  }

  /** Adds what a FROM clause names. */
  private source(source: unknown, relations: Map<string, Relation>, common: ReadonlySet<string>): void {
    if (!isNode(source)) return;
    const join = child(source, 'JoinExpr');
    const range = typeof source['relname'] === 'string' ? source : child(source, 'RangeVar');
    if (join) [join['larg'], join['rarg']].forEach((side) => this.source(side, relations, common));
    else if (range) {
      const name = (child(range, 'alias')?.['aliasname'] ?? range['relname']) as string;
      relations.set(name, this.relation(range, common));
    } else {
      const [derived] = Object.values(source).filter(isNode);
      const name = child(derived, 'alias')?.['aliasname'] as string | undefined;
      if (name !== undefined) relations.set(name, { table: '', column: undefined, isCompared: true });
    }
  }

  private relation(range: Node, common: ReadonlySet<string>): Relation {
    const table = range['relname'] as string;
    const isTable =
      this.columns.has(table) &&
      (range['schemaname'] === undefined ? !common.has(table) : range['schemaname'] === 'public');
    const relation = { table, column: isTable ? this.columns.get(table) : undefined, isCompared: !isTable };
    this.found.push(relation);
    return relation;
  }

  /** The relations that conditions of joins compare; reads what else stands in a FROM clause. */
  private joins(source: unknown, scope: Scope, common: ReadonlySet<string>): readonly Relation[] {
    if (Array.isArray(source)) return source.flatMap((each) => this.joins(each, scope, common));
    const join = isNode(source) ? child(source, 'JoinExpr') : undefined;
    if (!join) {
      // Only a LATERAL part sees the others, and no statement would be valid if another one named them.
      if (isNode(source) && !('RangeVar' in source) && !('relname' in source)) this.visit(source, scope, common);
      return [];
    }
    const compared = this.condition(join['quals'], scope, common);
    const named = list(join['usingClause']).map(stringOf);
    const held = (HELD_SIDES[join['jointype'] as string] ?? []).flatMap((side) => this.within(join[side], scope));
    return [
      ...held.filter((relation) => compared.has(relation) || named.includes(relation.column)),
      ...[join['larg'], join['rarg']].flatMap((side) => this.joins(side, scope, common)),
    ];
  }

  /** The relations of one side of a join. */
  private within(source: unknown, scope: Scope): readonly Relation[] {
    if (!isNode(source)) return [];
    const join = child(source, 'JoinExpr');
    if (join) return [join['larg'], join['rarg']].flatMap((side) => this.within(side, scope));
    const range = child(source, 'RangeVar');
    const relation = scope.relations.get((child(range, 'alias')?.['aliasname'] ?? range?.['relname']) as string);
    return relation ? [relation] : [];
  }

  /** The relations whose organization has to be equal to something where a condition holds. */
  private condition(node: unknown, scope: Scope, common: ReadonlySet<string>): ReadonlySet<Relation> {
    if (!isNode(node)) return new Set();
    const [expression, logical, sublink] = [child(node, 'A_Expr'), child(node, 'BoolExpr'), child(node, 'SubLink')];
    if (logical && logical['boolop'] !== 'NOT_EXPR') {
      const parts = list(logical['args']).map((part) => this.condition(part, scope, common));
      const all = new Set(parts.flatMap((part) => [...part]));
      return logical['boolop'] === 'AND_EXPR'
        ? all
        : new Set([...all].filter((each) => parts.every((part) => part.has(each))));
    }
    if (expression && EQUALITIES.has(expression['kind'] as string) && isEquality(expression['name'])) {
      this.visit([expression['lexpr'], expression['rexpr']], scope, common);
      const sides = [child(expression, 'lexpr'), child(expression, 'rexpr')].map((side) =>
        elementsOf(side).map((element) => this.organizationOf(element, scope)),
      );
      const [left = [], right = []] = sides;
      return new Set(
        sides
          .flat()
          .filter((each): each is Relation => each !== undefined && left.indexOf(each) !== right.indexOf(each)),
      );
    }
    if (sublink && SEMI_JOINS.has(sublink['subLinkType'] as string)) {
      const isOfEqual = sublink['operName'] === undefined || isEquality(sublink['operName']);
      const tested = isOfEqual ? elementsOf(child(sublink, 'testexpr')) : [];
      this.visit(sublink['testexpr'], scope, common);
      const select = child(child(sublink, 'subselect'), 'SelectStmt') ?? {};
      return new Set([
        ...tested.flatMap((element) => this.organizationOf(element, scope) ?? []),
        ...this.query(select, scope, common),
      ]);
    }
    this.visit(node, scope, common);
    return new Set();
  }

  /** The relation whose organization a column is; one without the name of a relation is looked for in its own query only. */
  private organizationOf(node: Node, scope: Scope): Relation | undefined {
    const fields = list(child(node, 'ColumnRef')?.['fields']).map(stringOf);
    const [first, second] = fields;
    if (fields.length === 1) return [...scope.relations.values()].find(({ column }) => column === first);
    if (fields.length !== 2) return undefined;
    for (let at: Scope | undefined = scope; at; at = at.outer) {
      const relation = at.relations.get(first ?? '');
      if (relation) return relation.column === second ? relation : undefined;
    }
    return undefined;
  }
}

/**
 * The tables of organizations that a statement touches without comparing their organization with anything, sorted. `columns` gives the
 * column with the organization of each of them, undefined where a table has none. An equality counts in a condition that all rows
 * have to meet: of a WHERE clause or a join, in each arm of an OR, or in a semi-join; and an INSERT has to give the column.
 */
export async function uncomparedTables(
  text: string,
  columns: ReadonlyMap<string, string | undefined>,
): Promise<readonly string[]> {
  await loadModule();
  const reader = new StatementReader(columns);
  reader.visit(parseSync(text).stmts, undefined, new Set());
  return [...new Set(reader.found.filter(({ isCompared }) => !isCompared).map(({ table }) => table))].sort();
}
