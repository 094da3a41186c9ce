import { ActionIcon, Menu, type ActionIconProps } from '@mantine/core';
import type { ReactNode } from 'react';
import IconMore from '~icons/fa7-solid/ellipsis';

type ActionMenuProps = ActionIconProps & Readonly<{ label: string; tabIndex?: number; children: ReactNode }>;

/** A button with three dots that opens a menu of actions. */
export function ActionMenu({ label, children, ...props }: ActionMenuProps): ReactNode {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={label} {...props}>
          <IconMore width={14} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
