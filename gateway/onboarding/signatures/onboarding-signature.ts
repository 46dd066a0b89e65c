/** Defines the result of a signature at an identity provider, until it is recorded for its signer. */
import type { Person } from '../../identity/person.ts'

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

/** What identifies a signature. */
export type SignatureKey = Pick<Signature, 'partnerId' | 'id'>

/** The purpose that a sealed proof is bound to. */
export function proofPurpose({ partnerId, id }: SignatureKey): string {
  return `onboarding signature proof ${partnerId} ${id}`
}

/** The purpose that the sealed secret of an identification is bound to. */
export function identificationPurpose(partnerId: string, sessionId: string): string {
  return `onboarding identification ${partnerId} ${sessionId}`
}
