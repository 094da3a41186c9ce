import createClient from 'openapi-fetch';
import type { RequestBodyJSON, SuccessResponseJSON } from 'openapi-typescript-helpers';
import { ApiError, type FieldFault } from './api-error.js';
import type { components, paths } from './schema.js';
import {
  useInfiniteQuery,
  type keepPreviousData,
  type QueryKey,
  queryOptions,
  useSuspenseQuery,
  MutationCache,
  QueryCache,
  QueryClient,
} from '@tanstack/react-query';
import { showFault } from '../ui/toasts.js';

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

/** The public interface, by paths and methods of its OpenAPI document; what is no success is thrown as an `ApiError`. */
export const api = createClient<paths>({
  baseUrl: ORIGIN,
  credentials: 'same-origin',
  querySerializer: { array: { style: 'form', explode: true } },
});
api.use({
  onRequest({ request }) {
    if (!SAFE.has(request.method) && csrfToken !== undefined) request.headers.set('X-CSRF-Token', csrfToken);
  },
  async onResponse({ response }) {
    if (response.ok) return;
    const body = (await response.json().catch(() => ({}))) as { error?: { message?: string; details?: FieldFault[] } };
    const { message = `HTTP ${response.status}`, details = [], ...error } = body.error ?? {};
    const isTemporary = response.headers.has('Retry-After');
    throw new ApiError(response.status, message, details, { message, details, ...error }, isTemporary);
  },
  onError: ({ error }) =>
    error instanceof DOMException && error.name === 'AbortError'
      ? error
      : new ApiError(0, error instanceof Error ? error.message : String(error)),
});

/** A change request by its number or id, within its space. */
export const REQUEST = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}';

type Changing = 'post' | 'put' | 'patch' | 'delete';
type OrNone<Given> = [Given] extends [never] ? Readonly<Record<string, never>> : Given;
type Parameter<Operation, Kind extends 'path' | 'query'> = Operation extends { parameters: infer All }
  ? OrNone<NonNullable<All[Kind & keyof All]>>
  : never;
type Sent<Operation> = RequestBodyJSON<Operation>;
type Received<Operation> = SuccessResponseJSON<Extract<Operation, object>>;

async function bodyOf<Body>(method: 'get' | Changing, url: string, options: object): Promise<Body> {
  return (await api.request(method, url as never, options as never)).data as Body;
}

/** The body of an answer to a request that changes nothing. */
export function get<Path extends keyof paths, Operation = paths[Path]['get']>(
  url: Path,
  path: Parameter<Operation, 'path'>,
  query?: Parameter<Operation, 'query'>,
  headers?: Readonly<Record<string, string>>,
): Promise<Received<Operation>> {
  return bodyOf('get', url, { params: { path, query }, headers });
}

/** The same with the ETag of the answer, by which a later change knows what it was made from. */
export async function getTagged<Path extends keyof paths, Operation = paths[Path]['get']>(
  url: Path,
  path: Parameter<Operation, 'path'>,
  query?: Parameter<Operation, 'query'>,
): Promise<Readonly<{ body: Received<Operation>; etag: string }>> {
  const { data, response } = await api.request('get', url as never, { params: { path, query } } as never);
  return { body: data as Received<Operation>, etag: response.headers.get('ETag') ?? '*' };
}

interface SendOptions<Operation> {
  readonly query?: Parameter<Operation, 'query'>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The body, as it is. */
  readonly file?: Blob;
}

const sentAs = (body: unknown, file: Blob | undefined) =>
  file ? { body: file, bodySerializer: (bytes: Blob) => bytes } : { body };

/** The body of an answer to a change. */
export function send<Verb extends Changing, Path extends keyof paths, Operation = paths[Path][Verb]>(
  method: Verb,
  url: Path,
  path: Parameter<Operation, 'path'>,
  body?: Sent<Operation>,
  { query, file, ...rest }: SendOptions<Operation> = {},
): Promise<Received<Operation>> {
  return bodyOf(method, url, { params: { path, query }, ...sentAs(body, file), ...rest });
}

/** A page of a list, as the interface gives it. */
export type ListPage<Item> = Readonly<{ items: readonly Item[]; count?: number; next?: { readonly page: string } }>;

/** All items of a list that has few pages; `read` asks for one page. Stops after `limit` items. */
export async function readAll<Item>(
  read: (page: string | undefined) => Promise<ListPage<Item>>,
  limit = 10_000,
): Promise<Item[]> {
  const items: Item[] = [];
  let page: string | undefined;
  do {
    const answer = await read(page);
    items.push(...answer.items);
    page = answer.next?.page;
  } while (page !== undefined && items.length < limit);
  return items;
}

/** A list that is read page by page; with `placeholderData` the list of the key before is shown until it is there. */
export function useList<Item>(
  queryKey: QueryKey,
  read: (page: string | undefined) => Promise<ListPage<Item>>,
  placeholderData?: typeof keepPreviousData,
) {
  return useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => read(pageParam),
    getNextPageParam: ({ next }: ListPage<Item>) => next?.page,
    placeholderData,
  });
}

export type Session = Schemas['SessionBody'];

/** The session of this browser; null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async (): Promise<Session | null> => {
    try {
      const session = await get('/v1/auth/session', {});
      rememberCsrfToken(session.csrfToken);
      return session;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

/** The session of the person who is signed in; only for screens behind the sign-in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data) throw new ApiError(401, 'not signed in');
  return data;
}

export type Space = Schemas['SpaceBody'];
export type ChangeRequest = Schemas['ChangeRequestBody'];

/** A change request by its number or id, within its space. */
export type RequestAddress = Readonly<{ spaceId: string; changeRequestId: string }>;

export const requestKey = ({ spaceId, changeRequestId }: RequestAddress, ...more: readonly string[]) =>
  ['change-request', spaceId, changeRequestId, ...more] as const;

export const spaceQuery = (spaceId: string) =>
  queryOptions({ queryKey: ['space', spaceId], queryFn: () => get('/v1/spaces/{spaceId}', { spaceId }) });

export const requestQuery = (path: RequestAddress) =>
  queryOptions({ queryKey: requestKey(path), queryFn: () => get(REQUEST, path, { format: 'markdown' }) });

const ATTEMPTS = 2;

/** Answers are fresh for some seconds; only missing connections and busy servers are asked again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < ATTEMPTS && error instanceof ApiError && (error.status === 0 || error.status >= 502),
    },
  },
  queryCache: new QueryCache({
    // The session was ended elsewhere: the workspace leads to the sign-in.
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401) queries.setQueryData(sessionQuery.queryKey, null);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (mutation.meta?.['handlesErrors'] !== true) showFault(error);
    },
  }),
});
