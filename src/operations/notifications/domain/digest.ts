import { quoted, requestName, title } from './letter-texts.js';

interface Addressed {
  /** The address of its place in the workspace. */
  readonly address: string;
}

/** A space in a digest; the texts come from people. */
export interface DigestedSpace extends Addressed {
  readonly title: string;
  readonly merged: readonly (Addressed & {
    readonly number: number;
    readonly subject: string;
    readonly actor: string | undefined;
  })[];
  /** Merged change requests, and changed pages, that have no room. */
  readonly mergedLeft: number;
  readonly pages: readonly (Addressed & { readonly title: string })[];
  readonly pagesLeft: number;
  /** False where more pages changed than were counted. */
  readonly countsAllPages: boolean;
}

/** The changes in the spaces of a person since a time. */
export interface Digest {
  readonly since: Date;
  readonly spaces: readonly DigestedSpace[];
  /** Spaces that have no room. */
  readonly left: number;
}

/** The digest as the subject of its letter. */
export function digestSubject({ spaces, left }: Digest): string {
  const [first] = spaces;
  return first && spaces.length + left === 1
    ? `Changes in ${quoted(first.title)}`
    : `Changes in ${spaces.length + left} spaces`;
}

/** The lines of the digest in a letter: whatever people have written stands in one of them. */
export function digestLines({ since, spaces, left }: Digest): string[] {
  return [
    `Changes since ${since.toISOString().slice(0, 10)} in the spaces that you take part in`,
    '',
    ...spaces.flatMap(spaceLines),
    ...(left > 0 ? [`${left} more ${left === 1 ? 'space' : 'spaces'}`, ''] : []),
  ];
}

function spaceLines(space: DigestedSpace): string[] {
  const { merged, mergedLeft, pages, pagesLeft, countsAllPages } = space;
  return [
    `## ${title(space.title)}`,
    space.address,
    '',
    ...(merged.length > 0 ? ['Merged:'] : []),
    ...merged.flatMap(({ address, actor, ...request }) => [
      `- ${requestName(request)}${actor === undefined ? '' : ` by ${title(actor)}`}`,
      `  ${address}`,
    ]),
    ...(mergedLeft > 0 ? [`- ${mergedLeft} more`] : []),
    ...(pages.length > 0 ? ['Changed pages:'] : []),
    ...pages.flatMap((page) => [`- ${title(page.title)}`, `  ${page.address}`]),
    ...(pagesLeft > 0 ? [`- ${countsAllPages ? '' : 'at least '}${pagesLeft} more`] : []),
    '',
  ];
}
