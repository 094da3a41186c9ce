import pg from 'pg';

/** A column of a result: its name and what its values are in JavaScript, `json` for those that have any shape. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

/** The parts of pg's connection that describe a statement; see the protocol, https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY. */
interface Connection {
  parse(statement: { readonly name: string; readonly text: string; readonly types: readonly number[] }): void;
  describe(target: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Has a statement prepared and described, and not run. */
class Description {
  fields: readonly Field[] = [];
  readonly done: Promise<void>;
  private settle!: (error?: Error) => void;

  constructor(private readonly text: string) {
    this.done = new Promise((resolve, reject) => (this.settle = (error) => (error ? reject(error) : resolve())));
  }

  submit(connection: Connection): void {
    connection.parse({ name: '', text: this.text, types: [] });
    connection.describe({ type: 'S', name: '' });
    connection.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.fields = fields;
  }

  handleReadyForQuery(): void {
    this.settle();
  }

  handleError(error: Error): void {
    this.settle(error);
  }
}

const OF_TYPE: Readonly<Record<string, string>> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  float4: 'number',
  float8: 'number',
  timestamptz: 'Date',
  timestamp: 'Date',
  bytea: 'Buffer',
  json: 'json',
  jsonb: 'json',
};

/** Asks a database what statements give. */
export class StatementDescriber {
  private constructor(
    private readonly client: pg.Client,
    private readonly types: ReadonlyMap<number, string>,
  ) {}

  static async connect(url: string): Promise<StatementDescriber> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ id: number; name: string; base: string | null }>(
      `SELECT t.oid::int AS id, t.typname AS name, b.typname AS base FROM pg_type t LEFT JOIN pg_type b ON b.oid = t.typbasetype`,
    );
    return new StatementDescriber(client, new Map(rows.map(({ id, name, base }) => [id, kindOf(base ?? name)])));
  }

  /** The columns of a statement, none for one that gives no rows. Throws what the database says of one that cannot be prepared. */
  async columnsOf(text: string): Promise<Column[]> {
    const description = new Description(text);
    this.client.query(description as unknown as pg.Submittable);
    await description.done;
    return description.fields.map(({ name, dataTypeID }) => ({ name, type: this.types.get(dataTypeID) ?? 'string' }));
  }

  async end(): Promise<void> {
    await this.client.end();
  }
}

function kindOf(type: string): string {
  return type.startsWith('_') ? 'array' : (OF_TYPE[type] ?? 'string');
}
