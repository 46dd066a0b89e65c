/** Warns of valid certificates that banks will reject, because of mismatched licences, hosts or roles. */
import { isIP } from 'node:net'
import type { Log } from '../../platform/observability/log.ts'
import type { Psd2Role } from './qc-statements.ts'
import { certificateLabel, type TppCertificate } from './tpp-certificate.ts'
import type { TppIdentity } from './tpp-certificates.ts'

/** The roles that the gateway's requests to banks require. */
const ROLES_NEEDED: readonly Psd2Role[] = ['PSP_PI', 'PSP_AI']

/** Returns a function that warns whenever the certificates change. Banks redirect users to `baseUrl`. */
export function monitorCertificateMismatches(
  baseUrl: string,
  log: Pick<Log, 'warn'>,
): (identities: readonly TppIdentity[]) => void {
  const checked = new Map<string | null, TppIdentity>()
  return (identities) => {
    for (const identity of identities.filter((one) => one !== checked.get(one.name))) {
      checked.set(identity.name, identity)
      for (const warning of mismatchesOf(identity, new URL(baseUrl).hostname)) {
        log.warn(warning)
      }
    }
  }
}

function mismatchesOf({ qwac, qseal }: TppIdentity, host: string): readonly string[] {
  const both = qwac !== null && qseal !== null
  return [
    ...(qwac === null || names(qwac, host)
      ? []
      : [`The ${certificateLabel(qwac)} does not name ${host}: banks may not send users back there`]),
    ...(both && qwac.organizationIdentifier !== qseal.organizationIdentifier
      ? [`${certificateLabel(qwac)} and ${certificateLabel(qseal)} name different licences: banks reject one of them`]
      : []),
    ...[qwac, qseal].flatMap((own) => (own === null ? [] : missingRoleWarnings(own))),
  ]
}

function names({ certificate }: TppCertificate, host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return (isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare)) !== undefined
}

function missingRoleWarnings(own: TppCertificate): readonly string[] {
  const missing = ROLES_NEEDED.filter((role) => !own.roles.includes(role))
  return missing.length === 0
    ? []
    : [`The ${certificateLabel(own)} lacks the role ${missing.join(' and ')}: banks reject requests that require it`]
}
