import type { RunSource } from '../imports.schema.js';

/** The order to bring what was changed in a folder into a space. */
export type PushOrder = Extract<RunSource, { type: 'push' }>;

/** The order to write a space as the files of a folder. */
export type ExportOrder = Extract<RunSource, { type: 'archive-export' }>;
