import { useMutation as useAnyMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
import { useCallback, useId } from 'react';
import { queries } from './client.js';

/**
 * A mutation that is not begun again with the same input while it runs: a button can be pressed twice before it is shown
 * as waiting. Inputs that are objects are the same if they are one object.
 */
export function useMutation<Output, Input = void, Before = unknown>(
  options: UseMutationOptions<Output, Error, Input, Before>,
): UseMutationResult<Output, Error, Input, Before> {
  const id = useId();
  const mutation = useAnyMutation({ ...options, mutationKey: [id] });
  const { mutate: begin } = mutation;
  const mutate = useCallback<typeof begin>(
    (...given) => {
      const isSame = ({ state }: Running): boolean => Object.is(state.variables, given[0]);
      if (queries.isMutating({ mutationKey: [id], predicate: isSame }) === 0) begin(...given);
    },
    [begin, id],
  );
  return { ...mutation, mutate };
}

type Running = Readonly<{ state: { readonly variables: unknown } }>;
