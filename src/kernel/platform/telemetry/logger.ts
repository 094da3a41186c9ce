import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { currentContext } from '../../common/context.js';
import { WORKER } from '../processes.js';
import type { Config } from '../config/config.js';
import { redactLiterals, redactText } from './redact.js';

/** Injection token of the log of the process. */
export const LOG = Symbol('LOG');

const HIDDEN_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'shareKey',
  'privateKey',
  'jwt',
  'key',
];

const URGENT = /^{"level":"(?:error|fatal)"/;
const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;
let usual: DestinationStream | undefined;

/**
 * Standard output or error, a few kilobytes at a time, since a write for each line costs a tenth of a cached read. No
 * line waits for more than a second, and errors are written at once.
 */
function toDescriptor(dest: number): DestinationStream {
  const stream = pino.destination({ dest, sync: false, minLength: 4096, periodicFlush: 1000 });
  return {
    write: (line) => {
      stream.write(line);
      if (URGENT.test(line)) stream.flush();
    },
  };
}

/** Sends the lines of logs that are created from now on to standard error: the standard output of commands is their result. */
export function logToStandardError(): void {
  usual = toDescriptor(STANDARD_ERROR);
}

/**
 * Creates the log: one JSON object per line, to standard output unless stated otherwise, without secrets; values of
 * `secrets` are redacted wherever they occur.
 */
export function createLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  secrets: readonly string[] = [],
  destination = (usual ??= toDescriptor(STANDARD_OUTPUT)),
): Logger {
  const withoutSettings = redactLiterals([...secrets]);
  const options = {
    level: logLevel,
    base: WORKER === undefined ? null : { worker: WORKER },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    mixin: () => {
      const requestId = currentContext()?.requestId;
      return requestId === undefined ? {} : { requestId };
    },
    // The line of a request has its id, and as many other fields as a copy would take time for.
    mixinMergeStrategy: (fields: { requestId?: unknown }, ofContext: { requestId?: unknown }) =>
      ofContext.requestId === undefined || 'requestId' in fields ? fields : { ...ofContext, ...fields },
    redact: { paths: HIDDEN_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
    hooks: {
      streamWrite: (line: string) => redactText(withoutSettings(line)),
    },
  };
  return pino(options, destination);
}

/** Nest's own messages, and those of its `Logger`s, as lines of the log. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest passes the name of the logger last, and a stack before it where there is one. */
  private write(
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    rest: readonly unknown[],
  ): void {
    const texts = rest.filter((each) => typeof each === 'string');
    const stack = texts.find((each) => each.includes('\n    at '));
    const context = texts.filter((each) => each !== stack).at(-1);
    const error =
      message instanceof Error
        ? { err: { message: message.message, stack: message.stack } }
        : stack === undefined
          ? {}
          : { err: { stack } };
    const text =
      message instanceof Error ? message.message : typeof message === 'string' ? message : JSON.stringify(message);
    this.logger[level]({ ...(context !== undefined && { context }), ...error }, text);
  }
}
