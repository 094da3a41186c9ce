/** The words by which Chromium, Firefox and Safari tell that a script, or one that it imports, did not arrive. */
const MISSING =
  /^(?:Failed to fetch dynamically imported module: |error loading dynamically imported module|Importing a module script failed)/;

/** Tells whether a script that was imported did not arrive; other errors are thrown by the script itself. */
export const isMissing = (error: unknown): boolean => error instanceof TypeError && MISSING.test(error.message);
