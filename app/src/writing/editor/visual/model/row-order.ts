/** The text that sorts a row at a place: a letter for the number of digits, then the digits. */
function orderAt(index: number): string {
  const digits = String(index);
  return String.fromCharCode(96 + digits.length) + digits;
}

/** Texts by which rows sort in the order that they are given in: those that they have, if these do, else new ones. */
export function rowOrder(given: readonly (string | undefined)[]): string[] {
  const isSorted = given.every((each, index) => each !== undefined && (index === 0 || (given[index - 1] ?? '') < each));
  return given.map((each, index) => (isSorted ? (each ?? '') : orderAt(index)));
}
