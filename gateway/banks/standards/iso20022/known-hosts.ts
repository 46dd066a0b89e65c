/** Finds the keys of a server in a `known_hosts` file of OpenSSH (sshd(8)), and asks for one of them. */
import { createHmac } from 'node:crypto'
import type { ServerHostKeyAlgorithm } from 'ssh2'

/** The port that is left out of host names. */
const USUAL_PORT = 22
const HASHED = /^\|1\|([^|]+)\|([^|]+)$/

type Line = { readonly marker: string | undefined; readonly hosts: string; readonly key: string }

/**
 * The keys of a host in base64 that are not revoked. Certificate authorities are not supported: their lines match
 * nothing.
 */
export function keysOfHost(knownHosts: string, host: string, port: number): ReadonlySet<string> {
  const name = port === USUAL_PORT ? host : `[${host}]:${port}`
  const lines = knownHosts.split('\n').flatMap(lineOf)
  const known = lines.filter(({ marker, hosts }) => marker === undefined && isListed(hosts, name))
  // A revocation applies to all ports.
  const revoked = lines
    .filter(({ marker, hosts }) => marker === '@revoked' && (isListed(hosts, name) || isListed(hosts, host)))
    .map(({ key }) => key)
  return new Set(known.map(({ key }) => key)).difference(new Set(revoked))
}

const KEY_TYPE = /ssh-[a-z0-9]+|ecdsa-sha2-nistp\d+/
const ALGORITHMS: readonly ServerHostKeyAlgorithm[] = [
  ...(['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'] as const),
  ...(['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'] as const),
]

/** A server with several keys shows the first that is asked for: those of known types come first, as OpenSSH has it. */
export function hostKeyAlgorithms(known: ReadonlySet<string>): ServerHostKeyAlgorithm[] {
  const types = new Set([...known].map((key) => KEY_TYPE.exec(Buffer.from(key, 'base64').toString('latin1'))?.[0]))
  const isKnown = (algorithm: string) => types.has(algorithm.replace(/^rsa-.*/, 'ssh-rsa'))
  return ALGORITHMS.toSorted((one, other) => Number(isKnown(other)) - Number(isKnown(one)))
}

function lineOf(text: string): readonly Line[] {
  const words = text.trim().split(/\s+/)
  const marker = words[0]?.startsWith('@') ? words.shift() : undefined
  const [hosts = '', , key] = words
  return key === undefined || hosts.startsWith('#') ? [] : [{ marker, hosts, key }]
}

/** A matching negated pattern excludes the host, whatever else the line lists. */
function isListed(hosts: string, name: string): boolean {
  const patterns = hosts.split(',')
  const isExcluded = patterns.some((pattern) => pattern.startsWith('!') && matches(pattern.slice(1), name))
  return !isExcluded && patterns.some((pattern) => matches(pattern, name))
}

function matches(pattern: string, name: string): boolean {
  const lowerName = name.toLowerCase()
  const [, salt, hash] = HASHED.exec(pattern) ?? []
  if (salt !== undefined) {
    return createHmac('sha1', Buffer.from(salt, 'base64')).update(lowerName).digest('base64') === hash
  }
  const expression = pattern
    .toLowerCase()
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${expression}$`).test(lowerName)
}
