import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';

interface ConfirmDialogProps {
  readonly title: string;
  readonly text: string;
  /** The name of the action, on the button. */
  readonly action: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something is done that cannot be taken back. Shown while it is rendered. */
export function ConfirmDialog({ title, text, action, onConfirm, onClose }: ConfirmDialogProps): ReactNode {
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack>
        <Text>{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button color="red" loading={confirm.isPending} onClick={() => confirm.mutate()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
