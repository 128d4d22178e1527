declare global {
  /** Read by the package that locks scrolling behind a dialog, for the style element that it adds. */
  var __webpack_nonce__: string | undefined
}

/** The nonce that the content security policy of this page allows style elements with. */
export function takeStyleNonce(): string {
  const nonce = document.getElementById('style-nonce')?.nonce ?? ''
  globalThis.__webpack_nonce__ = nonce
  return nonce
}
