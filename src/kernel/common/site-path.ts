/** One segment below a site: a letter or digit first (`~` and `.` begin the service's own paths), then also `.`, `_` and `-`. */
const PATH_PATTERN = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;

/** Files for programs at the root of every site; no path of these names could be reached there. */
const FOR_PROGRAMS = /^(?:robots\.txt|sitemap(?:-\d+)?\.xml|llms(?:-full)?\.txt)$/i;

/** The fault of a path of a section or site space, in words; undefined if there is none. */
export function pathFault(path: string): string | undefined {
  if (!PATH_PATTERN.test(path))
    return 'must begin with a letter or digit and consist of letters, digits, dots, hyphens and underscores';
  return FOR_PROGRAMS.test(path) ? 'is reserved for what every site has at its root' : undefined;
}
