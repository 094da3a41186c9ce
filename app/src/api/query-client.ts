import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { showFault } from '../ui/toasts.js';
import { ApiError, sessionQuery } from './client.js';

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
