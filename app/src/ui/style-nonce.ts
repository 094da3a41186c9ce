/** The nonce that the server gave this page, for the style elements that libraries add. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

/** Libraries that add styles for a while, such as those that keep a page still behind a dialog, look for it here. */
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
