import { Modal } from '@mantine/core';
import { texts } from '../texts/en.js';
import { KeyTable } from '../ui/tables.js';

/** The shortcuts of the workspace. */
export function KeyboardHelp({ onClose }: Readonly<{ onClose: () => void }>) {
  return (
    <Modal opened onClose={onClose} title={texts.people.keyboard.title} size="lg">
      <KeyTable keys={texts.people.keyboard.shortcuts} />
    </Modal>
  );
}
