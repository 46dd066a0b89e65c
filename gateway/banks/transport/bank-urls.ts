/** Validates the URLs in a bank's answers: only https URLs of the bank's hosts are followed or given to a browser. */
import { isLoopback } from '../../platform/http/ip-address.ts'
import type { Bank } from '../connector/bank.ts'
import { BankError } from '../connector/bank-error.ts'

/** The absolute URL of a link, which may be relative. Throws `misconfigured` unless its host is one of the bank's. */
export function requireLinkUrl(bank: Bank, href: string): string {
  const url = URL.parse(href, bank.address)
  const origin = url === null ? undefined : hostAndPort(url.host, url.protocol)
  if (url === null || !isSafe(url) || !bank.linkHosts.some((host) => hostAndPort(host, url.protocol) === origin)) {
    // The error shows only the host: the rest of the URL may contain a secret.
    const shown = url === null ? 'an invalid URL' : `${url.protocol}//${url.host}`
    throw new BankError('misconfigured', `The bank's link points to ${shown}, which is not among the bank's hosts`)
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

/** Normalised host and port, with the scheme's default port made explicit. */
function hostAndPort(host: string, protocol: string): string | undefined {
  const url = URL.parse(`${protocol}//${host}`)
  return url === null ? undefined : `${url.hostname}:${url.port || (protocol === 'https:' ? '443' : '80')}`
}
