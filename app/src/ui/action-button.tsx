import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';

type ActionButtonProps = ButtonProps & Readonly<{ label: string; onClick: () => void }>;

/** A button of less weight than the main one of its screen. */
export function ActionButton({ label, ...props }: ActionButtonProps): ReactNode {
  return (
    <Button variant="default" {...props}>
      {label}
    </Button>
  );
}
