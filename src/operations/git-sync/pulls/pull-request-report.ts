import type { RunResult } from '../../imports/imports.schema.js';
import type { ForgeStatus } from '../forges/forge.js';

export interface ChangedPage {
  readonly title: string;
  /** The address of the page in the change request. */
  readonly url: string;
}

/** How a pull request is in a space. */
export interface SpaceReport {
  /** The title of the space. */
  readonly title: string;
  /** The change request, or the space until there is one. */
  readonly url: string;
  /** `reading` until its last commit is in the change request; `closed` for one that people have archived. */
  readonly state: 'reading' | 'open' | 'closed' | 'merged';
  readonly pages: readonly ChangedPage[];
  /** Changes that are not among the pages. */
  readonly more: number;
  /** Links that it has broken. */
  readonly broken: number;
  readonly problems: RunResult['problems'];
  /** Why nothing of it can be shown. */
  readonly failure: string | null;
}

/** How a pull request is, as documentation. */
export interface PullReport {
  readonly spaces: readonly SpaceReport[];
  /** The site that all of them belong to; undefined for a space that is connected alone. */
  readonly site: SiteReport | undefined;
}

/** How a pull request is in the file of a site. */
interface SiteReport {
  readonly url: string;
  readonly isChanged: boolean;
  readonly problems: RunResult['problems'];
}

type Verdict = Pick<ForgeStatus, 'state' | 'description'>;

const MAX_DESCRIPTION = 140;
/** Pages and problems of a comment, and spaces. */
const LISTED = 50;
const MAX_LINE = 200;
/** The worst one first. */
const STATES = ['failure', 'pending', 'success'] as const;

export function statusOf({ spaces, site }: PullReport): ForgeStatus {
  const [space, ...others] = spaces;
  const { state, description } = site || !space ? verdictOfSite(spaces, site) : verdictOf(space);
  const url = space && others.length === 0 ? space.url : (site?.url ?? '');
  return { state, description: description.slice(0, MAX_DESCRIPTION), url };
}

/** The comment of a pull request, as Markdown. The marker tells it from those of others. */
export function commentText(report: PullReport, marker: string): string {
  const { spaces, site } = report;
  const [space] = spaces;
  if (!site && space) return [marker, ...spaceLines(space, LISTED)].join('\n\n');
  const listed = Math.max(1, Math.floor(LISTED / spaces.length));
  const left = spaces.length - LISTED;
  return [
    marker,
    `**Documentation:** ${inText(statusOf(report).description)}.`,
    ...spaces
      .slice(0, LISTED)
      .flatMap((each) => [`### [${inText(each.title)}](${each.url})`, ...spaceLines(each, listed)]),
    ...(left > 0 ? [`And ${counted(left, 'more space')}.`] : []),
    ...(site?.isChanged ? ['The file of the site changes: its structure follows when this is merged.'] : []),
    ...problemLines(site?.problems ?? [], LISTED),
  ].join('\n\n');
}

function verdictOf({ state, broken, problems, failure, pages }: SpaceReport): Verdict {
  if (failure !== null) return { state: 'failure', description: failure };
  if (state === 'reading') return { state: 'pending', description: 'being read' };
  if (state === 'closed') return { state: 'success', description: 'its change request was closed' };
  const faults = [...(broken > 0 ? [counted(broken, 'broken link')] : []), ...errorsOf(problems)];
  if (faults.length > 0) return { state: 'failure', description: faults.join(', ') };
  return { state: 'success', description: `${counted(pages.length, 'page')} changed, no broken links` };
}

/** The worst verdict of some spaces, with those that it holds for. */
function verdictOfSite(spaces: readonly SpaceReport[], site: SiteReport | undefined): Verdict {
  const verdicts: (Verdict & { readonly title: string })[] = [
    ...errorsOf(site?.problems ?? []).map((description) => ({
      state: 'failure' as const,
      description,
      title: 'Structure of the site',
    })),
    ...spaces.map((space) => ({ ...verdictOf(space), title: space.title })),
  ];
  const state = STATES.find((each) => verdicts.some((verdict) => verdict.state === each)) ?? 'success';
  const told = verdicts.flatMap((verdict) =>
    verdict.state === state ? [`${verdict.title}: ${verdict.description}`] : [],
  );
  const nothing = site?.isChanged ? 'the structure of the site changes, and no space' : 'no space of the site changes';
  return { state, description: told.length === 0 ? nothing : told.join('; ') };
}

function spaceLines(space: SpaceReport, count: number): string[] {
  const { url, state, pages, more, problems, failure } = space;
  const listed = pages.slice(0, count).map((page) => `- [${inText(page.title)}](${page.url})`);
  const left = pages.length - listed.length + more;
  return [
    state === 'merged'
      ? `The documentation has these changes: they were merged with [the change request](${url}).`
      : `**Documentation:** ${inText(verdictOf(space).description)}. [See the change request](${url})`,
    ...(failure === null && listed.length > 0
      ? [[...listed, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n')]
      : []),
    ...problemLines(problems, count),
  ];
}

/** The list of some problems; nothing for none. */
function problemLines(problems: RunResult['problems'], count: number): string[] {
  const lines = problems
    .slice(0, count)
    .map(({ file, line, level, message }) => `- ${level}: \`${inCode(file)}\`, line ${line}: ${inText(message)}`);
  return lines.length > 0 ? [lines.join('\n')] : [];
}

function errorsOf(problems: RunResult['problems']): string[] {
  const errors = problems.filter(({ level }) => level === 'error').length;
  return errors > 0 ? [counted(errors, 'error')] : [];
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
