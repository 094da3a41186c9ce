import { Anchor, type AnchorProps } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode, Ref } from 'react';

/** The path of an address below the workspace, as the history has it; undefined for other addresses. */
export function workspacePath(url: string): string | undefined {
  const base = new URL(document.baseURI);
  const address = new URL(url, base);
  const isBelow = address.origin === base.origin && address.pathname.startsWith(base.pathname.replace(/\/$/, ''));
  return isBelow ? `${address.pathname}${address.search}${address.hash}` : undefined;
}

type Keys = Readonly<Record<'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey', boolean>>;

/** Tells whether a click opens a link here, and not in another tab or window. */
export function isPlainClick({
  button,
  metaKey,
  ctrlKey,
  shiftKey,
  altKey,
}: Keys & { readonly button: number }): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
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
