import type { ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import './diff-lines.css';

/** A line of a comparison of two texts, with its numbers in them. */
export interface DiffLine {
  readonly kind: 'unchanged' | 'inserted' | 'deleted' | 'hunk';
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

const SIGNS = { unchanged: ' ', inserted: '+', deleted: '-', hunk: '' } as const;

/** Lines of two texts with their numbers; signs and colours say which of the texts has them. */
export function DiffLines({
  lines,
  label,
}: {
  readonly lines: readonly DiffLine[];
  readonly label: string;
}): ReactNode {
  return (
    <div className="diff-lines" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead className="diff-lines-head">
          <tr>
            <th scope="col">{texts.review.source.before}</th>
            <th scope="col">{texts.review.source.after}</th>
            <th scope="col">{texts.review.source.text}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ kind, text, before, after }, index) => (
            <tr key={index} data-kind={kind}>
              <td className="diff-lines-number">{before}</td>
              <td className="diff-lines-number">{after}</td>
              <td>
                <code>{`${SIGNS[kind]} ${text}`}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The lines of a comparison in the unified format. */
export function unifiedLines(unified: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let [before, after] = [0, 0];
  for (const line of unified.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      lines.push({ kind: 'hunk', text: line });
    } else if (lines.length > 0) {
      const text = line.slice(1);
      if (line.startsWith('+')) lines.push({ kind: 'inserted', text, after: after++ });
      else if (line.startsWith('-')) lines.push({ kind: 'deleted', text, before: before++ });
      else if (!line.startsWith('\\')) lines.push({ kind: 'unchanged', text, before: before++, after: after++ });
    }
  }
  return lines;
}
