import { furtherColumns } from '../../kernel/platform/manifest/contributed-columns.js';
import type { Registry } from '../../kernel/platform/manifest/registry.js';
import { openComments } from './open-comments.js';
import { SPACE_COLUMNS } from './spaces.points.js';
import { isTranslation } from './translated-spaces.js';
import { additions } from '../../identity/organizations/custom-roles/additions.js';

/**
 * The columns of a space as its presenter needs them, over the aliases `s` (space), `a` (space_access) and `published`
 * (`PUBLISHED_JOIN`) for the user `$1`. Counts are indexed subqueries in the one query that reads the space.
 */
export function spaceColumns(registry: Registry): string {
  return `s.id, s.organization_id AS "organizationId", s.collection_id AS "collectionId", s.title, s.emoji, s.icon,
  s.edit_mode AS "editMode", s.language, s.default_level AS "defaultLevel", s.merge_rules AS "mergeRules", s.position,
  s.revision_id AS "revisionId", s.sequence, s.change_request_number AS "changeRequestNumber", s.created_by AS "createdBy",
  s.version, s.is_transferred AS "isTransferred", s.created_at AS "createdAt", s.updated_at AS "updatedAt", s.deleted_at AS "deletedAt", a.role AS "callerRole",
  ${additions('space', '$1', 's')} AS "callerAdded",
  ${isTranslation(registry, 's.id')} AS "isTranslation",
  (SELECT m.role = 'none' FROM member m WHERE m.organization_id = s.organization_id AND m.user_id = $1) AS "callerIsGuest",
  ${openComments(registry, 's.id', "''")} AS comments,
  published.visibility AS "siteVisibility", published.path AS "publishedPath"${furtherColumns(registry.contributionsTo(SPACE_COLUMNS))}`;
}

/** Joined behind `s`: the most public published site with the space, and its path there. */
export const PUBLISHED_JOIN = `LEFT JOIN LATERAL (
  SELECT route.visibility, route.path
    FROM site_route route
   WHERE route.space_id = s.id AND route.published
   ORDER BY array_position(ARRAY['public', 'unlisted', 'share-link', 'visitor-auth'], route.visibility), route.created_at, route.site_space_id
   LIMIT 1) published ON true`;
