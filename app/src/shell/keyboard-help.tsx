import { Kbd, Modal, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';

/** The shortcuts of the workspace. */
export function KeyboardHelp({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = texts.people.keyboard;
  return (
    <Modal opened onClose={onClose} title={words.title} size="lg">
      <Table>
        <Table.Tbody>
          {words.shortcuts.map(([keys, meaning]) => (
            <Table.Tr key={meaning}>
              <Table.Td w={180}>
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
