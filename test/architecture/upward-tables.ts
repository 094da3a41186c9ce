/**
 * Statements that touch tables against the direction of the modules, which have still to find a way that the owner contributes.
 * Whoever removes one takes its line out; none is added.
 */
export const UPWARD_TABLES: readonly string[] = [];
