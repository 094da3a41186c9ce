import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answered, api, type Schemas } from '../api/client.js';
import { renewRequest, type RequestAddress } from './queries.js';

/** Changes the status, subject or description of a change request, and reads it anew. */
export function useRequestActions(path: RequestAddress) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['UpdateChangeRequest']) =>
      answered(api.PATCH('/v1/spaces/{spaceId}/change-requests/{changeRequestId}', { params: { path }, body })),
    onSuccess: () => renewRequest(queries, path),
  });
}
