/** A change request that a commit brings, or the message of a revision that was none. */
export interface CommittedChange {
  readonly number?: number;
  readonly subject?: string;
  readonly address?: string;
  readonly author?: { readonly name: string; readonly email: string };
}

export interface CommitText {
  readonly template: string | null;
  /** The title of the space. */
  readonly space: string;
  /** The changes since the last commit, the oldest first. */
  readonly changes: readonly CommittedChange[];
  readonly revision: string;
  /** The author of the commit, who is no co-author. */
  readonly author: string | undefined;
}

const MAX_LINE = 200;
const LISTED = 50;

/**
 * The message of a commit: a first line by the template, the change requests where there are several, and trailers as
 * `git interpret-trailers` reads them.
 */
export function commitMessage({ template, space, changes, revision, author }: CommitText): string {
  const requests = changes.filter(({ number }) => number !== undefined);
  const [last] = requests.slice(-1);
  const subject = oneLine(last?.subject ?? '') || `Edit ${oneLine(space)}`;
  const first =
    template === null || template === ''
      ? last
        ? `${subject} (#${last.number})`
        : subject
      : template
          .replaceAll('{change_request_number}', String(last?.number ?? ''))
          .replaceAll('{change_request_subject}', () => subject)
          .replaceAll('{space}', () => oneLine(space));
  const listed =
    requests.length > 1
      ? requests.slice(-LISTED).map(({ number, subject: each = '' }) => `* #${number} ${oneLine(each)}`.trim())
      : [];
  const authors = new Map(
    changes.flatMap(({ author: each }) =>
      each === undefined || each.email === author ? [] : [[each.email, `${oneLine(each.name)} <${each.email}>`]],
    ),
  );
  const trailers = [
    ...requests.slice(-LISTED).flatMap(({ address }) => (address === undefined ? [] : [`Change-Request: ${address}`])),
    `Revision: ${revision}`,
    ...[...authors.values()].slice(0, LISTED).map((each) => `Co-authored-by: ${each}`),
  ];
  return [oneLine(first), ...(listed.length > 0 ? [listed.join('\n')] : []), trailers.join('\n')].join('\n\n');
}

/** A text without line ends, so that it cannot end the line or the paragraph that it stands in. */
function oneLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}<>]+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE);
}
