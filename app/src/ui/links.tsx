import { Anchor, Button, Menu, type AnchorProps, type ButtonProps, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

type OfLink<Props> = Props & Omit<ComponentProps<'a'>, keyof Props>;

/** A link to a screen, by its route. */
export const TextLink = createLink((props: OfLink<AnchorProps>): ReactNode => <Anchor {...props} />);

/** A button that leads to a screen. */
export const ButtonLink = createLink((props: OfLink<ButtonProps>): ReactNode => <Button component="a" {...props} />);

/** An item of a menu that leads to a screen. */
export const MenuLink = createLink((props: OfLink<MenuItemProps>): ReactNode => <Menu.Item component="a" {...props} />);
