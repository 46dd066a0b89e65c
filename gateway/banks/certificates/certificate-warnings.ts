/** Warns of certificates that expire soon, in the log and as a metric, and of valid ones that banks will reject. */

import { isIP } from 'node:net'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { certificateLabel, isValidAt, type Psd2Role, type TppCertificate } from './tpp-certificate.ts'
import type { TppCertificates, TppIdentity } from './tpp-certificates.ts'

/** A certificate as operators see it. */
type CertificateStatus = {
  readonly certificate: string
  readonly organizationIdentifier: string | null
  readonly roles: readonly string[]
  readonly expiresAt: string
  /** Of a QWAC: whether its extended key usage names client authentication, or does not restrict its use. */
  readonly clientAuthentication?: 'named' | 'unrestricted'
  readonly warning?: string
}

const HOURS_OF_A_DAY = 24

/** The certificates in use, for operators; `warning` where they must act. */
export function listCertificateStatuses(
  certificates: Pick<TppCertificates, 'byName' | 'warningDays'>,
  now: Temporal.Instant,
): readonly CertificateStatus[] {
  return [...certificates.byName.values()].flatMap(certificatesIn).map((own) => {
    const warning = expiryWarningOf(own, now, certificates.warningDays)
    return {
      certificate: certificateLabel(own),
      organizationIdentifier: own.organizationIdentifier,
      roles: own.roles,
      expiresAt: own.notAfter.toString(),
      ...(own.use === 'QWAC' ? { clientAuthentication: own.extendedKeyUsage === null ? 'unrestricted' : 'named' } : {}),
      ...(warning === undefined ? {} : { warning }),
    }
  })
}

/** The same for `/readyz`; empty without certificates. */
export function certificateDetails(
  certificates: TppCertificates,
  clock: Pick<Clock, 'real'>,
): { readonly certificates?: readonly CertificateStatus[] } {
  const statuses = listCertificateStatuses(certificates, clock.real())
  return statuses.length === 0 ? {} : { certificates: statuses }
}

/**
 * Returns a function that updates the metrics, logs a warning of expiry at most once per day and certificate, and one of
 * what banks will reject whenever a pair changes. Banks redirect users to `baseUrl`.
 */
export function monitorCertificates(
  { certificateExpiry, certificateWarning }: Pick<Metrics, 'certificateExpiry' | 'certificateWarning'>,
  log: Pick<Log, 'warn' | 'error'>,
  {
    now,
    warningDays,
    baseUrl,
  }: { readonly now: () => Temporal.Instant; readonly warningDays: number; readonly baseUrl: string },
): (identities: readonly TppIdentity[]) => void {
  const warnedOn = new Map<string, string>()
  const checked = new Map<string | null, TppIdentity>()
  return (identities) => {
    const at = now()
    const today = at.toZonedDateTimeISO('UTC').toPlainDate().toString()
    for (const own of identities.flatMap(certificatesIn)) {
      const certificate = certificateLabel(own)
      certificateExpiry.set({ certificate }, own.notAfter.epochMilliseconds / 1000)
      const warnedFrom = own.notAfter.subtract({ hours: warningDays * HOURS_OF_A_DAY })
      certificateWarning.set({ certificate }, warnedFrom.epochMilliseconds / 1000)
      const warning = expiryWarningOf(own, at, warningDays)
      const key = `${certificate} ${own.certificate.serialNumber}`
      if (warning !== undefined && warnedOn.get(key) !== today) {
        warnedOn.set(key, today)
        const fields = { certificate, expiresAt: own.notAfter.toString() }
        log[isValidAt(own, at) ? 'warn' : 'error'](fields, warning)
      }
    }
    for (const identity of identities.filter((one) => one !== checked.get(one.name))) {
      checked.set(identity.name, identity)
      for (const warning of mismatchesOf(identity, new URL(baseUrl).hostname)) {
        log.warn(warning)
      }
    }
  }
}

function certificatesIn({ qwac, qseal }: Pick<TppIdentity, 'qwac' | 'qseal'>): readonly TppCertificate[] {
  return [qwac, qseal].filter((one) => one !== null)
}

function expiryWarningOf(own: TppCertificate, now: Temporal.Instant, warningDays: number): string | undefined {
  const { notBefore, notAfter } = own
  const label = certificateLabel(own)
  if (Temporal.Instant.compare(now, notBefore) < 0) {
    return `The ${label} is not valid yet: banks reject it until ${notBefore}`
  }
  if (!isValidAt(own, now)) {
    return `The ${label} has expired: banks reject it`
  }
  const hoursLeft = notAfter.since(now).total('hours')
  return hoursLeft < warningDays * HOURS_OF_A_DAY
    ? `The ${label} expires in ${Math.floor(hoursLeft / HOURS_OF_A_DAY)} days: request a new one`
    : undefined
}

/** The roles that the gateway's requests to banks require. */
const ROLES_NEEDED: readonly Psd2Role[] = ['PSP_PI', 'PSP_AI']

function mismatchesOf({ qwac, qseal }: TppIdentity, host: string): readonly string[] {
  const bare = host.replace(/^\[|\]$/g, '')
  const named = isIP(bare) === 0 ? qwac?.certificate.checkHost(bare) : qwac?.certificate.checkIP(bare)
  const areDifferent = qwac !== null && qseal !== null && qwac.organizationIdentifier !== qseal.organizationIdentifier
  return [
    ...(qwac !== null && named === undefined
      ? [`The ${certificateLabel(qwac)} does not name ${host}: banks may not send users back there`]
      : []),
    ...(areDifferent
      ? [`${certificateLabel(qwac)} and ${certificateLabel(qseal)} name different licences: banks reject one of them`]
      : []),
    ...certificatesIn({ qwac, qseal }).flatMap((own) => {
      const missing = ROLES_NEEDED.filter((role) => !own.roles.includes(role)).join(' and ')
      const text = `The ${certificateLabel(own)} lacks the role ${missing}: banks reject requests that require it`
      return missing === '' ? [] : [text]
    }),
  ]
}
