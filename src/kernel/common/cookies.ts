/** Returns the cookies of a request by name; the first one of a name counts, which has the longest path. */
export function parseCookies(header: string | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    if (at > 0 && !found.has(name)) found.set(name, unescaped(part.slice(at + 1).trim()));
  }
  return found;
}

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value.replace(/^"(.*)"$/, '$1'));
  } catch {
    return value;
  }
}
