/** The spaces of a search, as `FROM space s … WHERE …` with its parameters `$1`…. */
export interface SpaceSelection {
  readonly from: string;
  readonly values: readonly unknown[];
  /** The ids of the spaces, where they are known: what is found in them is kept. */
  readonly ids?: readonly string[];
}

/** Up to so many spaces are named in the query of the index; more are searched by the name of their organization. */
const FEW_SPACES = 200;

/**
 * The common table expressions `visible`, the searched spaces with their dictionaries, and `place`, the scopes under
 * which their texts are indexed, by dictionary. Texts of a transferred space are indexed under another organization.
 */
export const VISIBLE_SPACES = (from: string): string => `visible AS MATERIALIZED (
    SELECT s.id, s.title, s.language, s.organization_id, s.is_transferred, search_config(s.language) AS config ${from}),
  place AS MATERIALIZED (
    SELECT DISTINCT v.config, CASE WHEN n.spaces > ${FEW_SPACES} AND NOT v.is_transferred THEN v.organization_id ELSE v.id END AS scope
      FROM visible v CROSS JOIN (SELECT count(*) AS spaces FROM visible) n)`;

/** Excludes pages of rows `s`: `page` is their column, and two parameters list the spaces and ids of the excluded ones. */
export const excludingPages = (page: string, spaces: string, pages: string): string =>
  ` AND NOT EXISTS (SELECT FROM unnest(${spaces}::text[], ${pages}::text[]) AS x (space, page) WHERE x.space = s.space_id AND x.page = ${page})`;
