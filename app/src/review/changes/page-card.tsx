import { Badge, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { RequestAddress } from '../../api/queries.js';
import { texts } from '../../texts/en.js';
import type { ChangedPage } from './changed-things.js';
import { PageChanges, type PageChangesProps } from './page-changes.js';

const words = texts.review.changes;
/** Differences are read before they come into sight. */
const NEAR = '600px';

interface PageCardProps extends Omit<PageChangesProps, 'pageId'> {
  readonly path: RequestAddress & Readonly<{ organizationId: string }>;
  readonly page: ChangedPage;
  readonly isCurrent: boolean;
  readonly onViewed: (page: ChangedPage, viewed: boolean) => void;
  readonly onCurrent: (pageId: string) => void;
}

/** The element of a changed page on the screen. */
export const cardId = (pageId: string): string => `page-${pageId}`;

/** A changed page: its mark, and its differences once they come near. There may be hundreds of these on a screen. */
export const PageCard = memo(function PageCard(props: PageCardProps): ReactNode {
  const { page, isCurrent, onViewed, onCurrent, path, commented, focus, comments } = props;
  const card = useRef<HTMLElement>(null);
  const isNear = useNear(card);
  const [isOpened, setIsOpened] = useState(false);
  const isAsked = commented !== undefined || comments.some(({ id }) => id === focus);
  const isOpen = !page.viewed || isOpened || isAsked;
  const title = `${cardId(page.id)}-title`;
  return (
    <section
      ref={card}
      id={cardId(page.id)}
      className="page-card"
      aria-labelledby={title}
      tabIndex={-1}
      data-current={isCurrent}
      onFocusCapture={() => onCurrent(page.id)}
    >
      <header className="page-card-head">
        <h2 id={title}>
          {page.types.includes('page_deleted') ? (
            page.title
          ) : (
            <Link
              to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/pages/$pageId"
              params={{ ...path, pageId: page.id }}
              preload={false}
            >
              {page.title}
            </Link>
          )}
        </h2>
        <span className="page-card-path">{page.path}</span>
        {page.viewed && (
          <button type="button" aria-expanded={isOpen} onClick={() => setIsOpened(!isOpen)}>
            {isOpen ? words.hide : words.show}
          </button>
        )}
        <label>
          <input
            type="checkbox"
            checked={page.viewed}
            onChange={({ currentTarget }) => {
              setIsOpened(false);
              onViewed(page, currentTarget.checked);
            }}
          />
          {words.viewed}
        </label>
      </header>
      {isOpen && (
        <div className="page-card-body">
          {page.types.length > 1 && (
            <Group gap={6} mb="xs">
              {page.types.map((type) => (
                <Badge key={type} variant="light" size="sm">
                  {texts.writing.history.kinds[type] ?? type}
                </Badge>
              ))}
            </Group>
          )}
          {isNear || isAsked ? <PageChanges {...props} pageId={page.id} /> : <div className="page-card-rest" />}
        </div>
      )}
    </section>
  );
});

/** Whether an element has come near the part of the screen that is in sight. */
function useNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setIsNear(true);
        observer.disconnect();
      },
      { rootMargin: NEAR },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
