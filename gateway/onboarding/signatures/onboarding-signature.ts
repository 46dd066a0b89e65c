/** What a signature of an onboarding is until its signer has it: one person's word at an identity provider. */
import type { Person } from '../../identity/person.ts'

/** Why a signature was not taken. */
export type SignatureRefusal =
  /** Somebody else identified than the one who was asked to sign. */
  | 'other-person'
  /** The person said no at the provider, or turned back there. */
  | 'declined'
  /** What the provider gave does not prove who it was. */
  | 'not-proven'

/** Who signed, and the provider's signed word on it. */
export type SignatureProof = { readonly person: Person; readonly idToken: string }

/** How a signature ended at the provider. */
export type Signature = {
  readonly partnerId: string
  /** The authorisation of its signing's step. */
  readonly id: string
  readonly signerId: string
} & (
  | { readonly state: 'signed'; readonly proof: SignatureProof | null }
  | { readonly state: 'refused'; readonly refusal: SignatureRefusal }
)

/** What identifies a signature. */
export type SignatureKey = Pick<Signature, 'partnerId' | 'id'>

/** What a sealed proof is bound to. */
export function proofPurpose({ partnerId, id }: SignatureKey): string {
  return `onboarding signature proof ${partnerId} ${id}`
}

/** What the sealed secret of an identification is bound to. */
export function identificationPurpose(partnerId: string, sessionId: string): string {
  return `onboarding identification ${partnerId} ${sessionId}`
}
