import { Code, ScrollArea, Table, VisuallyHidden } from '@mantine/core';
import { reviewTexts } from '../../texts/review.js';

/** A line of a comparison of two texts, with its numbers in them. */
interface DiffLine {
  readonly kind: keyof typeof COLORS;
  /** With its sign. */
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

const COLORS = {
  unchanged: undefined,
  inserted: '#2f9e441f',
  deleted: '#e031311f',
  hunk: 'var(--mantine-color-default-hover)',
} as const;

/** Lines of two texts with their numbers; signs and colours say which of the texts has them. */
export function DiffLines({ lines, label }: Readonly<{ lines: readonly DiffLine[]; label: string }>) {
  const { before: inBefore, after: inAfter, text: ofText } = reviewTexts.source;
  return (
    <ScrollArea w="100%" viewportProps={{ role: 'region', 'aria-label': label, tabIndex: 0 }}>
      <Table withTableBorder withRowBorders={false} verticalSpacing={0} horizontalSpacing={6}>
        <VisuallyHidden component="thead">
          <tr>
            <th scope="col">{inBefore}</th>
            <th scope="col">{inAfter}</th>
            <th scope="col">{ofText}</th>
          </tr>
        </VisuallyHidden>
        <Table.Tbody>
          {lines.map(({ kind, text, before, after }, index) => (
            <Table.Tr key={index} data-kind={kind} bg={COLORS[kind]}>
              <Table.Td w="1%">{before}</Table.Td>
              <Table.Td w="1%">{after}</Table.Td>
              <Table.Td>
                <Code className="source-text" bg="transparent">
                  {text}
                </Code>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

export function unifiedLines(unified: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let [before, after] = [0, 0];
  for (const line of unified.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    const text = `${line.slice(0, 1)} ${line.slice(1)}`;
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      lines.push({ kind: 'hunk', text: line });
    } else if (lines.length > 0) {
      if (line.startsWith('+')) lines.push({ kind: 'inserted', text, after: after++ });
      else if (line.startsWith('-')) lines.push({ kind: 'deleted', text, before: before++ });
      else if (!line.startsWith('\\')) lines.push({ kind: 'unchanged', text, before: before++, after: after++ });
    }
  }
  return lines;
}
