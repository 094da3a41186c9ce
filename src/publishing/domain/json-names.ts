const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * Whether an object somewhere in a JSON text has a name twice: parsers differ in which of the values they take, so that two
 * services could read one text differently. Throws `SyntaxError` for what is no JSON, in which looking for strings that do
 * not end would take time with the square of its length.
 */
export function hasNamesTwice(json: string): boolean {
  JSON.parse(json);
  const open: (Set<string> | undefined)[] = [];
  const tokens = [...json.matchAll(TOKENS)].map(([token]) => token);
  return tokens.some((token, index) => {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (tokens[index + 1] === ':') {
      const names = open.at(-1);
      const name = JSON.parse(token) as string;
      if (names?.has(name)) return true;
      names?.add(name);
    }
    return false;
  });
}
