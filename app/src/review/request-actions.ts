import { useMutation, useQueryClient } from '@tanstack/react-query';
import { REQUEST, send, type Schemas } from '../api/client.js';
import type { RequestAddress } from '../api/queries.js';
import { showDone } from '../ui/toasts.js';
import { renewRequest } from './queries.js';

/** A change of a change request, after which it is read anew; `done` is told then. */
export function useRequestChange<Given = void>(
  path: RequestAddress,
  change: (given: Given) => Promise<unknown>,
  done?: string,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      if (done !== undefined) showDone(done);
      await renewRequest(queries, path);
    },
  });
}

/** Changes the status, subject or description. */
export function useRequestActions(path: RequestAddress) {
  return useRequestChange(path, (body: Schemas['UpdateChangeRequest']) => send('patch', REQUEST, path, body));
}
