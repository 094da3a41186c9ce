import type { QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queries } from '../api/client.js';

/** Milliseconds between two looks at work in the background. */
export const POLL_EVERY = 2000;

/** Reads what begins with a key again and again, as long as work in the background changes it. */
export function usePolling(queryKey: QueryKey, isActive: boolean): void {
  const key = JSON.stringify(queryKey);
  useEffect(() => {
    if (!isActive) return;
    const filters = { queryKey: JSON.parse(key) as QueryKey };
    // A read that takes longer than the pause between two goes on: begun anew each time, it would never end.
    const read = (): void => void queries.invalidateQueries(filters, { cancelRefetch: false });
    const timer = setInterval(read, POLL_EVERY);
    return () => clearInterval(timer);
  }, [key, isActive]);
}
