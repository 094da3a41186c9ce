import { requestText } from './connection.js';
import type { LoadGenerator } from './load.js';
import { middle } from './measure.js';
import { pause } from './processes.js';
import { UNCACHED_TREE } from './reads.js';
import { editPages, merge } from './spaces.js';
import { MERGE_OTHER, MERGE_SAME, movedRequest, type WriteScene } from './writes.js';

/** The time that another request to the same server waits while one operation runs. */
export interface Held {
  readonly operation: string;
  readonly times: number;
  /** The longest wait of a window: the median of all windows, and the longest of all. */
  readonly medianMs: number;
  readonly longestMs: number;
}

const TIMES = 10;
/** Milliseconds of a window, in which the operation runs once. */
const WINDOW = 800;
/** Milliseconds of a window before the operation begins. */
const LEAD = 100;

interface Operation {
  readonly operation: string;
  readonly prepare: (turn: number) => Promise<unknown>;
  readonly act: (prepared: unknown) => Promise<unknown>;
}

function operationsOf(scene: WriteScene): Operation[] {
  const { api, subject, source } = scene;
  const merges = (operation: string, from: number, same: boolean): Operation => ({
    operation,
    prepare: (turn) => movedRequest(scene, from + turn, same),
    act: (id) => merge(api, subject, String(id)),
  });
  return [
    { operation: 'nothing', prepare: async () => undefined, act: async () => undefined },
    {
      operation: UNCACHED_TREE,
      prepare: (turn) => editPages(api, subject, source, subject.leaves.slice(-1), `held${turn}`),
      act: () => api.bytes('GET', `/v1/spaces/${subject.spaceId}/content/pages`),
    },
    merges(MERGE_OTHER, 300, false),
    merges(MERGE_SAME, 400, true),
  ];
}

/** Asks the server for its liveness without a pause, from another process, while each operation runs once in a window. */
export async function measureHeld(scene: WriteScene, port: number, load: LoadGenerator): Promise<Held[]> {
  const watch = {
    port,
    connections: 1,
    milliseconds: WINDOW,
    lanes: [[requestText('GET', '/healthz', '')]],
    expect: [200],
  };
  const held: Held[] = [];
  for (const { operation, prepare, act } of operationsOf(scene)) {
    const longest: number[] = [];
    for (let turn = 0; turn < Math.max(3, TIMES * scene.share); turn++) {
      const prepared = await prepare(turn);
      // The background work of a write is not part of the operation.
      await pause(WINDOW);
      const watching = load.run(watch);
      await pause(LEAD);
      await act(prepared);
      const { maxMs, failures } = await watching;
      if (Object.keys(failures).length > 0) throw new Error(`the server was not alive: ${JSON.stringify(failures)}`);
      longest.push(maxMs);
    }
    held.push({ operation, times: longest.length, medianMs: middle(longest), longestMs: Math.max(...longest) });
  }
  return held;
}
