/** Resolves all addresses of a host, and rejects the host when a delivery must not connect to one of them. */
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { portOf } from '../../../platform/http/offset-port.ts'
import { type DestinationPolicy, literalAddress } from './destination-policy.ts'

/** Addresses of a host, all of which are allowed. */
export type CheckedAddresses = readonly { readonly address: string; readonly family: 4 | 6 }[]

/** The destination policy rejects the host, now and at every later attempt. */
export class DestinationNotAllowed extends Error {}

/** The host has no address now; it may have one later. */
export class DestinationNotFound extends Error {}

export type DestinationLookup = {
  /** Every address of a URL's host. Throws when there is none, or one that is not allowed. */
  find(url: URL): Promise<CheckedAddresses>
  /** Cancels outstanding DNS queries. */
  close(): void
}

/** Independent of the name servers: most of the ten seconds of a delivery remain for the request. */
const LOOKUP_MILLISECONDS = 3_000
/** The third of three name servers is still queried in time when the first two do not respond. */
const NAME_SERVER_MILLISECONDS = 700
const NAME_SERVER_TRIES = 2
/**
 * Some zones never answer for the address family that they do not have: a host with addresses does not wait for that.
 */
const SECOND_FAMILY_WAIT_MILLISECONDS = 250

/** This machine by name, which name servers need not know (RFC 6761). */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/
const LOCALHOST_ADDRESSES = ['127.0.0.1', '::1']

/**
 * Queries name servers directly: the system's own lookup occupies one of four threads for as long as a dead name server
 * does not respond, so that four dead names would block all deliveries. `nameServers` default to those of the machine.
 */
export function openDestinationLookup(
  destinations: DestinationPolicy,
  nameServers: readonly string[] | null = null,
): DestinationLookup {
  const resolver = new Resolver({ timeout: NAME_SERVER_MILLISECONDS, tries: NAME_SERVER_TRIES })
  if (nameServers !== null) {
    resolver.setServers(nameServers)
  }
  return {
    find: async (url) => {
      const literal = literalAddress(url)
      const found = literal === null ? await addressesOf(resolver, url.hostname) : [literal]
      if (!destinations.isInbox(url) && !found.every((address) => destinations.permits(address))) {
        throw new DestinationNotAllowed('The endpoint is not at a public address')
      }
      const ours = await Promise.all(found.map((address) => destinations.isInternalAddress(address, portOf(url))))
      if (ours.includes(true)) {
        throw new DestinationNotAllowed('The endpoint is at an address of Havn itself')
      }
      return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
    close: () => resolver.cancel(),
  }
}

/**
 * A lookup function without DNS: the connection uses the validated addresses, and no others (prevents DNS rebinding).
 */
export function pinnedLookup(addresses: CheckedAddresses): LookupFunction {
  return (_hostname, { all, family }, answer) => {
    const fitting = addresses.filter((each) => !family || family === each.family || family === `IPv${each.family}`)
    const [first] = fitting
    if (first === undefined) {
      answer(new DestinationNotFound('The host has no address of the requested family'), '', 0)
    } else if (all) {
      answer(null, [...fitting])
    } else {
      answer(null, first.address, first.family)
    }
  }
}

async function addressesOf(resolver: Resolver, hostname: string): Promise<readonly string[]> {
  if (LOCALHOST.test(hostname)) {
    return LOCALHOST_ADDRESSES
  }
  const { found, errors } = await resolveWithinTimeout([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  if (found.length === 0) {
    throw new DestinationNotFound(`The host has no address (${errors[0] ?? 'none'})`)
  }
  return found
}

type Resolution = { readonly found: readonly string[]; readonly errors: readonly string[] }

/** Addresses that arrived in time. Later ones are left out, because they were not validated. */
function resolveWithinTimeout(questions: readonly Promise<readonly string[]>[]): Promise<Resolution> {
  const [found, errors]: [string[], string[]] = [[], []]
  let unanswered = questions.length
  return new Promise((resolve) => {
    const end = () => resolve({ found: [...found], errors: unanswered === 0 ? errors : [...errors, NO_ANSWER] })
    let timer = setTimeout(end, LOOKUP_MILLISECONDS)
    const answered = () => {
      unanswered -= 1
      if (unanswered === 0) {
        clearTimeout(timer)
        end()
      } else if (found.length > 0) {
        clearTimeout(timer)
        timer = setTimeout(end, SECOND_FAMILY_WAIT_MILLISECONDS)
      }
    }
    for (const question of questions) {
      question
        .then(
          (addresses) => void found.push(...addresses),
          (error: unknown) => void errors.push(codeOf(error)),
        )
        .then(answered)
    }
  })
}

const NO_ANSWER = 'no name server answered in time'

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
}
