const MIN_PART = 4;
/** Sounds that join the parts of a compound. */
const JOINTS = ['', 's', 'es', 'n', 'en', 'er', 'e'];

/**
 * The ways to split a word into two of at least four letters, the most equal parts first. The first part is given
 * without the sound that joins it to the second: `arbeitszeit` is `arbeit` and `zeit`.
 */
export function compoundSplits(word: string): [string, string][] {
  const splits: [string, string][] = [];
  for (let at = MIN_PART; at <= word.length - MIN_PART; at++) {
    const head = word.slice(0, at);
    for (const joint of JOINTS)
      if (head.endsWith(joint) && head.length - joint.length >= MIN_PART)
        splits.push([head.slice(0, head.length - joint.length), word.slice(at)]);
  }
  return splits.sort((one, other) => shorter(other) - shorter(one));
}

const shorter = ([head, tail]: readonly [string, string]): number => Math.min(head.length, tail.length);
