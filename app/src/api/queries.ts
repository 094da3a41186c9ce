import { queryOptions } from '@tanstack/react-query';
import { get, REQUEST, type Schemas } from './client.js';

export type Space = Schemas['SpaceBody'];
export type ChangeRequest = Schemas['ChangeRequestBody'];

/** A change request by its number or id, within its space. */
export type RequestAddress = Readonly<{ spaceId: string; changeRequestId: string }>;

export const requestKey = ({ spaceId, changeRequestId }: RequestAddress, ...more: readonly string[]) =>
  ['change-request', spaceId, changeRequestId, ...more] as const;

export const spaceQuery = (spaceId: string) =>
  queryOptions({ queryKey: ['space', spaceId], queryFn: () => get('/v1/spaces/{spaceId}', { spaceId }) });

export const requestQuery = (path: RequestAddress) =>
  queryOptions({ queryKey: requestKey(path), queryFn: () => get(REQUEST, path) });
