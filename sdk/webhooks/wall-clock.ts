/** Reads wall time in the client, which runs in partners' programs without the gateway's clock. */

/** Seconds since 1970. */
export function wallSeconds(): number {
  return Date.now() / 1000
}
