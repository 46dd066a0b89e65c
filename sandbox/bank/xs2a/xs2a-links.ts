/** Renders the links in responses, absolute or relative as the bank does. */
import type { Addresses } from '../context.ts'
import type { BankProfile } from '../fixture.ts'

export type Link = { readonly href: string }

/** A link to a resource of the bank, e.g. `/consents/…`. */
export function linkTo(addresses: Addresses, bank: BankProfile, path: string): Link {
  return { href: bank.links === 'absolute' ? absoluteUrl(addresses, bank, path) : `/${bank.basePath}/v1${path}` }
}

/** The URL of a bank, which its base path ends. */
export function bankUrl({ bankUrls }: Addresses, { basePath }: BankProfile): string {
  return bankUrls.get(basePath) ?? ''
}

/** The path of the authorisation server's metadata after a bank's base path, and before it as the standard requires. */
export const WELL_KNOWN = '.well-known/oauth-authorization-server'

export function metadataUrl(addresses: Addresses, bank: BankProfile): string {
  return `${bankUrl(addresses, bank)}/${WELL_KNOWN}`
}

/** The value of a `Location` header. */
export function absoluteUrl(addresses: Addresses, bank: BankProfile, path: string): string {
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
