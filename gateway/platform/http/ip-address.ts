/** Distinguishes public internet addresses from loopback and others that are not, and groups them by network. */
import { BlockList, isIP, isIPv6 } from 'node:net'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether a host as `URL` normalises it is this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

/** An address in brackets, or an IPv4 address with a port. */
const WITH_PORT = /\[([\da-f:.]+)\](?::\d+)?|(?<![\da-f:.])(\d+(?:\.\d+){3}):\d+/gi

/** The addresses of `X-Forwarded-For` without the ports that some proxies add, Azure Application Gateway for example. */
export function withoutPorts(forwardedFor: string): string {
  return forwardedFor.replaceAll(WITH_PORT, '$1$2')
}

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

/** IANA's special-purpose registry for IPv4, and a metadata address of a cloud provider. */
const CLOSED_IPV4 = networksOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's platform answers every machine of a customer here, although the network is a public one.
  '168.63.129.16/32',
])

/** The global unicast range of IPv6; everything outside is local, translated, multicast or unassigned. */
const OPEN_IPV6 = networksOf(['2000::/3'])

/**
 * Exceptions within it: protocol assignments (Teredo, benchmarks, ORCHID), documentation, and 6to4, which embeds any
 * IPv4 address.
 */
const CLOSED_IPV6 = networksOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** IPv4-mapped IPv6, and the NAT64 prefix of DNS64: the embedded IPv4 address decides. */
const CARRIES_IPV4 = networksOf(['::ffff:0:0/96', '64:ff9b::/96'])

/** Whether an address, as `net.isIP` accepts it, belongs to a host on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  const inner = family === 6 ? innerIpv4(address) : null
  if (inner !== null) {
    return isPublicAddress(inner)
  }
  if (family === 6) {
    return OPEN_IPV6.check(address, 'ipv6') && !CLOSED_IPV6.check(address, 'ipv6')
  }
  return family === 4 && !CLOSED_IPV4.check(address, 'ipv4')
}

export function isWithin(networks: BlockList, address: string): boolean {
  const plain = isIPv6(address) ? (innerIpv4(address) ?? address) : address
  return networks.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

/** Parses networks, e.g. `10.0.0.0/8` or `fd00::/8`; a single address is a network of one. Throws for anything else. */
export function networksOf(texts: readonly string[]): BlockList {
  const networks = new BlockList()
  for (const text of texts) {
    const [address = '', bits, ...rest] = text.split('/')
    const family = isIP(address)
    const most = family === 6 ? 128 : 32
    const prefix = Number(bits ?? most)
    if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits ?? String(most)) || prefix > most) {
      throw new Error(`"${text}" is not a network such as 10.0.0.0/8 or fd00::/8`)
    }
    networks.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4')
  }
  return networks
}

/** The IPv4 address in the last 32 bits of an IPv6 address that embeds one; null for any other. */
function innerIpv4(address: string): string | null {
  if (!CARRIES_IPV4.check(address, 'ipv6')) {
    return null
  }
  // The URL parser normalises every notation: hexadecimal groups, the longest run of zeros left out.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}
