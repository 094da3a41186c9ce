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
import { createLink, useRouter } from '@tanstack/react-router';
import type { ComponentProps, ComponentType, ReactNode, MouseEvent, Ref } from 'react';
import IconMore from '~icons/fa7-solid/ellipsis';
import { texts } from '../texts/en.js';

/** The properties of an element that is named by its label. */
type Labelled<Props, Tag extends 'a' | 'button'> = Props &
  Omit<ComponentProps<Tag>, keyof Props | 'children'> &
  Readonly<{ label: ReactNode }>;
type LinkProps = Labelled<ButtonProps, 'a'>;

/** A mutation that a button begins when it is pressed, and waits for. */
type Run = Readonly<{ isPending: boolean; mutate: () => void }>;
type LabelledButton = Labelled<ButtonProps, 'button'> & Readonly<{ run?: Run }>;

/** A button by its label, the main one of its screen unless `variant` says less. */
export function Button({ label, run, ...props }: LabelledButton) {
  const running = run && { loading: run.isPending, onClick: () => run.mutate() };
  return (
    <MantineButton {...running} {...props}>
      {label}
    </MantineButton>
  );
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

/** A button that looks like a link. */
export function LinkButton({ label, ...props }: Labelled<AnchorProps, 'button'>) {
  return (
    <Anchor component="button" {...props}>
      {label}
    </Anchor>
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
      <Icon width={14} />
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
      <CopyAction label={texts.people.copy} value={value} variant="filled" size="sm" />
    </Group>
  );
}

/** A button that copies a text. */
export function CopyAction({ label, value, ...props }: CopyActionProps) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <SecondaryButton
          size="xs"
          {...props}
          label={copied ? texts.people.copied : label}
          onClick={copy}
          aria-live="polite"
        />
      )}
    </CopyButton>
  );
}

type CopyActionProps = ComponentProps<typeof SecondaryButton> & Readonly<{ label: string; value: string }>;

/** The path of an address below the workspace, as the history has it; undefined for other addresses. */
export function workspacePath(url: string): string | undefined {
  const base = new URL(document.baseURI);
  try {
    const address = new URL(url, base);
    const isBelow = `${address.pathname}/`.startsWith(`${base.pathname.replace(/\/$/, '')}/`);
    return address.origin === base.origin && isBelow
      ? `${address.pathname}${address.search}${address.hash}`
      : undefined;
  } catch {
    // People may write addresses that no browser can read.
    return undefined;
  }
}

type Click = Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>;

/** Tells whether a click opens a link here, and not in another tab or window. */
export function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: Click): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}

/** Goes to an address of the workspace that the interface gave. */
export function useFollow(): (url: string) => void {
  const router = useRouter();
  return (url) => router.history.push(workspacePath(url) ?? '/');
}

interface AppLinkProps extends AnchorProps {
  /** An address as the interface gives it in `urls.app`. */
  readonly url: string;
  readonly children: ReactNode;
  readonly onFollow?: () => void;
  readonly ref?: Ref<HTMLAnchorElement>;
}

/** A link to an address of the workspace, which is followed without a reload. */
export function AppLink({ url, children, onFollow, ...props }: AppLinkProps) {
  const router = useRouter();
  const follow = (event: MouseEvent): void => {
    onFollow?.();
    const path = workspacePath(url);
    if (path === undefined || !isPlainClick(event)) return;
    event.preventDefault();
    router.history.push(path);
  };
  return (
    <Anchor {...props} href={url} onClick={follow}>
      {children}
    </Anchor>
  );
}
