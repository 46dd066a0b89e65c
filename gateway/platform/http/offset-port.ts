/** Derives URLs of servers that listen at consecutive ports. */

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** The URL at a port so much higher, without a trailing slash. */
export function offsetPort(first: string, by: number): string {
  const url = new URL(first)
  url.port = String(Number(url.port || PORTS[url.protocol]) + by)
  return url.href.replace(/\/$/, '')
}
