/** A redirect of a site that is written; addresses are escaped, from the root of the host on. */
export interface StaticRedirect {
  readonly from: string;
  readonly to: string;
  readonly isPermanent: boolean;
  /** `all` also redirects what is below `from`, `captured` to the same place below `to`. */
  readonly below?: 'all' | 'captured';
}

const CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; frame-ancestors 'self'";

const statusOf = ({ isPermanent }: StaticRedirect): number => (isPermanent ? 301 : 302);
const withSlash = (address: string): string => (address.endsWith('/') ? address : `${address}/`);
const escapedForExpression = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
/** The path as servers compare it. */
const decoded = (address: string): string => {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
};
/** Addresses begin variables and placeholders with these characters. */
const literal = (address: string): string => address.replace(/[{}$"\\]/g, encodeURIComponent);
const quoted = (path: string): string => `"${path.replace(/["\\]/g, '\\$&')}"`;

/** The file `_redirects` of Netlify and Cloudflare. */
export function redirectsFile(rules: readonly StaticRedirect[]): string {
  const lines = rules.map((rule) => {
    const { from, to, below } = rule;
    if (below === undefined) return `${from} ${to} ${statusOf(rule)}`;
    return `${withSlash(from)}* ${below === 'all' ? to : `${withSlash(to)}:splat`} ${statusOf(rule)}`;
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** The file `_headers` of Netlify and Cloudflare for a site below `base`; search engines leave out folders that are `unlisted`. */
export function headersFile(base: string, unlisted: readonly string[]): string {
  return [
    `${base}/~files/*`,
    `  Content-Security-Policy: ${CONTENT_POLICY}`,
    '  X-Content-Type-Options: nosniff',
    `${base}/~assets/*`,
    '  Cache-Control: public, max-age=31536000, immutable',
    '  Access-Control-Allow-Origin: *',
    ...unlisted.flatMap((folder) => [`${folder}*`, '  X-Robots-Tag: noindex']),
    '',
  ].join('\n');
}

/** Lines for a `server` of nginx, whose `root` has the site at `base`. */
export function nginxFile(base: string, rules: readonly StaticRedirect[], unlisted: readonly string[]): string {
  const redirects = rules.flatMap((rule) => {
    const [from, to, status] = [decoded(rule.from), literal(rule.to), statusOf(rule)];
    const own = `location = ${quoted(from)} { return ${status} "${to}"; }`;
    if (rule.below === undefined) return [own];
    const captured = `location ~ ${quoted(`^${escapedForExpression(withSlash(from))}(.*)$`)} { return ${status} "${withSlash(to)}$1"; }`;
    return [
      own,
      rule.below === 'all' ? `location ^~ ${quoted(withSlash(from))} { return ${status} "${to}"; }` : captured,
    ];
  });
  return [
    `error_page 404 ${base}/404.html;`,
    `location ^~ ${base}/.bindery/ { return 404; }`,
    `location ^~ ${base}/~files/ {`,
    `  add_header Content-Security-Policy "${CONTENT_POLICY}";`,
    '  add_header X-Content-Type-Options nosniff;',
    '}',
    `location ^~ ${base}/~assets/ {`,
    '  add_header Cache-Control "public, max-age=31536000, immutable";',
    '  add_header Access-Control-Allow-Origin *;',
    '}',
    ...unlisted.map((folder) => `location ^~ ${quoted(decoded(folder))} { add_header X-Robots-Tag noindex; }`),
    ...redirects,
    '',
  ].join('\n');
}

/** Lines for a site of Caddy that serves files. */
export function caddyFile(base: string, rules: readonly StaticRedirect[], unlisted: readonly string[]): string {
  // Caddy takes braces for the name of something, and has no escape for them.
  const sayable = rules.filter(({ from }) => !/[{}`]/.test(decoded(from)));
  const redirects = sayable.flatMap((rule, index) => {
    const [from, to, status] = [decoded(rule.from), literal(rule.to), statusOf(rule)];
    const own = `redir \`${from}\` "${to}" ${status}`;
    if (rule.below === undefined) return [own];
    if (rule.below === 'all') return [own, `redir \`${withSlash(from)}*\` "${to}" ${status}`];
    const name = `below${index}`;
    return [
      own,
      `@${name} path_regexp ${name} \`^${escapedForExpression(withSlash(from))}(.*)$\``,
      `redir @${name} "${withSlash(to)}{re.${name}.1}" ${status}`,
    ];
  });
  return [
    'handle_errors {',
    '  @missing expression {http.error.status_code} == 404',
    `  rewrite @missing ${base}/404.html`,
    '  file_server',
    '}',
    `@notes path ${base}/.bindery/*`,
    'respond @notes 404',
    `header ${base}/~files/* Content-Security-Policy "${CONTENT_POLICY}"`,
    `header ${base}/~files/* X-Content-Type-Options nosniff`,
    `header ${base}/~assets/* Cache-Control "public, max-age=31536000, immutable"`,
    `header ${base}/~assets/* Access-Control-Allow-Origin *`,
    ...unlisted.map((folder) => `header \`${decoded(folder)}*\` X-Robots-Tag noindex`),
    ...redirects,
    '',
  ].join('\n');
}
