import { Button, Group, Modal, Stack, Text, type ModalProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';

interface FormDialogProps extends Pick<ModalProps, 'title' | 'size'> {
  readonly opened?: boolean;
  readonly text?: string | undefined;
  /** The name of the action, on the button. */
  readonly action: string;
  readonly color?: string;
  readonly disabled?: boolean;
  /** The dialog is closed when it has succeeded. */
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A dialog with fields and one action; without fields it asks before the action. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { opened = true, title, size = 'md', text, action, color, disabled = false, onSubmit, onClose } = props;
  const submit = useMutation({ mutationFn: onSubmit, onSuccess: onClose });
  const isDangerous = color === 'red';
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={size}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit.mutate();
        }}
      >
        <Stack gap="sm">
          {text !== undefined && <Text size="sm">{text}</Text>}
          {props.children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus={isDangerous || undefined}>
              {texts.common.cancel}
            </Button>
            <Button
              type="submit"
              color={color}
              loading={submit.isPending}
              disabled={disabled}
              data-autofocus={(!isDangerous && props.children === undefined) || undefined}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
