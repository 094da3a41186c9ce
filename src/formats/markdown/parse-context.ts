import type { Definition, FootnoteDefinition } from 'mdast';
import type { ContentRef } from '../document/types.js';
import { addressReference } from '../document/link-target.js';

/** What a target stands for: a link, an image, a file block, an included text or an API description. */
export type TargetKind = 'link' | 'image' | 'file' | 'include' | 'openapi';

/**
 * Finds what a target in the source means. `undefined`: nothing known, the target stays an address;
 * `null`: the link is to be dropped and only its text kept. `line` is where the target stands, from 1.
 */
export type ResolveTarget = (target: string, kind: TargetKind, line: number) => ContentRef | undefined | null;

/** Something in a source that could not be taken over as it stands. `line` counts from 1. */
export interface MarkdownProblem {
  line: number;
  message: string;
}

/** What the parts of the reader share while one source is read. */
export interface ParseContext {
  readonly source: string;
  readonly resolve: (target: string, kind: TargetKind) => ContentRef | undefined | null;
  readonly problems: MarkdownProblem[];
  readonly definitions: Map<string, Definition>;
  readonly footnotes: Map<string, FootnoteDefinition>;
  /** Identifiers that something refers to. */
  readonly referenced: ReadonlySet<string>;
  /** Footnotes whose text is being read, so that none contains itself. */
  readonly openFootnotes: Set<FootnoteDefinition>;
  /** Characters of footnotes that may still be read, those that are called several times each time. */
  footnoteCharacters: number;
  /** Lines before the first line of `source`. */
  readonly line: number;
  depth: number;
  /** Line of the block that is being read. */
  at: number;
}

export function report(reading: ParseContext, line: number, message: string): void {
  reading.problems.push({ line: line + reading.line, message });
}

/** The reference that a target stands for; what is not found stays an address as it was written. */
export function referenceOf(reading: ParseContext, target: string, kind: TargetKind): ContentRef {
  return reading.resolve(target, kind) ?? addressReference(target);
}

/** As `referenceOf`, for places where only a file or an address may stand. */
export function fileOrUrl(
  reading: ParseContext,
  target: string,
  kind: TargetKind = 'image',
): Extract<ContentRef, { kind: 'file' | 'url' }> {
  const ref = reading.resolve(target, kind);
  return ref?.kind === 'file' || ref?.kind === 'url' ? ref : addressReference(target, kind === 'image');
}
