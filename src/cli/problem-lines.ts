/** A fault of a file, as commands tell of it. */
interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly level: 'error' | 'warning' | 'notice';
  readonly message: string;
}

/** Places that are named of notices which say the same, beside the first. */
const MORE_PLACES = 4;

/** A line for each error and warning, in their order, then one for the notices of each cause with their first places. */
export function problemLines(problems: readonly Problem[]): string[] {
  const notices = new Map<string, Problem[]>();
  for (const problem of problems.filter(({ level }) => level === 'notice')) {
    const same = notices.get(problem.message);
    if (same) same.push(problem);
    else notices.set(problem.message, [problem]);
  }
  return [
    ...problems.filter(({ level }) => level !== 'notice').map(lineOf),
    ...[...notices.values()].map(([first, ...others]) => `${first ? lineOf(first) : ''}${placesOf(others)}`),
  ];
}

function placesOf(others: readonly Problem[]): string {
  if (others.length === 0) return '';
  const left = others.length - MORE_PLACES;
  return `; also ${others.slice(0, MORE_PLACES).map(placeOf).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

const lineOf = (problem: Problem): string => `${placeOf(problem)}: ${problem.level}: ${shownText(problem.message)}`;

const placeOf = ({ file, line, column }: Problem): string =>
  shownText([file, line, ...(column === undefined ? [] : [column])].join(':'));

/** A text on one line, whose control characters cannot change what the terminal shows. */
function shownText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\p{Cc}/gu, '�');
}
