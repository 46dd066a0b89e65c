/** Writes the outcome into the URL that the user is returned to. */
import type { ScaOutcome } from './sca-session.ts'

/**
 * The partner's URL as it was written, with the confirmed outcome in its query: in place of a `status` that it has, else
 * as the last parameter. Partners compare and sign these URLs, so nothing else changes, as parsing it would (`%20`).
 */
export function withStatusParameter(url: string, outcome: ScaOutcome): string {
  // URLs are parsed without the blanks around them.
  const [, address = '', query = '', fragment = ''] = /^([^?#]*)\??([^#]*)(#.*)?$/s.exec(url.trim()) ?? []
  const status = `status=${outcome}`
  const parameters = query.split('&')
  const first = parameters.findIndex(isStatus)
  if (first < 0) {
    return `${address}?${query}${/[^&]$/.test(query) ? '&' : ''}${status}${fragment}`
  }
  const others = parameters.filter((parameter, index) => index === first || !isStatus(parameter))
  return `${address}?${others.with(first, status).join('&')}${fragment}`
}

/** Whether the parameter is named `status`, in whatever encoding. */
function isStatus(parameter: string): boolean {
  // A leading question mark would be taken for the beginning of the query.
  return new URLSearchParams(`&${parameter}`).has('status')
}
