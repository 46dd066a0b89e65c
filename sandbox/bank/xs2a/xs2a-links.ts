/** Writes the addresses that answers carry, absolute or relative as the bank does. */
import { approachFor, approachNames } from '../authorisations/sca-approach.ts'
import type { Addresses } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { promisedContent } from '../push-notifications.ts'
import type { Xs2aCall, Xs2aHeaders } from './xs2a-call.ts'

export type Link = { readonly href: string }

/** A link to a resource of the bank, e.g. `/consents/…`. */
export function linkTo(addresses: Addresses, bank: BankProfile, path: string): Link {
  return { href: bank.links === 'absolute' ? absoluteAddress(addresses, bank, path) : pathOf(bank, path) }
}

/** The value of a `Location` header. */
function absoluteAddress(addresses: Addresses, bank: BankProfile, path: string): string {
  return `${addresses.xs2aUrl}${pathOf(bank, path)}`
}

/** Where the user's browser is sent to sign. */
export function signingAddress(addresses: Addresses, authorisationId: string, token: string): string {
  return `${addresses.pagesUrl}/sca/${authorisationId}/${token}`
}

/** The links that every new resource has: to itself, to its status, and at some banks to what nobody has heard of. */
export function selfLinks(addresses: Addresses, bank: BankProfile, path: string): Readonly<Record<string, Link>> {
  return {
    ...(bank.selfLink ? { self: linkTo(addresses, bank, path) } : {}),
    status: linkTo(addresses, bank, `${path}/status`),
    ...(bank.strangeLinks ? { netbank: { href: `${addresses.pagesUrl}/` }, 'x-receipt': { href: '/receipts' } } : {}),
  }
}

/** The headers that tell of every new resource: where it is, how it is signed, and whether the bank will notify. */
export function creationHeaders(
  addresses: Addresses,
  { bank, headers }: Pick<Xs2aCall, 'bank' | 'headers'>,
  path: string,
): Readonly<Record<string, string>> {
  return {
    Location: absoluteAddress(addresses, bank, path),
    'ASPSP-SCA-Approach': approachNames[approachFor(bank, headers, headers.psuId)],
    ...notificationHeaders(bank, headers),
  }
}

/** Says whether and of what the bank will notify. */
function notificationHeaders(bank: BankProfile, headers: Xs2aHeaders): Readonly<Record<string, string>> {
  return headers.notificationUri === null || !bank.notifies
    ? { 'ASPSP-Notification-Support': 'false' }
    : {
        'ASPSP-Notification-Support': 'true',
        'ASPSP-Notification-Content': promisedContent(headers.notificationContent),
      }
}

function pathOf(bank: BankProfile, path: string): string {
  return `/${bank.basePath}/v1${path}`
}
