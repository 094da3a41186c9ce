import { isAbsolute, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RULES, type Severity } from '../authoring/interchange/domain/rules.js';
import type { Finding, FolderCheck } from '../authoring/interchange/folder-check.js';
import { VERSION } from '../version.js';
import { problemLines } from './problem-lines.js';

/** The findings of a check, with their numbers by severity; files are relative to the working directory, if in it. */
export interface CheckReport {
  readonly pages: number;
  readonly errors: number;
  readonly warnings: number;
  readonly notices: number;
  readonly findings: readonly Finding[];
}

/** A report of the check of `folder`, for readers in `directory`. */
export function reportOf({ pages, findings }: FolderCheck, folder: string, directory: string): CheckReport {
  const count = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  return {
    pages,
    errors: count('error'),
    warnings: count('warning'),
    notices: count('notice'),
    findings: findings.map((finding) => ({ ...finding, file: shownPath(join(folder, finding.file), directory) })),
  };
}

function shownPath(path: string, directory: string): string {
  const short = relative(directory, path);
  return short.startsWith('..') || isAbsolute(short) ? path : short.split(sep).join('/');
}

const FORMATS = {
  text: textOf,
  json: (report: CheckReport) => `${JSON.stringify(report)}\n`,
  sarif: (report: CheckReport) => `${JSON.stringify(sarifOf(report))}\n`,
  github: (report: CheckReport) => report.findings.map((finding) => `${workflowCommand(finding)}\n`).join(''),
};

export function formatReport(report: CheckReport, format: keyof typeof FORMATS): string {
  return FORMATS[format](report);
}

/** The lines of the findings, with the names of their rules, then their numbers. */
function textOf({ findings, ...counts }: CheckReport): string {
  const problems = findings.map(({ severity, rule, message, ...place }) => ({
    ...place,
    level: severity,
    message: `${message} (${rule})`,
  }));
  return [...problemLines(problems), summaryOf(counts), ''].join('\n');
}

/** The numbers of a report as a sentence. */
export function summaryOf({ pages, errors, warnings, notices }: Omit<CheckReport, 'findings'>): string {
  const count = (number: number, name: string): string => `${number} ${name}${number === 1 ? '' : 's'}`;
  return `${count(pages, 'page')}: ${count(errors, 'error')}, ${count(warnings, 'warning')}, ${count(notices, 'notice')}.`;
}

/** A command by which GitHub Actions shows a finding beside its line. */
function workflowCommand({ file, line, column, severity, rule, message }: Finding): string {
  const properties = {
    file,
    line: String(line),
    ...(column !== undefined && { col: String(column) }),
    title: rule,
  };
  const written = Object.entries(properties).map(([name, value]) => `${name}=${escaped(value, /[%\r\n:,]/g)}`);
  return `::${severity} ${written.join(',')}::${escaped(message, /[%\r\n]/g)}`;
}

function escaped(text: string, special: RegExp): string {
  return text.replace(special, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
    return `%${code}`;
  });
}

const SARIF_LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', notice: 'note' };

/** The report in the Static Analysis Results Interchange Format, version 2.1.0. */
function sarifOf({ findings }: CheckReport): object {
  const rules = Object.entries(RULES);
  const numbers = new Map(rules.map(([name], index) => [name, index]));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'bindery',
            semanticVersion: VERSION,
            rules: rules.map(([id, { severity, description }]) => ({
              id,
              shortDescription: { text: description },
              defaultConfiguration: { level: SARIF_LEVELS[severity] },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map(({ file, line, column, severity, rule, message }) => ({
          ruleId: rule,
          ruleIndex: numbers.get(rule),
          level: SARIF_LEVELS[severity],
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(file) },
                region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
              },
            },
          ],
        })),
      },
    ],
  };
}

/** The relative reference of a path, or the address of a file elsewhere. */
function uriOf(path: string): string {
  return isAbsolute(path) ? pathToFileURL(path).href : path.split('/').map(encodeURIComponent).join('/');
}
