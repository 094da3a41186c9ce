/** Milliseconds between two texts that are kept: each is copied as a whole. */
const KEEP_PAUSE = 250;

/**
 * Stores values with a pause between two of them; of those that come meanwhile, the last one only. A page that is hidden
 * may never be seen again: then each is stored at once, also before the one before it is.
 */
export function latestOnly<Value>(store: (value: Value) => Promise<void>): (value: Value) => void {
  let waiting: { readonly value: Value } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const storeNow = (): void => {
    clearTimeout(timer);
    timer = undefined;
    document.removeEventListener('visibilitychange', storeNow);
    window.removeEventListener('pagehide', storeNow);
    if (!waiting) return;
    const { value } = waiting;
    waiting = undefined;
    void store(value).catch(() => undefined);
    if (document.visibilityState === 'hidden') return;
    timer = setTimeout(storeNow, KEEP_PAUSE);
    document.addEventListener('visibilitychange', storeNow);
    window.addEventListener('pagehide', storeNow);
  };
  return (value) => {
    waiting = { value };
    if (timer === undefined) storeNow();
  };
}
