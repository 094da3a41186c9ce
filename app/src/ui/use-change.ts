import { useMutation, type QueryKey } from '@tanstack/react-query';
import { queries } from '../api/query-client.js';
import { showDone } from './toasts.js';

export interface Consequences<Output = unknown> {
  /** The beginning of the keys of what is read again. */
  readonly refresh?: QueryKey | undefined;
  /** The words that tell that it is done. */
  readonly done?: string | ((output: Output) => string) | undefined;
}

/** A change at the server, after which a toast tells of it; what shows it is read again, after a fault too. */
export function changing<Output, Input = void>(
  change: (input: Input) => Promise<Output>,
  { refresh, done }: Consequences<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    try {
      const output = await change(input);
      if (done !== undefined) showDone(typeof done === 'string' ? done : done(output));
      return output;
    } finally {
      if (refresh) await queries.invalidateQueries({ queryKey: refresh });
    }
  };
}

/** The same as a mutation, which tells of faults too. */
export function useChange<Output, Input = void>(
  change: (input: Input) => Promise<Output>,
  consequences: Consequences<Output> = {},
) {
  return useMutation({ mutationFn: changing(change, consequences) });
}
