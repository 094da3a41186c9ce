/** Screens of a space that list change requests. */
export const spaceReviewRoutes = [] as const;
/** Screens of one change request. */
export const changeRequestRoutes = [] as const;
