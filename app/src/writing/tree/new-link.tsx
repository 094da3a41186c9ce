import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { ROOT } from './tree-data.js';
import type { TreeActions } from './use-tree-actions.js';

const words = texts.writing.tree;

/** Asks for the title and the address of a link that stands among the pages. */
export function NewLink({
  opened,
  onClose,
  actions,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly actions: TreeActions;
}): ReactNode {
  const [title, setTitle] = useState('');
  const [address, setAddress] = useState('https://');
  const isAddress = /^https?:\/\/[^\s]+$/.test(address);
  const add = (event: FormEvent): void => {
    event.preventDefault();
    void actions.add(ROOT, { type: 'link', title, address });
    onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={words.addLink}>
      <form onSubmit={add}>
        <Stack>
          <TextInput
            data-autofocus
            required
            maxLength={250}
            label={words.linkTitle}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <TextInput
            required
            type="url"
            label={words.linkAddress}
            value={address}
            error={address === 'https://' || isAddress ? undefined : words.addressFault}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <Button type="submit" disabled={!isAddress || title === ''}>
            {words.addLink}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
