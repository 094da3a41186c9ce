export type PathParameters = Readonly<Record<string, string | string[]>>;

/**
 * The parameters that a path has in a template such as `/v1/spaces/:spaceId` or `/v1/path/*rest`, as the router gives
 * them; undefined where it has another form, or another spelling that is for the router to judge. Both are given as the
 * segments between their slashes.
 */
export function parametersOf(template: readonly string[], path: readonly string[]): PathParameters | undefined {
  const rest = template.at(-1)?.startsWith('*') === true;
  if (rest ? path.length < template.length : path.length !== template.length) return undefined;
  const parameters: Record<string, string | string[]> = {};
  for (const [index, expected] of template.entries()) {
    const given = path[index] ?? '';
    if (expected.startsWith('*')) parameters[expected.slice(1)] = path.slice(index).map(decodeURIComponent);
    else if (expected.startsWith(':')) parameters[expected.slice(1)] = decodeURIComponent(given);
    else if (expected !== given) return undefined;
  }
  return path.lastIndexOf('') > 0 ? undefined : parameters;
}
