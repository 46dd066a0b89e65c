/** The Kysely types of the onboarding tables. */
import type { ColumnType, Kysely } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { OnboardingReason, OnboardingStatus, TaskType } from './onboarding.ts'
import type { DocumentType } from './onboarding-document.ts'
import type { Signature, SignatureRejection, SignerStatus } from './onboarding-signer.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>
type Maybe<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>

export type OnboardingTables = {
  onboardings: {
    partner_id: string
    id: string
    country_code: string
    organisation_number: string
    organisation_name: Maybe<string>
    status: OnboardingStatus
    status_reason: Maybe<OnboardingReason>
    redirect_url: Maybe<string>
    link_hash: string
    revision: ColumnType<number, number | undefined>
    answers_sealed: Maybe<Buffer>
    submitted_at: MaybeInstant
    document_hash: Maybe<string>
    tasks_done: ColumnType<TaskType[], TaskType[] | undefined>
    documents_requested_sealed: Maybe<Buffer>
    documents_requested_at: MaybeInstant
    created_at: Instant
    updated_at: Instant
    expires_at: MaybeInstant
    due_at: MaybeInstant
    purge_at: MaybeInstant
    lease_until: MaybeInstant
  }
  onboarding_signers: {
    partner_id: string
    id: string
    onboarding_id: string
    position: number
    named_sealed: Buffer
    status: SignerStatus
    link_hash: Maybe<string>
    link_revoked_at: MaybeInstant
    identified_sealed: Maybe<Buffer>
    evidence_sealed: Maybe<Buffer>
    created_at: Instant
    signed_at: MaybeInstant
  }
  onboarding_sessions: {
    partner_id: string
    id: string
    onboarding_id: string
    signer_id: Maybe<string>
    token_hash: string
    trusted_at: MaybeInstant
    identified_at: MaybeInstant
    created_at: Instant
    expires_at: Instant
  }
  onboarding_signatures: {
    partner_id: string
    id: string
    signer_id: string
    identity_provider: string
    state: Signature['state']
    rejection: Maybe<SignatureRejection>
    proof_sealed: Maybe<Buffer>
    ended_at: Instant
  }
  onboarding_identifications: {
    partner_id: string
    session_id: string
    identity_provider: string
    secret_sealed: Buffer
    started_at: Instant
  }
  onboarding_documents: {
    partner_id: string
    id: string
    onboarding_id: string
    name_sealed: Buffer
    media_type: DocumentType
    bytes: number
    content_sealed: Buffer
    uploaded_at: Instant
  }
}

/** A query builder for these tables. */
export const onboardingTables = (database: Queryable): Kysely<OnboardingTables> =>
  database.query.withTables<OnboardingTables>()
