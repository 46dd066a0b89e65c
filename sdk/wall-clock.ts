/** Tells wall time to the client, which runs in partners' programs and knows nothing of the gateway's clock. */

/** Seconds since 1970. */
export function wallSeconds(): number {
  return Date.now() / 1000
}
