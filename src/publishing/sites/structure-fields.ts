import { ICON_NAME } from '../../kernel/common/icon-name.js';

/** Options of the icon of a part of a site. */
export const ICON = {
  max: 50,
  pattern: ICON_NAME,
  patternMessage: 'icon must be the name of an icon',
  example: 'gear',
} as const;

/** Options of the condition of a part of a site. */
export const CONDITION = {
  optional: true,
  nullable: true,
  description: 'Decides whether a visitor sees it; null removes it',
} as const;
