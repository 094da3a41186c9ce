/*
 * The package `bindery/workspace`: types for screens that modules add to the workspace in the browser. It has no code:
 * the workspace gives a screen everything when it mounts it. Names are stable within a version range of the package
 * (`requires` of a manifest); whatever else the workspace is made of may change in any release.
 */

/** The exports of the script of a screen. */
export interface Screen<Paths extends object = AnyPaths> {
  /**
   * Shows the screen in an element. The result, which may be promised, ends it when somebody leaves. A screen that has
   * nothing to end returns nothing; one that is not there after 15 seconds counts as failed.
   */
  readonly mount: (
    element: HTMLElement,
    host: Host<Paths>,
  ) => Unmount | undefined | void | Promise<Unmount | undefined | void>;
}

export type Unmount = () => void;

/**
 * The workspace, as a screen sees it. `Paths` are the operations that it calls, as `openapi-typescript` writes them for
 * the description of a server with the module.
 */
export interface Host<Paths extends object = AnyPaths> {
  /** The version of Bindery. */
  readonly version: string;
  /** The place of the screen: each has the ids of what it is about and of what that belongs to. */
  readonly place: Place;
  /** The language of the workspace as a tag of BCP 47, for words and for dates. */
  readonly language: string;
  /** Aborted when somebody leaves the screen: requests with it end by themselves. */
  readonly signal: AbortSignal;

  /** The present colours. The variables `--bindery-…` of the element follow them without this. */
  readonly colorScheme: ColorScheme;
  /** Calls a function whenever the colours change, until the function that it returns is called. */
  onColorScheme(listener: (scheme: ColorScheme) => void): () => void;

  /**
   * Calls an operation of the interface as the person who is signed in. Whatever is no success is thrown as a
   * `RequestFault`; the end of the session leads to the sign-in.
   */
  request<Path extends keyof Paths & string, Verb extends Method & keyof Paths[Path]>(
    method: Verb,
    path: Path,
    options?: RequestOptions<Paths[Path][Verb]>,
  ): Promise<Answer<Received<Paths[Path][Verb]>>>;

  /** Goes to a path below the address of the workspace, such as `/notifications`, or to an address of `urls.app`. */
  navigate(to: string): void;
  /** The address of such a path, for links. Links within the screen are followed without a reload. */
  href(path: string): string;

  /** Tells in a corner of the window that something was done. */
  toast(text: string): void;
  /** Tells that something was not done, and why. */
  showFault(fault: unknown): void;
  /** Asks before an action. */
  confirm(question: Question): Promise<boolean>;

  /** Has the workspace read again what it shows of a subject: everything without one. */
  invalidate(subject?: Subject): Promise<void>;
}

export interface Place {
  readonly userId: string;
  readonly organizationId?: string;
  readonly spaceId?: string;
  readonly siteId?: string;
}

export type ColorScheme = 'light' | 'dark';
export type Subject = 'session' | 'organizations' | 'members' | 'teams' | 'spaces' | 'sites' | 'notifications';

export interface Question {
  readonly title: string;
  readonly text?: string;
  /** The name of the action, on the button. */
  readonly action: string;
  /** Something is lost by it: the button is red, and the way back has the focus. */
  readonly isDangerous?: boolean;
}

/** An answer that is a success. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** The error for an answer that is no success; the status 0 is a connection that is gone. */
export interface RequestFault extends Error {
  readonly status: number;
  readonly details: readonly { readonly path: string; readonly message: string }[];
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Operations of which nothing is known. */
export type AnyPaths = Readonly<Record<`/v1/${string}`, Readonly<Record<Method, AnyOperation>>>>;

interface AnyOperation {
  readonly parameters: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  };
  readonly requestBody?: { readonly content: { readonly 'application/json': unknown } };
  readonly responses: { readonly 200: { readonly content: { readonly 'application/json': unknown } } };
}

export interface RequestOptions<Operation> {
  /** Values for the parts of the path in braces. */
  readonly path?: ParametersOf<Operation, 'path'>;
  readonly query?: ParametersOf<Operation, 'query'>;
  readonly body?: SentTo<Operation>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** How the body of the answer is read; as JSON unless given. */
  readonly as?: 'json' | 'text' | 'blob';
}

type ParametersOf<Operation, Kind extends 'path' | 'query'> = Operation extends {
  parameters: { [Each in Kind]?: infer Given };
}
  ? Given
  : never;
type SentTo<Operation> = Operation extends { requestBody?: { content: { 'application/json': infer Body } } }
  ? Body
  : never;
type Received<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Status extends 200 | 201 | 202
        ? Responses[Status] extends { content: { 'application/json': infer Body } }
          ? Body
          : undefined
        : Status extends 204
          ? undefined
          : never;
    }[keyof Responses]
  : unknown;
