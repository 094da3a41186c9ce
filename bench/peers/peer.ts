import { Api } from '../api.js';

/** A page to be made; `parent` is the id of another. */
export interface NewPage {
  readonly title: string;
  readonly markdown: string;
  readonly parent?: string;
}

/** A POST with a JSON body: all that the interfaces of the peers consist of. */
export interface Call {
  readonly path: string;
  readonly body: object;
}

/** Resources that a started peer has to itself. */
export interface Place {
  readonly port: number;
  /** An empty database of its own. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** A folder for its files and its log. */
  readonly folder: string;
}

/** Somebody who may read and write all pages of one space of a peer, and how that is said in its interface. */
export interface Account {
  readonly token: string;
  create(page: NewPage): Call;
  update(id: string, markdown: string): Call;
  read(id: string): Call;
  list(limit: number): Call;
  search(query: string, limit: number): Call;
  /** The id of the page in the answer to `create`. */
  idOf(answer: unknown): string | undefined;
  /** The pages in the answer to `list` or `search`. */
  itemsOf(answer: unknown): readonly unknown[] | undefined;
}

/** Another product that does what ours does: how it is found, built, started and spoken with. */
export interface Peer {
  readonly name: string;
  /** Its folder below the one that the caller names. It has a `package.json` with the version of the product. */
  readonly folder: string;
  /** Files and folders in it that are there once it is built; the first is the program, which Node runs. */
  readonly built: readonly [program: string, ...others: string[]];
  /** The folder in which the program is started. */
  readonly directory: string;
  /** Commands that bring it and build it, for the folder that the caller names. */
  readonly commands: readonly string[];
  /** A path that answers 200 as soon as the product is ready. */
  readonly health: string;
  /** Its settings. Limits of rates are off, and nothing is sent to anybody. */
  environment(place: Place): Readonly<Record<string, string>>;
  /** Makes the first account of an empty installation, and a space for the pages where there is none. */
  open(port: number): Promise<Account>;
}

/** The value at a path of keys in a JSON answer; undefined where there is none. */
export function valueIn(answer: unknown, ...path: readonly string[]): unknown {
  let value = answer;
  for (const key of path) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  return value;
}

export function textIn(answer: unknown, ...path: readonly string[]): string | undefined {
  const value = valueIn(answer, ...path);
  return typeof value === 'string' ? value : undefined;
}

/** A fault of a peer, with what it answered. */
export function faultOf(path: string, fault: string, answer: unknown): Error {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return new Error(`the answer to POST ${path} ${fault}: ${text.slice(0, 500)}`);
}

/** Sends a call and returns what `find` finds in the answer; `name` names it where it is missing. */
export async function ask<Found>(
  api: Api,
  { path, body }: Call,
  name: string,
  find: (answer: unknown) => Found | undefined,
): Promise<Found> {
  const answer = await api.post<unknown>(path, body);
  const found = find(answer);
  if (found === undefined) throw faultOf(path, `has no ${name}`, answer);
  return found;
}

/** Sends a call without an account, and returns the cookie with which the answer signs in. */
export async function cookieFrom(port: number, { path, body }: Call, name: string): Promise<string> {
  const api = new Api(port, '');
  const { status, head, body: text } = await api.reply('POST', path, body);
  api.close();
  const cookie = new RegExp(`\\r\\nset-cookie: *${name}=([^;\\r]+)`, 'i').exec(head)?.[1];
  if (cookie === undefined) throw faultOf(path, `is ${status} without the cookie ${name}`, text.toString());
  return cookie;
}
