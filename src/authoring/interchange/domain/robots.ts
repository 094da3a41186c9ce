/*
 * This reader is kept instead of the package robots-parser (3.0.1), which stores each rule once for every agent of its
 * group: a robots.txt of 1 MB with many agents and rules takes more than 4 GB of memory there and ends the process. Half a
 * megabyte of spaces takes it 5 times as long, and 30,000 rules with several `*`, of which this reader takes 5,000, 8 times.
 */

/** A rule of a robots.txt: whether paths that match a pattern may be fetched. */
interface Rule {
  readonly allow: boolean;
  readonly pattern: string;
}

/** Maximum number of rules, of all groups together: every path is compared with them. */
const MAX_RULES = 5_000;
const MAX_PATTERN_LENGTH = 1_000;

/** Tells whether a robots.txt admits a robot to a path (with its query). */
export type RobotsRules = (path: string) => boolean;

/**
 * Reads the rules of a robots.txt for a robot: of the group that names it, else of the one for all. The longest
 * matching pattern decides, and allows if two are equally long. Source: RFC 9309, Robots Exclusion Protocol.
 */
export function readRobots(source: string, robot: string): RobotsRules {
  const groups = groupsOf(source);
  const own = groups.filter(({ agents }) => agents.includes(robot.toLowerCase()));
  const rules = (own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))).flatMap(
    (group) => group.rules,
  );
  return (path) => {
    const canonical = canonicalPath(path).replaceAll('*', '%2A').replaceAll('$', '%24');
    let decisive: Rule | undefined;
    for (const rule of rules) {
      if (!matches(canonical, rule.pattern)) continue;
      const longer = rule.pattern.length - (decisive?.pattern.length ?? -1);
      if (longer > 0 || (longer === 0 && rule.allow)) decisive = rule;
    }
    return decisive?.allow ?? true;
  };
}

function groupsOf(source: string): { agents: string[]; rules: Rule[] }[] {
  const groups: { agents: string[]; rules: Rule[] }[] = [];
  let count = 0;
  for (const line of source.split(/\r\n?|\n/)) {
    const [text = ''] = line.split('#', 1);
    const colon = text.indexOf(':');
    const [field, value] = [text.slice(0, Math.max(0, colon)).trim().toLowerCase(), text.slice(colon + 1).trim()];
    const last = groups.at(-1);
    if (field === 'user-agent') {
      const agent = agentOf(value);
      if (last?.rules.length === 0) last.agents.push(agent);
      else groups.push({ agents: [agent], rules: [] });
    } else if (
      (field === 'allow' || field === 'disallow') &&
      last &&
      value.length <= MAX_PATTERN_LENGTH &&
      ++count <= MAX_RULES
    ) {
      // An empty pattern matches nothing; it is kept, so that the next User-agent begins another group.
      last.rules.push({ allow: field === 'allow', pattern: canonicalPath(value).replace(/\$(?!$)/g, '%24') });
    }
  }
  return groups;
}

/** The product token of an agent, without the version and comments that some files add; `*` for all of them. */
function agentOf(value: string): string {
  return value.startsWith('*') ? '*' : (/^[a-z_-]*/i.exec(value)?.[0] ?? '').toLowerCase();
}

/**
 * A path with one spelling for each character: literal if a URL may contain it, else percent-encoded (RFC 9309, 2.2.2).
 */
function canonicalPath(path: string): string {
  return path.replace(/%[\da-f]{2}|[^\x21-\x7e]+/gi, (match) => {
    if (!match.startsWith('%')) return Buffer.from(match).toString('hex').toUpperCase().replace(/../g, '%$&');
    const character = String.fromCharCode(Number.parseInt(match.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : match.toUpperCase();
  });
}

/**
 * Tells whether a pattern matches the beginning of a path; `*` matches anything, `$` at its end the end of the path.
 */
function matches(path: string, pattern: string): boolean {
  if (pattern === '') return false;
  const isWhole = pattern.endsWith('$');
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const found =
      index === 0
        ? path.startsWith(part)
          ? 0
          : -1
        : isLast && isWhole
          ? path.endsWith(part)
            ? path.length - part.length
            : -1
          : path.indexOf(part, at);
    if (found < at || found === -1) return false;
    at = found + part.length;
  }
  return !isWhole || at === path.length;
}
