/**
 * Statements that touch tables against the direction of the modules, which have still to find a way that the owner contributes.
 * Whoever removes one takes its line out; none is added.
 */
export const UPWARD_TABLES: readonly string[] = [
  'authoring/change-requests/change-requests.service.ts reads comment',
  'authoring/change-requests/change-requests.service.ts reads issues_cluster',
  'authoring/change-requests/change-requests.service.ts reads requested_reviewer',
  'authoring/change-requests/change-requests.service.ts reads translation',
  'authoring/change-requests/change-requests.service.ts writes space',
  'authoring/change-requests/merge-gate.ts reads change_request_review',
  'authoring/content/change-request.schema.ts reads change_request',
  'authoring/content/content-lines.ts reads change_request',
  'authoring/content/content-lines.ts reads translation',
  'authoring/content/content-lines.ts writes change_request',
  'authoring/content/content-lines.ts writes space',
  'insight/conversations/analyses.ts reads change_request',
  'insight/conversations/rebuild-worker.ts reads change_request',
  'insight/translations/translations.service.ts writes space',
  'operations/webhooks/webhooks.service.ts reads space',
  'publishing/published-sites/pages/edit-links.ts reads space_git',
  'publishing/sites/content-references.ts reads openapi_spec',
];
