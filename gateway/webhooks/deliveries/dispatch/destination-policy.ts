/** Reads the address of a partner's endpoint, and says whether deliveries may go to an address that its host has. */
import { type BlockList, isIP } from 'node:net'
import type { OwnPlaces } from './internal-addresses.ts'
import { isPublicAddress, isWithin, networksOf } from './public-address.ts'

/** What a sandbox may permit besides public https; in production both are off. */
export type DestinationRules = {
  /** Networks that may be reached although they are not public, e.g. `127.0.0.0/8`. */
  readonly allowedNetworks: readonly string[]
  readonly httpAllowed: boolean
  /** Where no delivery may go, whatever is permitted. */
  readonly own?: OwnPlaces
}

/** Rules as they are asked, of every delivery. */
export type Destinations = {
  /** The address, or what is wrong with its form. Whom it leads to is not asked: names may change at any time. */
  read(target: string): Destination | TargetProblem
  /** Whether a host's address may be connected to. */
  permits(address: string): boolean
  /** Whether what answers at a permitted address is ours. */
  isOurs(address: string, port: number): Promise<boolean>
}

/** An address that was read, with what every delivery asks of it. */
export type Destination = { readonly url: URL; readonly origin: string; readonly path: string }

export type TargetProblem = { readonly problem: string }

/** Longer than any endpoint, and what the common servers take. */
const TARGET_CHARACTERS_MAX = 2048

/** Endpoints get many deliveries; what their addresses read as depends on nothing else. A megabyte or two. */
const READ_MAX = 1_000

const OUR_OWN = 'The address is one of our own'

/** What the URL parser would repair in silence is no address: blanks, control characters, backslashes, one slash. */
const PLAIN = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?][^\s\p{Cc}\\]*)?$/iu

/** Throws when a network cannot be read. */
export function openDestinations({ allowedNetworks, httpAllowed, own }: DestinationRules): Destinations {
  const allowed: BlockList = networksOf(allowedNetworks)
  const readByTarget = new Map<string, Destination | TargetProblem>()
  const readOnce = (target: string): Destination | TargetProblem => {
    const read = readTarget(target, httpAllowed)
    const judged = !('problem' in read) && own?.isKnownAsOurs(read.url) ? { problem: OUR_OWN } : read
    const [oldest] = readByTarget.size < READ_MAX ? [] : readByTarget.keys()
    readByTarget.delete(oldest ?? '')
    readByTarget.set(target, judged)
    return judged
  }
  return {
    read: (target) => readByTarget.get(target) ?? readOnce(target),
    permits: (address) => isPublicAddress(address) || isWithin(allowed, address),
    isOurs: async (address, port) => !isPublicAddress(address) && (await own?.isOurs(address, port)) === true,
  }
}

/** The host of an address, when it is an IP address however written; null when it is a name. */
export function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? null : bare
}

function readTarget(target: string, httpAllowed: boolean): Destination | TargetProblem {
  if (target.length > TARGET_CHARACTERS_MAX) {
    return { problem: `The address is longer than ${TARGET_CHARACTERS_MAX} characters` }
  }
  if (!URL.canParse(target)) {
    return { problem: 'The address is not a URL' }
  }
  const url = new URL(target)
  if (url.protocol !== 'https:' && !(httpAllowed && url.protocol === 'http:')) {
    return { problem: 'The address must begin with https://' }
  }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'The address must not contain a user name or password' }
  }
  if (target.includes('#')) {
    return { problem: 'The address must not contain a fragment' }
  }
  if (url.port === '0' || !PLAIN.test(target)) {
    return { problem: 'The address is not written as a URL of a host' }
  }
  return { url, origin: url.origin, path: `${url.pathname}${url.search}` }
}
