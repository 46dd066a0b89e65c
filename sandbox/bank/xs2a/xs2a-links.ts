/** Renders the links in responses, absolute or relative as the bank does. */
import { approachNames, chooseScaApproach } from '../authorisations/sca-approach.ts'
import type { Addresses } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { acceptedNotificationContent } from '../push-notifications.ts'
import type { Xs2aCall, Xs2aHeaders } from './xs2a-call.ts'

export type Link = { readonly href: string }

/** A link to a resource of the bank, e.g. `/consents/…`. */
export function linkTo(addresses: Addresses, bank: BankProfile, path: string): Link {
  return { href: bank.links === 'absolute' ? absoluteUrl(addresses, bank, path) : pathOf(bank, path) }
}

/** The URL of a bank, which its base path ends. */
export function bankUrl({ bankUrls }: Addresses, { basePath }: BankProfile): string {
  return bankUrls.get(basePath) ?? ''
}

/** The value of a `Location` header. */
function absoluteUrl(addresses: Addresses, bank: BankProfile, path: string): string {
  return `${bankUrl(addresses, bank)}/v1${path}`
}

/** The URL to which the user's browser is redirected for SCA. */
export function scaPageUrl(addresses: Addresses, authorisationId: string, token: string): string {
  return `${addresses.pagesUrl}/sca/${authorisationId}/${token}`
}

/** The links of every new resource: self, status, and at some banks one that the standard does not define. */
export function selfLinks(addresses: Addresses, bank: BankProfile, path: string): Readonly<Record<string, Link>> {
  return {
    ...(bank.selfLink ? { self: linkTo(addresses, bank, path) } : {}),
    status: linkTo(addresses, bank, `${path}/status`),
    ...(bank.strangeLinks ? { netbank: { href: `${addresses.pagesUrl}/` }, 'x-receipt': { href: '/receipts' } } : {}),
  }
}

/** The headers of every creation response: location, SCA approach, and notification support. */
export function creationHeaders(
  addresses: Addresses,
  { bank, headers }: Pick<Xs2aCall, 'bank' | 'headers'>,
  path: string,
): Readonly<Record<string, string>> {
  return {
    Location: absoluteUrl(addresses, bank, path),
    'ASPSP-SCA-Approach': approachNames[chooseScaApproach(bank, headers, headers.psuId)],
    ...notificationHeaders(bank, headers),
  }
}

/** Whether the bank will send notifications, and with which content. */
function notificationHeaders(bank: BankProfile, headers: Xs2aHeaders): Readonly<Record<string, string>> {
  return headers.notificationUri === null || !bank.notifies
    ? { 'ASPSP-Notification-Support': 'false' }
    : {
        'ASPSP-Notification-Support': 'true',
        'ASPSP-Notification-Content': acceptedNotificationContent(headers.notificationContent),
      }
}

function pathOf(bank: BankProfile, path: string): string {
  return `/${bank.basePath}/v1${path}`
}
