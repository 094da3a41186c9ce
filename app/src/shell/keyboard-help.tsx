import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { KeyTable } from '../ui/key-table.js';

/** The shortcuts of the workspace. */
export function KeyboardHelp({ onClose }: Readonly<{ onClose: () => void }>): ReactNode {
  return (
    <Modal opened onClose={onClose} title={texts.people.keyboard.title} size="lg">
      <KeyTable keys={texts.people.keyboard.shortcuts} />
    </Modal>
  );
}
