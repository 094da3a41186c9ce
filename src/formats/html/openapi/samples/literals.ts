/** Texts as literals of programming languages: none can end early, be interpolated, or become another text. */

/** In double quotes, as JavaScript, Python, Go, Java and C# read them as well as JSON. */
export const doubleQuoted = (text: string): string => JSON.stringify(text);

/** For a shell, in which only an apostrophe ends such a text. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** In single quotes, as PHP and Ruby read them. */
export const singleQuoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** Rust knows fewer short forms of control characters than JSON does. */
export const rustQuoted = (text: string): string =>
  JSON.stringify(text).replace(/\\(?:\\|b|f|u([0-9a-f]{4}))/g, (escape, code?: string) =>
    escape === '\\\\' ? escape : `\\u{${code ?? (escape === '\\b' ? '8' : 'c')}}`,
  );

/** Rust's raw text, with as many signs around it as it needs. */
export function rustRaw(text: string): string {
  const signs = '#'.repeat(Math.max(1, longest(text, /"#*/g)));
  return `r${signs}"${text}"${signs}`;
}

/** Go's raw text, unless it has the character that ends one. */
export const goRaw = (text: string): string => (text.includes('`') ? doubleQuoted(text) : `\`${text}\``);

/** A text block of Java 15. */
export const javaBlock = (text: string): string =>
  `"""\n${text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/ $/gm, '\\s')}"""`;

/** A raw text of C# 11, with more quotes around it than it has in a row. */
export function csharpRaw(text: string): string {
  const quotes = '"'.repeat(Math.max(3, 1 + longest(text, /"+/g)));
  return `${quotes}\n${text}\n${quotes}`;
}

/** A text that ends with a line of its own, in which PHP and Ruby read nothing but text. */
export function heredoc(opening: string, text: string): string {
  return `${opening}'JSON'\n${text}\nJSON`;
}

/** JSON as an expression of Python. */
export function pythonValue(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (part) =>
    part.startsWith('"') ? part : part === 'null' ? 'None' : part === 'true' ? 'True' : 'False',
  );
}

/** Code whose lines after the first one begin with `by`. */
export const indentedBy = (code: string, by: string): string => code.replaceAll('\n', `\n${by}`);

function longest(text: string, pattern: RegExp): number {
  return (text.match(pattern) ?? []).reduce((most, part) => Math.max(most, part.length), 0);
}
