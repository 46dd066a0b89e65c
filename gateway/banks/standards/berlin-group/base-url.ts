/** The version of the standard in URLs: appended to a bank's address, so that the address itself has none. */

export const VERSION_PATH = '/v1'

/** What follows the version in the URLs of the standard. */
const SERVICES =
  'payments|bulk-payments|periodic-payments|consents|accounts|card-accounts|signing-baskets|funds-confirmations'
const ENDS_WITH_VERSION = new RegExp(`${VERSION_PATH}(/(${SERVICES})(/.*)?)?/*$`)

/** An address without the version and what follows it, where it ends with them. */
export function withoutVersion(address: string): string {
  return address.replace(ENDS_WITH_VERSION, '')
}
