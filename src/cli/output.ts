import { once } from 'node:events';
import { DomainError, stackOf } from '../kernel/common/errors.js';
import { ConfigError } from '../kernel/platform/config/config.js';
import { OperatorError, codeOf } from '../kernel/platform/operator-error.js';

/** Exit codes: done, failed, or wrong usage. */
export const EXIT = { done: 0, failure: 1, usage: 2 } as const;

/** The values of a row by the names of their columns. */
export type TableRow = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The output of a command: text for people, or one JSON document for programs. */
export class Output {
  constructor(private readonly json: boolean) {}

  /** The result of the command, once: `lines` for people, `facts` for programs. */
  result(facts: unknown, lines: readonly string[]): void {
    process.stdout.write(this.json ? `${JSON.stringify(facts)}\n` : lines.map((line) => `${line}\n`).join(''));
  }

  /**
   * A list that is never in memory as a whole, once: a table for people, for programs one document with the rows under
   * `name`. `give` passes rows on, in parts, and learns if somebody still reads. @returns the number of rows.
   */
  async list<Row extends TableRow>(
    name: string,
    none: string,
    give: (read: (rows: readonly Row[]) => Promise<boolean>) => Promise<void>,
  ): Promise<number> {
    let count = 0;
    const paper = new StandardOutput();
    const begin = `{${JSON.stringify(name)}:[`;
    await give(async (rows) => {
      const isFirst = count === 0;
      count += rows.length;
      if (this.json) return paper.write(`${isFirst ? begin : ','}${rows.map((row) => JSON.stringify(row)).join(',')}`);
      const lines = table(rows);
      return paper.write(
        lines
          .slice(isFirst ? 0 : 1)
          .map((line) => `${line}\n`)
          .join(''),
      );
    });
    if (this.json) await paper.write(`${count === 0 ? begin : ''}]}\n`);
    else if (count === 0) await paper.write(`${none}\n`);
    return count;
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

/** Standard output for large results: waits for its reader, and ends with it, as with `head`. */
class StandardOutput {
  private isOpen = true;

  constructor() {
    process.stdout.on('error', (error) => {
      if (codeOf(error) !== 'EPIPE') throw error;
      this.isOpen = false;
    });
  }

  /** @returns false if nobody reads any more. */
  async write(text: string): Promise<boolean> {
    if (this.isOpen && !process.stdout.write(text)) await once(process.stdout, 'drain').catch(() => undefined);
    return this.isOpen;
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

/** One line of text from outside, whose control characters would change what the terminal shows. */
export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/\p{Cc}/gu, '\uFFFD');

/** Formats rows as aligned columns under their names; a dash means no value. */
export function table(rows: readonly TableRow[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const cells = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => onOneLine(String(row[name] ?? '-')))),
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
