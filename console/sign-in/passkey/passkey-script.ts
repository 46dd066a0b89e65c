/** Names the script of the pages with passkeys. */

export const PASSKEY_SCRIPT_PATH = '/assets/console-passkey.mjs'
export const PASSKEY_SCRIPT_FILE = new URL('./passkey-browser.mjs', import.meta.url)
