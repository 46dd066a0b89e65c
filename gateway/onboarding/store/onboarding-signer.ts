/** Defines a signer of an onboarding: a person who signs for the company, with its statuses and transitions. */
import type { Person } from '../../identity/person.ts'
import type { NamedSigner } from './onboarding-answers.ts'

export type SignerStatus = 'Waiting' | 'Signed' | 'Declined' | 'Revoked'

/** A signer with the person's data. */
export type Signer = NamedSigner & {
  readonly partnerId: string
  readonly id: string
  readonly onboardingId: string
  readonly position: number
  readonly status: SignerStatus
  /** Digest of the signer's link; null when none was created. */
  readonly linkHash: string | null
  readonly linkRevokedAt: Temporal.Instant | null
  /** The person that the identity provider identified. */
  readonly identified: Person | null
  readonly signedAt: Temporal.Instant | null
}

export type SignerKey = Pick<Signer, 'partnerId' | 'id'>

/** The allowed transitions. A signer who declined may be asked again; signatures are revoked only all together. */
export const signerTransitions: Readonly<Record<SignerStatus, readonly SignerStatus[]>> = {
  Waiting: ['Signed', 'Declined', 'Revoked'],
  Signed: ['Revoked'],
  Declined: ['Waiting', 'Revoked'],
  Revoked: [],
}

/** The signers who are not revoked. */
export function currentSigners(signers: readonly Signer[]): readonly Signer[] {
  return signers.filter(({ status }) => status !== 'Revoked')
}

/** Whether all current signers have signed. */
export function allSigned(signers: readonly Signer[]): boolean {
  const current = currentSigners(signers)
  return current.length > 0 && current.every(({ status }) => status === 'Signed')
}

/** Whether the signer has a valid link. */
export function hasLink({ linkHash, linkRevokedAt, status }: Signer): boolean {
  return linkHash !== null && linkRevokedAt === null && status !== 'Revoked'
}

/** The sealed values of a signer: the named person, the identified person and the provider's ID token. */
export type SignerSecret = 'named' | 'identified' | 'evidence'

/** The purpose that a sealed value of a signer is bound to. */
export function signerSecretPurpose(what: SignerSecret, { partnerId, id }: SignerKey): string {
  return `onboarding signer ${what} ${partnerId} ${id}`
}

/** Why a signature was rejected. */
export type SignatureRejection =
  /** The identified person is not the expected signer. */
  | 'other-person'
  /** The user declined or cancelled at the provider. */
  | 'declined'
  /** The provider's answer does not prove the identity. */
  | 'not-proven'

/** The person who signed, and the provider's signed ID token. */
export type SignatureProof = { readonly person: Person; readonly idToken: string }

/** The result of a signature at the provider. */
export type Signature = {
  readonly partnerId: string
  /** The authorisation id of the SCA session's step. */
  readonly id: string
  readonly signerId: string
} & (
  | { readonly state: 'signed'; readonly proof: SignatureProof | null }
  | { readonly state: 'rejected'; readonly rejection: SignatureRejection }
)

export type SignatureKey = Pick<Signature, 'partnerId' | 'id'>

export function proofPurpose({ partnerId, id }: SignatureKey): string {
  return `onboarding signature proof ${partnerId} ${id}`
}

/** The purpose that the sealed secret of an identification is bound to. */
export function identificationPurpose(partnerId: string, sessionId: string): string {
  return `onboarding identification ${partnerId} ${sessionId}`
}
