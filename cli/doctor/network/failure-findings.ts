/** Makes findings of failed requests: DNS, a closed port, a firewall and TLS need different actions. */
import { type Check, checksOf, type Finding } from '../check.ts'
import type { FailureKind, RequestFailure } from './request-url.ts'

/** What cannot be reached, for the texts. */
export type Target = {
  /** Prefix of the ids of its checks. */
  readonly prefix: string
  readonly name: string
  readonly where: string
  readonly url: URL
  /** How its server's certificate becomes trusted. */
  readonly trust: string
}

/** The checks of a kind of target. */
export function failureChecks(prefix: string, what: string, see: string): Readonly<Record<string, Check>> {
  const check = (finds: string) => checksOf(see).error(`${what} ${finds}`)
  return {
    [`${prefix}-name-unknown`]: check('has no address (DNS)'),
    [`${prefix}-port-closed`]: check('refuses the connection (closed port or egress)'),
    [`${prefix}-timeout`]: check('does not respond in time (closed egress)'),
    [`${prefix}-untrusted`]: check('has a TLS certificate that is expired, of another host, or of an unknown issuer'),
    [`${prefix}-rejects-certificate`]: check('rejects our TLS certificate, or has none'),
    [`${prefix}-failed`]: check('does not speak HTTP or TLS, or closes the connection'),
  }
}

export function failureFinding({ prefix, name, where, url, trust }: Target, failed: RequestFailure): Finding {
  const { hostname, host } = url
  const texts: Readonly<Record<FailureKind, readonly [problem: string, action: string]>> = {
    'name-unknown': [
      `The host ${hostname} has no address`,
      `Correct the URL, or the DNS of this host: getent hosts ${hostname}`,
    ],
    'port-closed': [
      `${host} refuses the connection`,
      `Correct host and port, or open the firewall: nc -vz ${hostname} ${portOf(url)}`,
    ],
    timeout: [
      `${host} does not respond`,
      `Allow outgoing connections to ${hostname} port ${portOf(url)}: nc -vz ${hostname} ${portOf(url)}`,
    ],
    untrusted: [`The TLS certificate of ${host} is not trusted`, trust],
    'rejects-certificate': [
      `${host} ends the TLS handshake`,
      'Check the QWAC: havn certificates show, and whether the other side knows its issuer.',
    ],
    failed: [`${host} does not answer as HTTP`, 'Correct scheme, host and port of the URL.'],
  }
  const [problem, action] = texts[failed.failure]
  return { check: `${prefix}-${failed.failure}`, problem: `${name}: ${problem} (${failed.reason})`, where, action }
}

function portOf({ port, protocol }: URL): string {
  return port === '' ? ({ 'http:': '80' }[protocol] ?? '443') : port
}
