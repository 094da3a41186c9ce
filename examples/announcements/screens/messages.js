// @ts-check

/**
 * The words of an error.
 *
 * @param {unknown} error
 */
export function message(error) {
  return error instanceof Error ? error.message : String(error);
}
