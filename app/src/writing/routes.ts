/** Screens of a space: reading, writing, files, history. */
export const spaceRoutes = [] as const;
/** Pages within a change request. */
export const changeRequestPageRoutes = [] as const;
