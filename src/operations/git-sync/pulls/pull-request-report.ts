import type { RunResult } from '../../imports/imports.schema.js';
import type { ForgeStatus } from '../forges/forge.js';

export interface ChangedPage {
  readonly title: string;
  /** The address of the page in the change request. */
  readonly url: string;
}

/** How a pull request is, as documentation. */
export interface PullReport {
  /** The change request. */
  readonly url: string;
  readonly isMerged: boolean;
  readonly pages: readonly ChangedPage[];
  /** Changes that are not among the pages. */
  readonly more: number;
  /** Links that it has broken. */
  readonly broken: number;
  readonly problems: RunResult['problems'];
  /** Why nothing of it can be shown. */
  readonly failure: string | null;
}

const MAX_DESCRIPTION = 140;
const LISTED = 50;
const MAX_LINE = 200;

export function statusOf({ url, broken, problems, failure, pages }: PullReport): ForgeStatus {
  const errors = problems.filter(({ level }) => level === 'error').length;
  if (failure !== null) return { state: 'failure', description: failure.slice(0, MAX_DESCRIPTION), url };
  const faults = [
    ...(broken > 0 ? [counted(broken, 'broken link')] : []),
    ...(errors > 0 ? [counted(errors, 'error')] : []),
  ];
  if (faults.length > 0) return { state: 'failure', description: faults.join(', '), url };
  return { state: 'success', description: `${counted(pages.length, 'page')} changed, no broken links`, url };
}

/** The comment of a pull request, as Markdown. The marker tells it from those of others. */
export function commentText(report: PullReport, marker: string): string {
  const { url, isMerged, pages, more, problems, failure } = report;
  const { description } = statusOf(report);
  const lines = problems
    .slice(0, LISTED)
    .map(({ file, line, level, message }) => `- ${level}: \`${inCode(file)}\`, line ${line}: ${inText(message)}`);
  const listed = pages.slice(0, LISTED).map((page) => `- [${inText(page.title)}](${page.url})`);
  const left = pages.length - listed.length + more;
  return [
    marker,
    isMerged
      ? `The documentation has these changes: they were merged with [the change request](${url}).`
      : `**Documentation:** ${inText(description)}. [See the change request](${url})`,
    ...(failure === null && listed.length > 0
      ? [[...listed, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n')]
      : []),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
  ].join('\n\n');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A text that is neither markup nor a mention of anybody. */
function inText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .slice(0, MAX_LINE)
    .replace(/[\\`*_[\]<>#|~!&]/g, '\\$&')
    .replace(/@/g, '@\u200B');
}

function inCode(text: string): string {
  return text.replace(/[\s`]+/g, ' ').slice(0, MAX_LINE);
}
