import { Progress, Text } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import type { ChangedThings } from './changed-things.js';

const words = texts.review.changes;
const SIGNS: Readonly<Record<string, string>> = {
  page_created: '+',
  page_deleted: '−',
  page_moved: '→',
  page_edited: '±',
};

/** Everything that a change request changes, as a list that leads there, and how much of it has been viewed. */
export const ChangeNav = memo(function ChangeNav({
  changes,
  current,
  onOpen,
}: Readonly<{ changes: ChangedThings; current: string | undefined; onOpen: (pageId: string) => void }>): ReactNode {
  const { pages, others } = changes;
  const viewed = pages.filter((page) => page.viewed).length;
  return (
    <nav className="change-nav" aria-label={words.list}>
      <Text size="sm" role="status">
        {words.progress(viewed, pages.length)}
      </Text>
      <Progress value={pages.length === 0 ? 100 : (viewed / pages.length) * 100} aria-label={words.progressLabel} />
      <ol>
        {pages.map(({ id, title, types, viewed: isViewed }) => (
          <li key={id}>
            <button type="button" aria-current={id === current ? 'true' : undefined} onClick={() => onOpen(id)}>
              <span aria-hidden="true">{isViewed ? '✓' : (SIGNS[types[0] ?? ''] ?? '±')}</span>
              <span>{title}</span>
              <span className="visually-hidden">
                {types.map((type) => `, ${texts.writing.history.kinds[type] ?? type}`)}
                {isViewed && `, ${words.viewed}`}
              </span>
            </button>
          </li>
        ))}
        {others.length > 0 && (
          <li>
            <a href={`${window.location.pathname}${window.location.search}#other-changes`}>
              {words.others(others.length)}
            </a>
          </li>
        )}
      </ol>
    </nav>
  );
});
