import type { AccessLevel } from '../../kernel/common/roles.js';

/**
 * The spaces (alias `s`) of an organization that a member can see, as `FROM … WHERE …` over the parameters `$1` user
 * and `$2` organization, and their total. It starts from the exceptions: the spaces that a guest can see, or that
 * others cannot.
 */
export function visibleSpaces(memberRole: AccessLevel): { readonly from: string; readonly count: string } {
  if (memberRole === 'none') {
    return {
      from: 'FROM exceptional_spaces($1, $2) x JOIN space s ON s.id = x.space_id WHERE true',
      count: 'SELECT count(*) AS count FROM exceptional_spaces($1, $2)',
    };
  }
  return {
    from: `FROM space s WHERE s.organization_id = $2 AND s.deleted_at IS NULL
             AND s.id NOT IN (SELECT x.space_id FROM exceptional_spaces($1, $2) x)`,
    count: `SELECT t.spaces - (SELECT count(*) FROM exceptional_spaces($1, $2)) AS count FROM organization_total t WHERE t.organization_id = $2`,
  };
}
