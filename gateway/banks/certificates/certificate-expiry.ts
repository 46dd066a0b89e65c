/** Warns of certificates that end soon, in the log and as a measure, so that nobody notices by being refused. */
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { isValidAt, type OwnCertificate } from './tpp-certificate.ts'
import type { BankIdentity, Certificates } from './tpp-certificates.ts'

/** What operators see of a certificate. */
export type ShownCertificate = {
  readonly certificate: string
  readonly organizationIdentifier: string | null
  readonly roles: readonly string[]
  readonly expiresAt: string
  readonly warning?: string
}

/** A new qualified certificate takes weeks to get. */
export const WARNED_BEFORE_DAYS = 30
const HOURS_OF_A_DAY = 24

/** What is in use, for people; `warning` where somebody must act. */
export function showCertificates({ qwac, qseal }: BankIdentity, now: Temporal.Instant): readonly ShownCertificate[] {
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

/** The same as operators find it at `/readyz`; nothing where there are no certificates. */
export function certificateDetails(context: {
  readonly certificates: Certificates
  readonly clock: Pick<Clock, 'real'>
}): { readonly certificates?: readonly ShownCertificate[] } {
  const certificates = showCertificates(context.certificates.current(), context.clock.real())
  return certificates.length === 0 ? {} : { certificates }
}

/** Makes the watch: each look brings the measure up to date, and warns once a day and certificate. */
export function expiryWatch(
  { certificateExpiry }: Pick<Metrics, 'certificateExpiry'>,
  log: Pick<Log, 'warn' | 'error'>,
  now: () => Temporal.Instant,
): (identity: BankIdentity) => void {
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

function warningOf(own: OwnCertificate, now: Temporal.Instant): string | undefined {
  const { use, notBefore, notAfter } = own
  if (Temporal.Instant.compare(now, notBefore) < 0) {
    return `The ${use} is not valid yet: banks refuse it until ${notBefore}`
  }
  if (!isValidAt(own, now)) {
    return `The ${use} has expired: banks refuse it`
  }
  const hoursLeft = notAfter.since(now).total('hours')
  return hoursLeft < WARNED_BEFORE_DAYS * HOURS_OF_A_DAY
    ? `The ${use} expires in ${Math.floor(hoursLeft / HOURS_OF_A_DAY)} days: get a new one`
    : undefined
}
