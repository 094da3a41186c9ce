import type { Translation } from './queries.js';

type Instructions = Translation['instructions'];

interface Named {
  readonly object?: unknown;
  readonly type?: unknown;
  readonly nodes?: unknown;
  readonly leaves?: unknown;
  readonly text?: unknown;
  readonly marks?: unknown;
}

const listOf = (value: unknown): readonly Named[] => (Array.isArray(value) ? (value as Named[]) : []);

/** Instructions as lines of text; undefined where they have more than paragraphs of text without marks. */
export function plainInstructions(instructions: Instructions): string | undefined {
  const lines = listOf(instructions['nodes']).map(lineOf);
  return lines.includes(undefined) ? undefined : lines.join('\n');
}

function lineOf({ type, nodes }: Named): string | undefined {
  if (type !== 'paragraph') return undefined;
  // A node that is no text counts as a leaf without text.
  const leaves = listOf(nodes).flatMap(({ object, leaves: own }) => (object === 'text' ? listOf(own) : [{}]));
  const parts = leaves.map(({ text, marks }) =>
    typeof text === 'string' && listOf(marks).length === 0 ? text : undefined,
  );
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** Lines of text as the document that the interface takes. */
export function instructionsDocument(text: string): Instructions {
  const nodes = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: line, marks: [] }] }],
    }));
  return { object: 'document', data: {}, nodes };
}
