/**
 * A fault that the person who runs the server can mend: the command line prints `message`, which is one line that says
 * what is wrong and what to do, without a stack.
 */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'no such file or folder',
  EMFILE: 'too many open files',
};

/** The system's error code (`EACCES`, `57P03` …) of an unknown thrown value. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** The reason of an unknown thrown value in words, on one line. */
export function reasonOf(error: unknown): string {
  const known = REASONS[codeOf(error) ?? ''];
  if (known !== undefined) return known;
  const message = error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : error instanceof Error ? error.message : String(error);
  return message.trim().split('\n', 1)[0] ?? message;
}
