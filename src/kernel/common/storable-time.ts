/** Whether a text is a time for `Date`, of a year that the database and ISO 8601 without signs know: 1 to 9999 in UTC. */
export function isStorableTime(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
}
