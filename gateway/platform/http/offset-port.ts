/** Reads the ports of URLs, and derives the URLs of servers that listen at consecutive ports. */

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
}

/** The port of a URL, also when it is the default. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port)
}

/** The URL at a port so much higher, without a trailing slash. */
export function offsetPort(first: string, by: number): string {
  const url = new URL(first)
  url.port = String(portOf(url) + by)
  return url.href.replace(/\/$/, '')
}
