import { TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { ROOT } from './tree-data.js';
import type { TreeActions } from './use-tree-actions.js';

const words = texts.writing.tree;

type NewLinkProps = Readonly<{ opened: boolean; onClose: () => void; actions: TreeActions }>;

/** Asks for the title and the address of a link that stands among the pages. */
export function NewLink({ opened, onClose, actions }: NewLinkProps): ReactNode {
  const [title, setTitle] = useState('');
  const [address, setAddress] = useState('https://');
  const isAddress = /^https?:\/\/[^\s]+$/.test(address);
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={words.addLink}
      action={words.addLink}
      disabled={!isAddress || title === ''}
      onSubmit={() => actions.add(ROOT, { type: 'link', title, address })}
    >
      <TextInput
        data-autofocus
        required
        maxLength={250}
        label={texts.writing.diff.attributes['title']}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <TextInput
        required
        type="url"
        label={texts.writing.files.address}
        value={address}
        error={address === 'https://' || isAddress ? undefined : words.addressFault}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
