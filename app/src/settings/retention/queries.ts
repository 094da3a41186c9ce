import { queryOptions } from '@tanstack/react-query';
import { get } from '../../api/client.js';

/** How long the operator of the service has data kept, in days. */
export const retentionQuery = queryOptions({
  queryKey: ['information'],
  staleTime: Infinity,
  queryFn: async () => (await get('/v1', {})).retention,
});
