/** Names a browser by its User-Agent header. */

/** In this order: a browser names those that it is compatible with, too. */
const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Version: 'Safari' } as const
const SYSTEMS = {
  Android: 'Android',
  iPhone: 'iOS',
  iPad: 'iPadOS',
  'Mac OS X': 'macOS',
  Windows: 'Windows',
  Linux: 'Linux',
}

/** `Chrome 140, macOS`; the header as it is where it names no browser that we know. */
export function browserName(userAgent: string): string {
  const browser = Object.entries(BROWSERS).flatMap(([token, name]) => {
    const [, version] = new RegExp(`${token}/(\\d+)`).exec(userAgent) ?? []
    return version === undefined ? [] : [`${name} ${version}`]
  })[0]
  const system = Object.entries(SYSTEMS).find(([token]) => userAgent.includes(token))?.[1]
  return browser === undefined ? userAgent : [browser, ...(system === undefined ? [] : [system])].join(', ')
}
