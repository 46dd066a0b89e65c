/** Warns of certificates that expire soon, in the log and as a metric. */
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { isValidAt, type TppCertificate } from './tpp-certificate.ts'
import type { TppCertificates, TppIdentity } from './tpp-certificates.ts'

/** A certificate as operators see it. */
export type CertificateStatus = {
  readonly certificate: string
  readonly organizationIdentifier: string | null
  readonly roles: readonly string[]
  readonly expiresAt: string
  readonly warning?: string
}

/** It takes weeks to get a new qualified certificate. */
export const EXPIRY_WARNING_DAYS = 30
const HOURS_OF_A_DAY = 24

/** The certificates in use, for operators; `warning` where they must act. */
export function listCertificateStatuses(
  { qwac, qseal }: TppIdentity,
  now: Temporal.Instant,
): readonly CertificateStatus[] {
  return [qwac, qseal].flatMap((own) => {
    if (own === null) {
      return []
    }
    const warning = warningOf(own, now)
    return {
      certificate: own.use,
      organizationIdentifier: own.organizationIdentifier,
      roles: own.roles,
      expiresAt: own.notAfter.toString(),
      ...(warning === undefined ? {} : { warning }),
    }
  })
}

/** The same for `/readyz`; empty without certificates. */
export function certificateDetails(context: {
  readonly certificates: TppCertificates
  readonly clock: Pick<Clock, 'real'>
}): { readonly certificates?: readonly CertificateStatus[] } {
  const certificates = listCertificateStatuses(context.certificates.current(), context.clock.real())
  return certificates.length === 0 ? {} : { certificates }
}

/** Returns a function that updates the metric and logs a warning at most once per day and certificate. */
export function monitorCertificateExpiry(
  { certificateExpiry }: Pick<Metrics, 'certificateExpiry'>,
  log: Pick<Log, 'warn' | 'error'>,
  now: () => Temporal.Instant,
): (identity: TppIdentity) => void {
  const warnedOn = new Map<string, string>()
  return (identity) => {
    const at = now()
    const today = at.toZonedDateTimeISO('UTC').toPlainDate().toString()
    for (const own of [identity.qwac, identity.qseal].filter((one) => one !== null)) {
      certificateExpiry.set({ certificate: own.use }, own.notAfter.epochMilliseconds / 1000)
      const warning = warningOf(own, at)
      const key = `${own.use} ${own.certificate.serialNumber}`
      if (warning !== undefined && warnedOn.get(key) !== today) {
        warnedOn.set(key, today)
        const fields = { certificate: own.use, expiresAt: own.notAfter.toString() }
        log[isValidAt(own, at) ? 'warn' : 'error'](fields, warning)
      }
    }
  }
}

function warningOf(own: TppCertificate, now: Temporal.Instant): string | undefined {
  const { use, notBefore, notAfter } = own
  if (Temporal.Instant.compare(now, notBefore) < 0) {
    return `The ${use} is not valid yet: banks reject it until ${notBefore}`
  }
  if (!isValidAt(own, now)) {
    return `The ${use} has expired: banks reject it`
  }
  const hoursLeft = notAfter.since(now).total('hours')
  return hoursLeft < EXPIRY_WARNING_DAYS * HOURS_OF_A_DAY
    ? `The ${use} expires in ${Math.floor(hoursLeft / HOURS_OF_A_DAY)} days: request a new one`
    : undefined
}
