import type { Database } from '../../src/kernel/common/database.js';
import type { ListStatement, Pages } from '../../src/kernel/common/page.js';
import type { StatementCall } from './statements.js';

const FRAME = /\/src\/(\S+\.ts):(\d+):\d+/;
const METHODS = ['query', 'one', 'execute', 'unprepared'] as const;

/** The texts of statements that a running program sends, by the file and line that sends them. */
export class RecordedStatements {
  private readonly texts = new Map<string, Set<string>>();

  /** Records all later statements of a program. */
  constructor(database: Database, pages: Pages) {
    Error.stackTraceLimit = 50;
    for (const method of METHODS) {
      const send = database[method].bind(database) as (text: string, values?: readonly unknown[]) => Promise<never>;
      Object.assign(database, {
        [method]: (text: string, values?: readonly unknown[]) => {
          this.note(text, 'kernel/common/database.ts');
          return send(text, values);
        },
      });
    }
    const list = pages.list.bind(pages);
    Object.assign(pages, {
      list: (request: Parameters<typeof list>[0], statement: ListStatement) => {
        this.note(`SELECT ${statement.select} ${statement.from}`, 'kernel/common/page.ts');
        return list(request, statement);
      },
    });
  }

  private note(text: string, own: string): void {
    const frames = (new Error().stack ?? '').split('\n').flatMap((line) => {
      const [, path, at] = FRAME.exec(line) ?? [];
      return path === undefined ? [] : [{ path, at }];
    });
    const caller = frames.find(({ path }) => path !== own);
    if (!caller) return;
    const key = `${caller.path}:${caller.at}`;
    this.texts.set(key, (this.texts.get(key) ?? new Set()).add(text));
  }

  /** The texts that a call has sent. */
  of({ path, line, endLine }: StatementCall): string[] {
    const lines = Array.from({ length: endLine - line + 1 }, (_, index) => `${path}:${line + index}`);
    return [...new Set(lines.flatMap((key) => [...(this.texts.get(key) ?? [])]))];
  }
}
