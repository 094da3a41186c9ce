/** One line of an error that names a field. */
export type FieldFault = Readonly<{ path: string; message: string }>;

/** An answer of the interface that is an error, or none at all (`status` 0: the connection is gone). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: readonly FieldFault[] = [],
    /** The whole error as it was sent. */
    readonly body: Readonly<Record<string, unknown>> = {},
    /** True if the service asks to try again later. */
    readonly isTemporary = false,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}
