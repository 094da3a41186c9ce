import { Button, type ButtonProps } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { FormDialog } from './form-dialog.js';
import { changing, useChange, type Consequences } from './use-change.js';

interface ActionButtonProps extends ButtonProps, Consequences {
  readonly action: () => Promise<unknown>;
  /** Asks before what cannot be taken back. */
  readonly confirm?: { readonly title: string; readonly text: string; readonly action: string };
  readonly 'aria-label'?: string;
  readonly autoFocus?: boolean;
}

/** A button that changes something at the server, and waits for the answer. */
export function ActionButton({ action, confirm, refresh, done, ...props }: ActionButtonProps): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const change = useChange(action, { refresh, done });
  const onClick = (): void => (confirm ? setAsking(true) : change.mutate());
  return (
    <>
      <Button variant="default" {...props} loading={change.isPending} onClick={onClick} />
      {confirm && isAsking && (
        <FormDialog
          {...confirm}
          color="red"
          onSubmit={changing(action, { refresh, done })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
