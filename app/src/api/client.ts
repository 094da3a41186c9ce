import createClient, { type Middleware } from 'openapi-fetch';
import { ApiError, type FieldFault } from './api-error.js';
import type { components, paths } from './schema.js';

export { ApiError };

/** The shapes of the public interface, by their names in its OpenAPI document. */
export type Schemas = components['schemas'];

/** The address of the interface: the workspace lies on its origin. */
const ORIGIN = window.location.origin;
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

let csrfToken: string | undefined;

/** Remembers the token that proves that changes come from this page. */
export function rememberCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** The headers of a change, for requests that are not made by `api`. */
export function csrfHeaders(): Record<string, string> {
  return csrfToken === undefined ? {} : { 'X-CSRF-Token': csrfToken };
}

const protection: Middleware = {
  onRequest({ request }) {
    if (!SAFE.has(request.method) && csrfToken !== undefined) request.headers.set('X-CSRF-Token', csrfToken);
    return request;
  },
};

/** The public interface, by paths and methods of its OpenAPI document. */
export const api = createClient<paths>({
  baseUrl: ORIGIN,
  credentials: 'same-origin',
  querySerializer: { array: { style: 'form', explode: true } },
});
api.use(protection);

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of an answer; throws `ApiError` for every other status than a success, and without a connection. */
export async function answered<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  return (await answeredWithResponse(call)).data;
}

/** The body with the response, whose headers have the ETag. */
export async function answeredWithResponse<Data>(
  call: Promise<Answer<Data>>,
): Promise<{ data: Data; response: Response }> {
  const answer = await call.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, error instanceof Error ? error.message : String(error));
  });
  if (!answer.response.ok) throw apiError(answer.response.status, answer.error);
  return { data: answer.data as Data, response: answer.response };
}

function apiError(status: number, body: unknown): ApiError {
  const error = ((body ?? {}) as { error?: { message?: string; details?: FieldFault[] } }).error ?? {};
  return new ApiError(status, error.message ?? `HTTP ${status}`, error.details ?? [], { ...error });
}

/** A change request by its number or id, within its space. */
export const REQUEST = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Parameter<Operation, Kind extends 'path' | 'query'> = Operation extends { parameters: infer All }
  ? NonNullable<All[Kind & keyof All]>
  : never;
type Sent<Operation> = Operation extends { requestBody?: { content: { 'application/json': infer Body } } }
  ? Body
  : never;
type Received<Operation> = Operation extends { responses: infer All }
  ? {
      [Status in keyof All & (200 | 201 | 202)]: All[Status] extends { content: { 'application/json': infer Body } }
        ? Body
        : undefined;
    }[keyof All & (200 | 201 | 202)]
  : never;

/** The body of an answer to a request that changes nothing. */
export function get<Path extends keyof paths, Operation = paths[Path]['get']>(
  url: Path,
  path: Parameter<Operation, 'path'>,
  query?: Parameter<Operation, 'query'>,
  signal?: AbortSignal,
): Promise<Received<Operation>> {
  return answered(
    api.request('get', url as never, { params: { path, query }, signal } as never) as Promise<
      Answer<Received<Operation>>
    >,
  );
}

/** The body of an answer to a change. */
export function send<Verb extends Exclude<Method, 'get'>, Path extends keyof paths, Operation = paths[Path][Verb]>(
  method: Verb,
  url: Path,
  path: Parameter<Operation, 'path'>,
  body?: Sent<Operation>,
  {
    query,
    ...rest
  }: { query?: Parameter<Operation, 'query'>; headers?: Readonly<Record<string, string>>; signal?: AbortSignal } = {},
): Promise<Received<Operation>> {
  return answered(
    api.request(method, url as never, { params: { path, query }, body, ...rest } as never) as Promise<
      Answer<Received<Operation>>
    >,
  );
}
