import type { ReactNode } from 'react';
import { FormDialog } from './form-dialog.js';

interface ConfirmDialogProps {
  readonly title: string;
  readonly text: string;
  /** The name of the action, on the button. */
  readonly action: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something is done that cannot be taken back. Shown while it is rendered. */
export function ConfirmDialog({ onConfirm, ...props }: ConfirmDialogProps): ReactNode {
  return <FormDialog {...props} color="red" onSubmit={onConfirm} />;
}
