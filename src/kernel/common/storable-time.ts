/**
 * Tells whether `Date` can parse a text as a time in the years that the database and ISO 8601 without signs support: 1
 * to 9999 in UTC.
 */
export function isStorableTime(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
}
