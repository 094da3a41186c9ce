/**
 * A fault that the operator of the server can fix: the command line prints `message`, one line that states the fault
 * and the remedy, without a stack.
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

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The system's error code (`EACCES`, `57P03` …) of an unknown thrown value, whatever realm its class comes from. */
export function codeOf(error: unknown): string | undefined {
  const code = property(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** The reason of an unknown thrown value in words, on one line. */
export function reasonOf(error: unknown): string {
  const known = REASONS[codeOf(error) ?? ''];
  if (known !== undefined) return known;
  // If every address of a name refuses the connection, the error is an aggregate without a message of its own.
  const parts = property(error, 'errors');
  const message = Array.isArray(parts) ? parts.map(reasonOf).join(', ') : String(property(error, 'message') ?? error);
  return message.trim().split('\n', 1)[0] ?? message;
}
