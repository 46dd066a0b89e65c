/** The tables of onboardings: rows have the members of their types, and what is stored in addition. */
import type { Kysely } from 'kysely'
import type { TableOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Onboarding } from './onboarding.ts'
import type { NamedSigner } from './onboarding-answers.ts'
import type { OnboardingDocument } from './onboarding-document.ts'
import type { OnboardingSession } from './onboarding-session.ts'
import type { Signature, SignatureRejection, Signer } from './onboarding-signer.ts'

/** An onboarding as it is stored. */
export type OnboardingRow = Onboarding & {
  readonly answersSealed: Buffer | null
  readonly documentsRequestedSealed: Buffer | null
  readonly dueAt: Temporal.Instant | null
  readonly purgeAt: Temporal.Instant | null
  readonly leaseUntil: Temporal.Instant | null
}

/** A signer as selected; the signed ID token is only written. */
export type SignerRow = Omit<Signer, keyof NamedSigner | 'identified'> & {
  readonly namedSealed: Buffer
  readonly identifiedSealed: Buffer | null
}

export type OnboardingTables = {
  onboardings: TableOf<OnboardingRow>
  onboarding_signers: TableOf<
    SignerRow & { readonly evidenceSealed: Buffer | null; readonly createdAt: Temporal.Instant }
  >
  onboarding_sessions: TableOf<
    OnboardingSession & { readonly identifiedAt: Temporal.Instant | null; readonly createdAt: Temporal.Instant }
  >
  onboarding_signatures: TableOf<{
    readonly partnerId: string
    readonly id: string
    readonly signerId: string
    readonly identityProvider: string
    readonly state: Signature['state']
    readonly rejection: SignatureRejection | null
    readonly proofSealed: Buffer | null
    readonly endedAt: Temporal.Instant
  }>
  onboarding_identifications: TableOf<{
    readonly partnerId: string
    readonly sessionId: string
    readonly identityProvider: string
    readonly secretSealed: Buffer
    readonly startedAt: Temporal.Instant
  }>
  onboarding_documents: TableOf<
    Omit<OnboardingDocument, 'name'> & { readonly nameSealed: Buffer; readonly contentSealed: Buffer }
  >
}

/** A query builder for these tables. */
export const onboardingTables = (database: Queryable): Kysely<OnboardingTables> =>
  database.query.withTables<OnboardingTables>()
