/** The version of the standard in URLs: appended to a bank's address, so that the address itself has none. */

const VERSION = 'v1'
export const VERSION_PATH = `/${VERSION}`

/** What follows the version in the URLs of the standard. */
const SERVICES: ReadonlySet<string> = new Set([
  ...['payments', 'bulk-payments', 'periodic-payments', 'signing-baskets', 'funds-confirmations'],
  ...['consents', 'accounts', 'card-accounts'],
])

/** An address without the version and what follows it, where it ends with them. */
export function withoutVersion(address: string): string {
  const segments = address.split('/')
  const used = segments.slice(0, segments.findLastIndex((segment) => segment !== '') + 1)
  const at = used.lastIndexOf(VERSION)
  const next = used[at + 1]
  return at === -1 || (next !== undefined && !SERVICES.has(next)) ? address : used.slice(0, at).join('/')
}
