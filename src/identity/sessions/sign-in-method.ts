/** The ways in which the session of a browser begins. */
export const SIGN_IN_METHODS = ['link', 'sso', 'invitation'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];
