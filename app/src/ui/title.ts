import { useEffect } from 'react';

const NAME = 'Bindery';

/** Names the screen in the title of the browser's tab, and among the recent things. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined ? NAME : `${title} · ${NAME}`;
  }, [title]);
}

/** The name that a screen gave itself, if it did. */
export function shownTitle(): string | undefined {
  const { title } = document;
  return title.endsWith(` · ${NAME}`) ? title.slice(0, -NAME.length - 3) : undefined;
}

/** Takes the name of the screen before from the title. */
export function resetTitle(): void {
  document.title = NAME;
}
