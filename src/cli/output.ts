import { DomainError, stackOf } from '../kernel/common/errors.js';
import { ConfigError } from '../kernel/platform/config/config.js';
import { OperatorError } from '../kernel/platform/operator-error.js';

/** Exit codes: done, failed, or wrong usage. */
export const EXIT = { done: 0, failure: 1, usage: 2 } as const;

/** The output of a command: text for people, or one JSON document for programs. */
export class Output {
  constructor(private readonly json: boolean) {}

  /** The result of the command, once: `lines` for people, `facts` for programs. */
  result(facts: unknown, lines: readonly string[]): void {
    process.stdout.write(this.json ? `${JSON.stringify(facts)}\n` : lines.map((line) => `${line}\n`).join(''));
  }

  /** Writes a progress message to standard error, so that results can be piped. */
  note(line: string): void {
    process.stderr.write(`${line}\n`);
  }

  /** Reports a fault on standard error; an internal fault with its stack, one of the operator without. */
  fault(error: unknown): void {
    const message = describeFault(error);
    process.stderr.write(this.json ? `${JSON.stringify({ error: { message } })}\n` : `bindery: ${message}\n`);
  }
}

/** Tells a fault to an operator: an internal one with its stack. */
export function describeFault(error: unknown): string {
  if (error instanceof OperatorError || error instanceof ConfigError) return error.message;
  if (error instanceof DomainError) {
    const more = error.details
      .filter(({ message }) => !error.message.includes(message))
      .map(({ path, message }) => `  ${path}: ${message}`);
    return [error.message, ...more].join('\n');
  }
  return stackOf(error);
}

/** Formats rows as aligned columns under their names; a dash means no value. */
export function table(
  rows: readonly Readonly<Record<string, string | number | boolean | null | undefined>>[],
): string[] {
  const names = Object.keys(rows[0] ?? {});
  const cells = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => String(row[name] ?? '-'))),
  ];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Ends the process once all output is flushed; remaining background work is abandoned. */
export async function exit(code: number): Promise<never> {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise((settle) => stream.write('', settle))),
  );
  process.exit(code);
}
