/** Returns the network of a client's address: that by which it is rate-limited, and that which may be logged. */
import { isIPv6 } from 'node:net'

const GROUPS = 8
const NETWORK_GROUPS = 4

/** The /24 of an IPv4 address, the /64 of an IPv6 address: enough to find a pattern, too little to find a person. */
export function loggedNetwork(address: string): string {
  const network = clientNetwork(address)
  return network.includes(':') ? network : network.replace(/\.\d+$/, '.0/24')
}

/** One subscriber usually has an entire IPv6 /64, so limiting single addresses there would limit nothing. */
export function clientNetwork(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped !== undefined || !isIPv6(address)) {
    return mapped ?? address
  }
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')]
  const zeros = tail === undefined ? [] : Array.from({ length: GROUPS - first.length - last.length }, () => '0')
  const groups = [...first, ...zeros, ...last].slice(0, NETWORK_GROUPS)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

function groupsOf(part: string): readonly string[] {
  return part === '' ? [] : part.split(':')
}
