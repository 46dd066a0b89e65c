/** Frees what a fixture consists of once it is closed. */

/**
 * Removes every property of a closed fixture: variables of a test file live until the last file of its worker has run, and
 * a gateway takes four megabytes.
 */
export function releaseParts(fixture: object): void {
  for (const part of Object.keys(fixture)) {
    Reflect.deleteProperty(fixture, part)
  }
}
