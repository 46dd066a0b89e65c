/** Validates the URLs in a bank's answers: only https URLs of the bank's hosts are followed or given to a browser. */
import { isLoopback } from '../../platform/http/ip-address.ts'
import type { Bank } from '../connector/bank.ts'
import { BankError } from '../connector/bank-error.ts'

/** The absolute URL of a link, which may be relative. Throws `misconfigured` unless its host is one of the bank's. */
export function requireLinkUrl(bank: Bank, href: string): string {
  const url = URL.parse(href, bank.address)
  // As a part of a URL with this scheme, a host is in lower case and without the scheme's usual port.
  const isOf = (host: string) => url !== null && URL.parse(`${url.protocol}//${host}`)?.host === url.host
  if (url === null || !isSafe(url) || !bank.linkHosts.some(isOf)) {
    // The error shows only the host: the rest of the URL may contain a secret.
    const origin = url === null ? 'an invalid URL' : `${url.protocol}//${url.host}`
    throw new BankError('misconfigured', `The bank's link points to ${origin}, which is not among the bank's hosts`)
  }
  return url.href
}

/** The same for a link that the server follows: the host of the bank's API is also allowed. */
export function requireLinkOrApiUrl(bank: Bank, href: string): string {
  return requireLinkUrl({ ...bank, linkHosts: [...bank.linkHosts, new URL(bank.address).host] }, href)
}

/** The same for a link that is requested with tokens: only the host of the bank's API is allowed. */
export function requireApiUrl(bank: Bank, href: string): string {
  return requireLinkUrl({ ...bank, linkHosts: [new URL(bank.address).host] }, href)
}

/** Whether a base URL of a bank's API is safe: https, or http on loopback, without a trailing slash. */
export function isSafeBaseUrl(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && isSafe(url) && url.search === '' && url.hash === '' && !address.endsWith('/')
}

/** Whether a text is a host with an optional port. */
export function isLinkHost(host: string): boolean {
  return URL.parse(`https://${host}`)?.host === host.toLowerCase().replace(/:443$/, '')
}

function isSafe(url: URL): boolean {
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  return secure && url.username === '' && url.password === ''
}
