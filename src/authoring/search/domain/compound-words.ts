const MIN_PART = 4;
/** Longer words are names or noise. */
const MAX_WORD = 60;
/** Sounds that join the parts of a compound. */
const JOINTS = ['', 's', 'es', 'n', 'en', 'er', 'e'];

/**
 * The ways to split a word into two of at least four letters, the most equal parts first. The first part is given
 * without the sound that joins it to the second: `arbeitszeit` is `arbeit` and `zeit`.
 */
export function compoundSplits(word: string): [string, string][] {
  const splits: [string, string][] = [];
  const letters = [...word];
  if (letters.length > MAX_WORD) return splits;
  for (let at = MIN_PART; at <= letters.length - MIN_PART; at++) {
    const head = letters.slice(0, at).join('');
    const tail = letters.slice(at).join('');
    for (const joint of JOINTS)
      if (head.endsWith(joint) && at - joint.length >= MIN_PART)
        splits.push([head.slice(0, head.length - joint.length), tail]);
  }
  return splits.sort((one, other) => shorter(other) - shorter(one));
}

const shorter = ([head, tail]: readonly [string, string]): number => Math.min(head.length, tail.length);
