/** Warns of certificates that are sound, and will be refused all the same: those that do not fit each other, or us. */
import { isIP } from 'node:net'
import type { Log } from '../../platform/observability/log.ts'
import type { Psd2Role } from './qc-statements.ts'
import type { OwnCertificate } from './tpp-certificate.ts'
import type { BankIdentity } from './tpp-certificates.ts'

/** What the gateway asks of banks takes these. */
const ROLES_NEEDED: readonly Psd2Role[] = ['PSP_PI', 'PSP_AI']

/** Makes the watch: it warns whenever other certificates come into use. `baseUrl` is where banks send users back to. */
export function oddityWatch(baseUrl: string, log: Pick<Log, 'warn'>): (identity: BankIdentity) => void {
  let seen: BankIdentity | undefined
  return (identity) => {
    if (identity !== seen) {
      seen = identity
      for (const oddity of odditiesOf(identity, new URL(baseUrl).hostname)) {
        log.warn(oddity)
      }
    }
  }
}

function odditiesOf({ qwac, qseal }: BankIdentity, host: string): readonly string[] {
  const both = qwac !== null && qseal !== null
  return [
    ...(qwac === null || names(qwac, host)
      ? []
      : [`The QWAC does not name ${host}: banks may not send users back there`]),
    ...(both && qwac.organizationIdentifier !== qseal.organizationIdentifier
      ? ['QWAC and QSEAL name different licences: banks refuse one of them']
      : []),
    ...[qwac, qseal].flatMap((own) => (own === null ? [] : lackedRoles(own))),
  ]
}

function names({ certificate }: OwnCertificate, host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return (isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare)) !== undefined
}

function lackedRoles({ use, roles }: OwnCertificate): readonly string[] {
  const lacked = ROLES_NEEDED.filter((role) => !roles.includes(role))
  return lacked.length === 0 ? [] : [`The ${use} does not give ${lacked.join(' and ')}: banks refuse what takes that`]
}
