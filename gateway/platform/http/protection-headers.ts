/** The headers of every response, of which a route may replace those that say how long it may be stored and what it loads. */

const YEAR_SECONDS = 31_536_000

/**
 * Responses hold personal data and amounts: no cache may store them. Behind an https URL, browsers must use no other scheme
 * (RFC 6797), also where the proxy that ends TLS sets no such header. What is no page loads nothing, and no page frames it.
 */
export function protectionHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
  }
}
