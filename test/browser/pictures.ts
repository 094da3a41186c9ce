/** The pictures of the workspace in its guide, by the names of their files in `docs/.gitbook/assets`. */
export const PICTURES = [
  'workspace-home',
  'workspace-palette',
  'workspace-page',
  'workspace-visual-editor',
  'workspace-markdown-editor',
  'workspace-changes',
  'workspace-conflict',
  'workspace-site-structure',
  'workspace-site-look',
  'workspace-people',
  'workspace-access',
] as const;
export type PictureName = (typeof PICTURES)[number];

export const PICTURE_SIZE = { width: 1280, height: 800 };
/** Readers load them all with one page, and everybody who installs Bindery has them. */
export const MOST_PICTURE_BYTES = 1_500_000;
