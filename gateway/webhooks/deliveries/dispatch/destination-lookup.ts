/** Finds the addresses of a host, all of them, and refuses the host when one of them may not be connected to. */
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { type Destinations, literalAddress } from './destination-policy.ts'
import { portOf } from './internal-addresses.ts'

/** Addresses of a host, each of which may be connected to. */
export type CheckedAddresses = readonly { readonly address: string; readonly family: 4 | 6 }[]

/** The host may not be connected to, now or at another attempt. */
export class DestinationRefused extends Error {}

/** The host has no address now; it may have one later. */
export class DestinationUnknown extends Error {}

export type DestinationLookup = {
  /** Every address of a URL's host. Throws when there is none, or one that may not be connected to. */
  find(url: URL): Promise<CheckedAddresses>
  /** Ends questions that are not answered yet. */
  close(): void
}

/** Whatever name servers do: most of the ten seconds of a delivery are left for the delivery. */
const LOOKUP_MILLISECONDS = 3_000
/** The third of three name servers is still asked in time when the first two are silent. */
const NAME_SERVER_MILLISECONDS = 700
const NAME_SERVER_TRIES = 2
/** Some zones never answer for the family that they do not have: a host with addresses does not wait for that. */
const OTHER_FAMILY_MILLISECONDS = 250

/** This machine by name, which name servers need not know (RFC 6761). */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/
const LOCALHOST_ADDRESSES = ['127.0.0.1', '::1']

/**
 * Names are asked of name servers directly: the system's own lookup takes one of four threads for as long as a dead
 * name server keeps silent, so that four dead names would hold up everybody. `nameServers` are the machine's own unless
 * given.
 */
export function openDestinationLookup(
  destinations: Destinations,
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
      if (!found.every((address) => destinations.permits(address))) {
        throw new DestinationRefused('The endpoint is not at a public address')
      }
      const ours = await Promise.all(found.map((address) => destinations.isOurs(address, portOf(url))))
      if (ours.includes(true)) {
        throw new DestinationRefused('The endpoint is at an address of our own')
      }
      return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
    close: () => resolver.cancel(),
  }
}

/** A look-up that asks nobody: whoever connects gets the addresses that were checked, and no others. */
export function pinned(addresses: CheckedAddresses): LookupFunction {
  return (_hostname, { all, family }, answer) => {
    const fitting = addresses.filter((each) => !family || family === each.family || family === `IPv${each.family}`)
    const [first] = fitting
    if (first === undefined) {
      answer(new DestinationUnknown('The host has no address of the family asked for'), '', 0)
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
  const { found, problems } = await answersInTime([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  if (found.length === 0) {
    throw new DestinationUnknown(`The host has no address (${problems[0] ?? 'none'})`)
  }
  return found
}

type Answers = { readonly found: readonly string[]; readonly problems: readonly string[] }

/** What came in time. What comes later is left out: whoever checked the addresses would not have seen it. */
function answersInTime(questions: readonly Promise<readonly string[]>[]): Promise<Answers> {
  const [found, problems]: [string[], string[]] = [[], []]
  let unanswered = questions.length
  return new Promise((resolve) => {
    const end = () => resolve({ found: [...found], problems: unanswered === 0 ? problems : [...problems, NO_ANSWER] })
    let timer = setTimeout(end, LOOKUP_MILLISECONDS)
    const answered = () => {
      unanswered -= 1
      if (unanswered === 0) {
        clearTimeout(timer)
        end()
      } else if (found.length > 0) {
        clearTimeout(timer)
        timer = setTimeout(end, OTHER_FAMILY_MILLISECONDS)
      }
    }
    for (const question of questions) {
      question
        .then(
          (addresses) => void found.push(...addresses),
          (error: unknown) => void problems.push(codeOf(error)),
        )
        .then(answered)
    }
  })
}

const NO_ANSWER = 'no name server answered in time'

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
}
