import { queries, sessionQuery } from './client.js';

/** Milliseconds before a stream is asked for again that the server has refused. */
const AGAIN = 15_000;

interface EventHandlers {
  /** Called with the data of events, by their names. */
  readonly on: Readonly<Record<string, (data: never) => void>>;
  /** Called whenever the stream begins, also after it was lost. */
  readonly onOpen?: () => void;
}

/** Follows server-sent events until the function that it returns is called. */
export function followEvents(url: string, { on, onOpen }: EventHandlers): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connect = (): void => {
    source = new EventSource(url);
    if (onOpen) source.addEventListener('open', onOpen);
    for (const [name, take] of Object.entries(on))
      source.addEventListener(name, ({ data }: MessageEvent<string>) => take(JSON.parse(data) as never));
    source.addEventListener('error', () => {
      // The browser connects again by itself, unless the server refused: then the session may have ended.
      if (source?.readyState !== EventSource.CLOSED) return;
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      timer = setTimeout(connect, AGAIN);
    });
  };
  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
