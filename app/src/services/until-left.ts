import { useEffect, useRef } from 'react';

/**
 * Does work until the dialog of it is closed or its screen is left: that aborts the signal. A fault after that is
 * nobody's concern.
 */
export function useUntilLeft(): (work: (signal: AbortSignal) => Promise<void>) => Promise<void> {
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  return async (work) => {
    const { signal } = (running.current = new AbortController());
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
}
