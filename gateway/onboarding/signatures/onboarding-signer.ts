/** What a signer of an onboarding is: a person who signs for the company, here or by a link of their own. */
import type { Person } from '../../identity/person.ts'
import type { NamedSigner } from '../answers/onboarding-answers.ts'

export type SignerStatus = 'Waiting' | 'Signed' | 'Refused' | 'Revoked'

/** A signer with what is known of the person. */
export type Signer = NamedSigner & {
  readonly partnerId: string
  readonly id: string
  readonly onboardingId: string
  readonly position: number
  readonly status: SignerStatus
  /** Of the signer's own link; null while the signer was given none. */
  readonly linkHash: string | null
  readonly linkRevokedAt: Temporal.Instant | null
  /** Who identified, as the identity provider says. */
  readonly identified: Person | null
  readonly signedAt: Temporal.Instant | null
}

/** What identifies a signer. */
export type SignerKey = Pick<Signer, 'partnerId' | 'id'>

/** Which statuses may follow which. Whoever refused may be asked again; a signature is taken back with all others only. */
export const signerMayBecome: Readonly<Record<SignerStatus, readonly SignerStatus[]>> = {
  Waiting: ['Signed', 'Refused', 'Revoked'],
  Signed: ['Revoked'],
  Refused: ['Waiting', 'Revoked'],
  Revoked: [],
}

/** Those who are asked to sign at present. */
export function currentSigners(signers: readonly Signer[]): readonly Signer[] {
  return signers.filter(({ status }) => status !== 'Revoked')
}

/** Whether everybody who was asked has signed. */
export function allSigned(signers: readonly Signer[]): boolean {
  const current = currentSigners(signers)
  return current.length > 0 && current.every(({ status }) => status === 'Signed')
}

/** Whether the signer's own link leads anywhere. */
export function hasLink({ linkHash, linkRevokedAt, status }: Signer): boolean {
  return linkHash !== null && linkRevokedAt === null && status !== 'Revoked'
}

/** What is sealed of a signer: whom the company names, who identified, and the provider's signed word. */
export type SignerSecret = 'named' | 'identified' | 'evidence'

/** What a sealed value of a signer is bound to. */
export function signerSecretPurpose(what: SignerSecret, { partnerId, id }: SignerKey): string {
  return `onboarding signer ${what} ${partnerId} ${id}`
}
