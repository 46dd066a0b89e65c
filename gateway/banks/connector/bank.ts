/** A bank: a row of the directory joined with the profile of its products, limits and dialect. */

import type { PreferredScaMethod } from '../../../contract/shapes.ts'
import type { BankProfile, ScaApproach } from './bank-profile.ts'
import type { AuthorisationRequest } from './sca-authorisation.ts'
import { endToEndIdFor } from './shorten-end-to-end-id.ts'

/** Availability of the bank, derived from our recent calls. */
export type BankStatus = 'Operational' | 'Degraded' | 'Down'

export type Bank = {
  readonly bic: string
  readonly name: string
  readonly countryCode: string
  /** Key of `connectorsByName`. */
  readonly connector: string
  /** Base URL of its API before `/v1`, without a trailing slash. */
  readonly address: string
  /** `host:port` of every host that its links may point to; the server and browsers follow links to no other host. */
  readonly linkHosts: readonly string[]
  /** The named pair of certificates that it knows us by; null for the pair without a name. */
  readonly certificate: string | null
  readonly profile: BankProfile
  /** By its connector and its profile. */
  readonly supports: SupportedOrderFields
}

/** Optional fields that a bank's payments carry. */
export type SupportedOrderFields = {
  /** To so many characters the partner's end-to-end id is shortened; null where it is not sent. */
  readonly endToEndIdMax: number | null
  readonly purposeCode: boolean
  readonly debtorReference: boolean
  readonly creditorAddress: boolean
  /** For cross-border payments; absent where the bank offers none. */
  readonly crossBorder?: Pick<SupportedOrderFields, 'endToEndIdMax'> & {
    readonly clearingCode: boolean
    readonly regulatoryReporting: boolean
  }
}

/** The preferred SCA approach where the bank has it, otherwise the bank's default. */
export function chooseScaApproach(
  { scaApproaches: [usual = 'redirect', ...others] }: Pick<BankProfile, 'scaApproaches'>,
  preferred: AuthorisationRequest['preferred'],
): ScaApproach {
  return others.find((approach) => approach === preferred) ?? usual
}

/** Whether the user signs in an app, which waits for seconds, so the user must be present. */
export function isDecoupledSca(
  { profile }: Pick<Bank, 'profile'>,
  preferred: AuthorisationRequest['preferred'],
): boolean {
  return chooseScaApproach(profile, preferred) !== 'redirect'
}

/** Null leaves the choice to the bank. */
export function preferredApproachOf(requested: PreferredScaMethod | undefined): AuthorisationRequest['preferred'] {
  return requested === undefined ? null : requested === 'Qr' ? 'qr' : 'redirect'
}

/** The end-to-end id as the bank has it; the partner's where the bank gets none, or is not known. */
export function endToEndIdAt(bank: Pick<Bank, 'supports'> | undefined, endToEndId: string): string {
  return (bank && endToEndIdFor(endToEndId, bank.supports)) ?? endToEndId
}
