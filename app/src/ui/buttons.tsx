import {
  ActionIcon,
  CopyButton,
  Group,
  TextInput,
  Anchor,
  type ActionIconProps,
  type AnchorProps,
  type ButtonProps,
  Button as MantineButton,
  Menu,
  type MenuItemProps,
  type MenuProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ComponentType, ReactNode } from 'react';
import IconMore from '~icons/fa7-solid/ellipsis';
import { texts } from '../texts/en.js';

/** The properties of an element that is named by its label. */
type Labelled<Props, Tag extends 'a' | 'button'> = Props &
  Omit<ComponentProps<Tag>, keyof Props | 'children'> &
  Readonly<{ label: ReactNode }>;
type LinkProps = Labelled<ButtonProps, 'a'>;

/** A button by its label, the main one of its screen unless `variant` says less. */
export function Button({ label, ...props }: Labelled<ButtonProps, 'button'>) {
  return <MantineButton {...props}>{label}</MantineButton>;
}

/** A button of less weight than the main one of its screen. */
export function SecondaryButton(props: ComponentProps<typeof Button>) {
  return <Button variant="default" {...props} />;
}

/** A button with an address, such as one outside of the workspace. */
export function AddressButton({ label, ...props }: LinkProps) {
  return (
    <MantineButton component="a" variant="default" {...props}>
      {label}
    </MantineButton>
  );
}

/** A button that leads to a screen. */
export const ButtonLink = createLink(AddressButton);

/** A link to a screen, by its route. */
export const TextLink = createLink(({ label, ...props }: Labelled<AnchorProps, 'a'>) => (
  <Anchor {...props}>{label}</Anchor>
));

export function MenuItem({ label, ...props }: Labelled<MenuItemProps, 'button'>) {
  return <Menu.Item {...props}>{label}</Menu.Item>;
}

/** An item of a menu that leads to a screen. */
export const MenuLink = createLink(({ label, ...props }: Labelled<MenuItemProps, 'a'>) => (
  <Menu.Item component="a" {...props}>
    {label}
  </Menu.Item>
));

type DropMenuProps = MenuProps & Readonly<{ target: ReactNode }>;

/** A menu that its target opens. */
export function DropMenu({ target, children, ...props }: DropMenuProps) {
  return (
    <Menu position="bottom-end" {...props}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

type IconButtonProps = ActionIconProps &
  Omit<ComponentProps<'button'>, keyof ActionIconProps> &
  Readonly<{ label: string; Icon: ComponentType<{ width?: number; 'aria-hidden'?: true }> }>;

/** A button that shows an icon alone, and is named by its label. */
export function IconButton({ label, Icon, ...props }: IconButtonProps) {
  return (
    <ActionIcon aria-label={label} {...props}>
      <Icon width={14} aria-hidden />
    </ActionIcon>
  );
}

type ActionMenuProps = ActionIconProps & Readonly<{ label: string; children: ReactNode }>;

/** A button with three dots that opens a menu of actions. */
export function ActionMenu({ children, ...props }: ActionMenuProps) {
  return <DropMenu target={<IconButton Icon={IconMore} {...props} />}>{children}</DropMenu>;
}

/** A text that is there to be copied, such as a link or a token. */
export function CopyField({ label, value }: Readonly<{ label: string; value: string }>) {
  return (
    <Group align="flex-end" wrap="nowrap" gap="xs">
      <TextInput
        flex={1}
        miw={0}
        label={label}
        value={value}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button
            label={copied ? texts.people.copied : texts.people.copy}
            variant={copied ? 'light' : 'filled'}
            onClick={copy}
            aria-live="polite"
          />
        )}
      </CopyButton>
    </Group>
  );
}

/** A button that copies a text which is not shown. */
export function CopyAction({ label, value }: Readonly<{ label: string; value: string }>) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => <SecondaryButton label={copied ? texts.people.copied : label} size="xs" onClick={copy} />}
    </CopyButton>
  );
}
