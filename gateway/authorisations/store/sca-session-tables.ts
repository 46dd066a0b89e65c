/** The tables of signings and their steps, as queries see them. */
import type { ColumnType, Kysely, Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type {
  Signing,
  SigningKindName,
  SigningOutcome,
  SigningStatus,
  StepState,
  StepWay,
  TargetType,
} from '../../signing/signing.ts'
import type { ShownThing } from '../signature-summary.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>
type Maybe<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>

/** The tables of this room. */
export type SigningTables = {
  signings: {
    partner_id: string
    id: string
    kind: SigningKindName
    subject_id: string
    consent_id: Maybe<string>
    bic: Maybe<string>
    identity_provider: Maybe<string>
    /** Written by the database: the bank or the identity provider. */
    place: ColumnType<string, never, never>
    callback_url: string
    link_hash: string
    link_sealed: Maybe<Buffer>
    browser_hash: Maybe<string>
    shown_by: ColumnType<Signing['shownBy'], Signing['shownBy'] | undefined>
    preferred: Maybe<'redirect' | 'qr'>
    trusted_at: MaybeInstant
    trusted_by: Maybe<'return' | 'confirmation'>
    confirm_hash: Maybe<string>
    hinted_at: MaybeInstant
    status: SigningStatus
    outcome: Maybe<SigningOutcome>
    created_at: Instant
    left_at: MaybeInstant
    expires_at: Instant
    step_seconds: number
    ended_at: MaybeInstant
    read_at: MaybeInstant
    due_at: MaybeInstant
    lease_until: MaybeInstant
  }
  signing_steps: {
    partner_id: string
    signing_id: string
    position: number
    target_type: TargetType
    target_id: string
    authorisation_id: Maybe<string>
    way: Maybe<StepWay>
    redirect_sealed: Maybe<Buffer>
    text_sealed: Maybe<Buffer>
    code_sealed: Maybe<Buffer>
    return_secret_sealed: Maybe<Buffer>
    brought_hash: Maybe<string>
    brought_until: MaybeInstant
    beginning_until: MaybeInstant
    renewals: ColumnType<number, number | undefined>
    language: Maybe<string>
    return_hash: Maybe<string>
    state: StepState
    sca_status: Maybe<string>
    shown: ColumnType<readonly ShownThing[], string>
    shown_sealed: Maybe<Buffer>
    user_sealed: Maybe<Buffer>
    ip_address: Maybe<string>
    user_agent: Maybe<string>
    started_at: MaybeInstant
    left_at: MaybeInstant
    returned_at: MaybeInstant
    ended_at: MaybeInstant
  }
}

/** A transaction of the room that wants the signature. */
export type SigningTransaction = Transaction<unknown>
/** What identifies a signing. */
export type SigningKey = Pick<Signing, 'partnerId' | 'id'>

/** The tables of signings as queries see them. */
export const signingTables = (database: Database<unknown>): Kysely<SigningTables> =>
  database.query.withTables<SigningTables>()

/** The columns of a signing, but for its steps. */
export const SIGNING = [
  'partner_id as partnerId',
  'id',
  'kind',
  'subject_id as subjectId',
  'consent_id as consentId',
  'bic',
  'identity_provider as identityProvider',
  'callback_url as callbackUrl',
  'link_hash as linkHash',
  'link_sealed as linkSealed',
  'browser_hash as browserHash',
  'shown_by as shownBy',
  'preferred',
  'trusted_at as trustedAt',
  'confirm_hash as confirmHash',
  'status',
  'outcome',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'step_seconds as stepSeconds',
  'ended_at as endedAt',
  'read_at as readAt',
] as const

/** The columns of a step. */
export const STEP = [
  'position',
  'target_type as targetType',
  'target_id as targetId',
  'authorisation_id as authorisationId',
  'way',
  'redirect_sealed as redirectSealed',
  'text_sealed as textSealed',
  'code_sealed as codeSealed',
  'return_secret_sealed as returnSecretSealed',
  'started_at as startedAt',
  'ended_at as overAt',
  'renewals',
  'return_hash as returnHash',
  'state',
  'shown',
  'shown_sealed as shownSealed',
] as const
