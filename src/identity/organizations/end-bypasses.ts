/** Removes the user $2 from the bypass rules in those rows of a table for which `where`, a condition with $1, holds. */
export function endBypasses(table: string, where: string): string {
  return `UPDATE ${table} SET version = version + 1, merge_rules = jsonb_set(merge_rules, '{rules}', (
    SELECT coalesce(jsonb_agg(kept.rule ORDER BY kept.at), '[]') FROM (
      SELECT e.at, CASE WHEN e.rule ->> 'rule' = 'allow_bypass' THEN jsonb_set(e.rule, '{users}', (e.rule -> 'users') - $2::text) ELSE e.rule END AS rule
        FROM jsonb_array_elements(merge_rules -> 'rules') WITH ORDINALITY AS e (rule, at)) kept
     WHERE kept.rule -> 'users' IS DISTINCT FROM '[]'))
   WHERE ${where} AND merge_rules @> jsonb_build_object('rules', jsonb_build_array(jsonb_build_object('rule', 'allow_bypass', 'users', jsonb_build_array($2::text))))`;
}
