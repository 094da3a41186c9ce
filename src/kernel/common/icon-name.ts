/** The form of names of icons, such as `gear`; no other text is stored or read as one. */
export const ICON_NAME = /^[a-z0-9:-]{1,50}$/i;
