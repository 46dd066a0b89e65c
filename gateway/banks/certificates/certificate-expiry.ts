/** Warns of certificates that expire soon, in the log and as a metric. */
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { certificateLabel, isValidAt, type TppCertificate } from './tpp-certificate.ts'
import type { TppCertificates, TppIdentity } from './tpp-certificates.ts'

/** A certificate as operators see it. */
export type CertificateStatus = {
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
  certificates: Pick<TppCertificates, 'all' | 'warningDays'>,
  now: Temporal.Instant,
): readonly CertificateStatus[] {
  return certificates
    .all()
    .flatMap(certificatesIn)
    .map((own) => {
      const warning = expiryWarningOf(own, now, certificates.warningDays)
      return {
        certificate: certificateLabel(own),
        organizationIdentifier: own.organizationIdentifier,
        roles: own.roles,
        expiresAt: own.notAfter.toString(),
        ...(own.use === 'QWAC'
          ? { clientAuthentication: own.extendedKeyUsage === null ? 'unrestricted' : 'named' }
          : {}),
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

/** Returns a function that updates the metrics and logs a warning at most once per day and certificate. */
export function monitorCertificateExpiry(
  { certificateExpiry, certificateWarning }: Pick<Metrics, 'certificateExpiry' | 'certificateWarning'>,
  log: Pick<Log, 'warn' | 'error'>,
  { now, warningDays }: { readonly now: () => Temporal.Instant; readonly warningDays: number },
): (identities: readonly TppIdentity[]) => void {
  const warnedOn = new Map<string, string>()
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
  }
}

function certificatesIn({ qwac, qseal }: TppIdentity): readonly TppCertificate[] {
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
