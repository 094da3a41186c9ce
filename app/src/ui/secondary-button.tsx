import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';

type SecondaryButtonProps = ButtonProps & Readonly<{ label: string; onClick: () => void }>;

/** A button of less weight than the main one of its screen. */
export function SecondaryButton({ label, ...props }: SecondaryButtonProps): ReactNode {
  return (
    <Button variant="default" {...props}>
      {label}
    </Button>
  );
}
