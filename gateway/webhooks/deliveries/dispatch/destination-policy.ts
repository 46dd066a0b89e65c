/** Parses endpoint URLs of partners, and decides whether deliveries may be sent to an address of their host. */
import { type BlockList, isIP } from 'node:net'
import { setMostRecent } from '../../../platform/collections.ts'
import { isLoopback, isPublicAddress, isWithin, networksOf } from '../../../platform/http/ip-address.ts'
import type { InternalAddresses } from './internal-addresses.ts'

/** Destinations that a sandbox may allow in addition to public https; in production both are off. */
export type DestinationRules = {
  /** Networks that are allowed although they are not public, e.g. `127.0.0.0/8`. */
  readonly allowedNetworks: readonly string[]
  /** On this machine only: elsewhere others could read the events. */
  readonly httpAllowed: boolean
  /** The URL of the sandbox's webhook inbox, whose origin is allowed as well; null without one. */
  readonly inboxUrl?: string | null
  /** Never allowed, whatever else is. */
  readonly own?: InternalAddresses
}

/** The policy, applied to every delivery. */
export type DestinationPolicy = {
  /** The parsed URL, or the error in its syntax. Its host is not resolved here: DNS may change at any time. */
  read(target: string): Destination | TargetUrlError
  /** Whether deliveries may connect to an address of a host. */
  permits(address: string): boolean
  /** Whether it is the sandbox's webhook inbox, which need not be at a public address. */
  isInbox(url: URL): boolean
  /** Whether an allowed address is one of our own services. */
  isInternalAddress(address: string, port: number): Promise<boolean>
}

/** A parsed URL with the properties that every delivery needs. */
export type Destination = { readonly url: URL; readonly origin: string; readonly path: string }

export type TargetUrlError = { readonly problem: string }

/** Longer than any real endpoint, and the limit of common servers. */
const TARGET_CHARACTERS_MAX = 2048

/** Cache of parsed URLs: endpoints get many deliveries, and parsing depends on nothing else. A megabyte or two. */
const READ_MAX = 1_000

const INTERNAL_ADDRESS = 'The address belongs to Havn itself'

/** Rejects what the URL parser would repair silently: blanks, control characters, backslashes, one slash. */
const WELL_FORMED_URL = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?][^\s\p{Cc}\\]*)?$/iu

/** Throws when a network cannot be parsed. */
export function openDestinationPolicy(rules: DestinationRules): DestinationPolicy {
  const { allowedNetworks, httpAllowed, inboxUrl = null, own } = rules
  const inboxOrigin = inboxUrl === null ? null : new URL(inboxUrl).origin
  const allowed: BlockList = networksOf(allowedNetworks)
  const readByTarget = new Map<string, Destination | TargetUrlError>()
  const readOnce = (target: string): Destination | TargetUrlError => {
    const read = parseTargetUrl(target, httpAllowed, inboxOrigin)
    const result = !('problem' in read) && own?.isOwnUrl(read.url) ? { problem: INTERNAL_ADDRESS } : read
    setMostRecent(readByTarget, [target, result], READ_MAX)
    return result
  }
  return {
    read: (target) => readByTarget.get(target) ?? readOnce(target),
    permits: (address) => isPublicAddress(address) || isWithin(allowed, address),
    isInbox: ({ origin }) => origin === inboxOrigin,
    isInternalAddress: async (address, port) =>
      !isPublicAddress(address) && (await own?.isInternalAddress(address, port)) === true,
  }
}

/** The host of a URL when it is an IP address in any notation; null when it is a name. */
export function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? null : bare
}

function parseTargetUrl(
  target: string,
  httpAllowed: boolean,
  inboxOrigin: string | null,
): Destination | TargetUrlError {
  if (target.length > TARGET_CHARACTERS_MAX) {
    return { problem: `The address is longer than ${TARGET_CHARACTERS_MAX} characters` }
  }
  if (!URL.canParse(target)) {
    return { problem: 'The address is not a URL' }
  }
  const url = new URL(target)
  const isHttpAllowed = (httpAllowed && isLoopback(url.hostname)) || url.origin === inboxOrigin
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHttpAllowed)) {
    const exception = httpAllowed ? ', or with http://localhost or http://127.0.0.1 for this machine' : ''
    return { problem: `The address must begin with https://${exception}` }
  }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'The address must not contain a user name or password' }
  }
  if (target.includes('#')) {
    return { problem: 'The address must not contain a fragment' }
  }
  if (url.port === '0' || !WELL_FORMED_URL.test(target)) {
    return { problem: 'The address is not a canonical URL with a host' }
  }
  return { url, origin: url.origin, path: `${url.pathname}${url.search}` }
}
