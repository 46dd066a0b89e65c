/** Decides which addresses of a bank's answers are followed or given to a browser: the bank's own, over https. */
import { isLoopback } from '../../platform/http/loopback.ts'
import { BankRefusal } from '../connector/bank-error.ts'
import type { Bank } from '../directory/bank.ts'

/** The absolute address of a link, which may be relative to the bank's host; refused unless its host is the bank's. */
export function addressOf(bank: Bank, href: string): string {
  const url = URL.parse(href, bank.address)
  if (url === null || !isOfBank(bank, url)) {
    // Nothing of the address but its host is told: the rest may be a capability.
    const place = url === null ? 'no address' : `${url.protocol}//${url.host}`
    throw new BankRefusal('misconfigured', `The bank's link leads to ${place}, which is not among the bank's hosts`)
  }
  return url.href
}

/** The same of a link that the server follows: it may also lead to where the bank's interface itself is. */
export function interfaceAddressOf(bank: Bank, href: string): string {
  return addressOf({ ...bank, linkHosts: [...bank.linkHosts, new URL(bank.address).host] }, href)
}

/** The same of a link that is followed with whatever opens an account: to where the interface is, and no page of users. */
export function ownAddressOf(bank: Bank, href: string): string {
  return addressOf({ ...bank, linkHosts: [new URL(bank.address).host] }, href)
}

/** Whether an address of a bank's interface can be called: https, or http on loopback, with no slash at its end. */
export function isSafeAddress(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && isSafe(url) && url.search === '' && url.hash === '' && !address.endsWith('/')
}

/** Whether a text is a host, with a port unless it is that of https. */
export function isHostOfLinks(host: string): boolean {
  return URL.parse(`https://${host}`)?.host === host.toLowerCase().replace(/:443$/, '')
}

function isOfBank(bank: Bank, url: URL): boolean {
  const place = hostAndPort(url.host, url.protocol)
  return isSafe(url) && bank.linkHosts.some((host) => hostAndPort(host, url.protocol) === place)
}

function isSafe(url: URL): boolean {
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  return secure && url.username === '' && url.password === ''
}

/** Host and port in one spelling, with the scheme's own port written out. */
function hostAndPort(host: string, protocol: string): string | undefined {
  const url = URL.parse(`${protocol}//${host}`)
  return url === null ? undefined : `${url.hostname}:${url.port || (protocol === 'https:' ? '443' : '80')}`
}
