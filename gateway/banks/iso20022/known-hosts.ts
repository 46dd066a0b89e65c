/** Tells whether a server shows a key that we know it by, from a file in the form of OpenSSH's `known_hosts` (sshd(8)). */

/** The port that a host is written without. */
const USUAL_PORT = 22

/**
 * The keys, in base64, by which a host is known. Plain names are understood, with a port in the form `[host]:port`;
 * hashed names, patterns and certificate authorities are not, and match nothing.
 */
export function keysOfHost(knownHosts: string, host: string, port: number): ReadonlySet<string> {
  const name = port === USUAL_PORT ? host : `[${host}]:${port}`
  return new Set(
    knownHosts.split('\n').flatMap((line) => {
      const [names = '', , key] = line.trim().split(/\s+/)
      return key !== undefined && names.split(',').includes(name) ? [key] : []
    }),
  )
}
