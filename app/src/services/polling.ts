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
    const read = (): void => void queries.invalidateQueries({ queryKey: JSON.parse(key) as QueryKey });
    const timer = setInterval(read, POLL_EVERY);
    return () => clearInterval(timer);
  }, [key, isActive]);
}
