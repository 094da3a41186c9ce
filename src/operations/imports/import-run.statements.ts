/** The columns of a run `i`. */
export const RUN_COLUMNS = `i.id, i.space_id AS "spaceId", i.status, i.source, i.change_request_id AS "changeRequestId", i.page_id AS "pageId",
  i.created_by AS "createdBy", i.error, i.result, i.created_at AS "createdAt", i.started_at AS "startedAt", i.completed_at AS "completedAt"`;
