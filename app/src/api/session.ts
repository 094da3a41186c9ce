import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { ApiError, get, rememberCsrfToken, type Schemas } from './client.js';

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
