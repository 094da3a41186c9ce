/** Texts that break out of HTML, attributes, XML, templates or Markdown where nobody escapes them, and run a script then. */
export const hostileTexts = (script: string): readonly string[] => [
  `"><script>${script}</script>`,
  `' onmouseover='${script}`,
  `<img src=x onerror=${script}>`,
  `</title></textarea></style><svg onload=${script}>`,
  ']]><x>&xxe;',
  '{{7*7}}${7*7}',
  `[a](javascript:${script})`,
  '\u202Etxt.exe',
  '-->',
];

/** Addresses that would run a script. */
export const hostileAddresses = (script: string): readonly string[] => [
  `javascript:${script}`,
  ` java\nscript:${script}`,
  `data:text/html,<script>${script}</script>`,
  'vbscript:x',
  `JaVaScRiPt:${script}`,
  `javascript&colon;${script}`,
];

/** Markdown with all of them, and with HTML that would run. */
export function hostileMarkdown(script: string): string {
  const links = hostileAddresses(script).map((address) => {
    const target = `<${address.replace(/[\n<>]/g, '')}>`;
    return `[a link](${target}) ![p](${target})`;
  });
  return [
    ...hostileTexts(script),
    ...links,
    `<iframe src="javascript:${script}"></iframe>`,
    `<div onclick="${script}">x</div>`,
  ].join('\n\n');
}
