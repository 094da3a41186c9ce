import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import IconAdd from '~icons/fa7-solid/plus';
import { texts } from '../../texts/en.js';
import { TextField } from '../../ui/fields.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { ROOT } from '../../ui/tree/forest.js';
import type { Page } from '../queries.js';
import { openMade, type TreeActions } from './use-tree-actions.js';

const words = texts.writing.tree;

type AddMenuProps = Readonly<{ actions: TreeActions; onOpen: (page: Page) => void }>;

/** Adds a page, a group or a link at the top of a tree. */
export function AddMenu({ actions, onOpen }: AddMenuProps): ReactNode {
  const [isLink, { open, close }] = useDisclosure();
  const add = (type: 'document' | 'group', title: string): void =>
    void openMade(actions.add(ROOT, { type, title }), onOpen);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button flex="none" size="compact-sm" variant="light" leftSection={<IconAdd width={12} aria-hidden="true" />}>
            {words.add}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => add('document', words.newPage)}>{words.addPage}</Menu.Item>
          <Menu.Item onClick={() => add('group', words.newGroup)}>{words.addGroup}</Menu.Item>
          <Menu.Item onClick={open}>{words.addLink}</Menu.Item>
          <Menu.Label>{words.hint}</Menu.Label>
        </Menu.Dropdown>
      </Menu>
      <NewLink opened={isLink} onClose={close} actions={actions} />
    </>
  );
}

type NewLinkProps = Readonly<{ opened: boolean; onClose: () => void; actions: TreeActions }>;

/** Asks for the title and the address of a link that stands among the pages. */
function NewLink({ opened, onClose, actions }: NewLinkProps): ReactNode {
  const [title, setTitle] = useState('');
  const [address, setAddress] = useState('https://');
  const isAddress = /^https?:\/\/[^\s]+$/.test(address);
  const name = texts.writing.diff.attributes['title'];
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={words.addLink}
      action={words.addLink}
      disabled={!isAddress || title === ''}
      onSubmit={() => actions.add(ROOT, { type: 'link', title, address })}
    >
      <TextField data-autofocus required maxLength={250} label={name} value={title} onText={setTitle} />
      <TextField
        required
        type="url"
        label={texts.writing.files.address}
        value={address}
        error={address !== 'https://' && !isAddress && words.addressFault}
        onText={setAddress}
      />
    </FormDialog>
  );
}
