/** How many comments are open on a line of a space, as an indexed subquery: two SQL expressions for the ids; '' is the primary line. */
export function openComments(space: string, line: string): string {
  return `(SELECT count(*)::int FROM comment o WHERE o.space_id = ${space} AND o.line = ${line} AND o.parent_id IS NULL AND o.resolved_at IS NULL)`;
}
