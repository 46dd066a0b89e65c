/** Lists the evidence of authorisations: who signed what, from where, when, and with which result. */

import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import { scaSealPurpose } from './authorisation/start-step-authorisation.ts'
import type { ScaOutcome, ScaStepApproach, ScaStepState, ScaSubjectType, ScaTargetType } from './sca-session.ts'
import type { SummaryItem } from './signature-summary.ts'

/** One authorisation; the user's id at the bank is null where the bank identified the user. */
export type AuthorisationEvidence = Omit<StoredEvidence, 'userSealed'> & { readonly userId: string | null }

/** The authorisations of one subject, or of payments and baskets, in the order of creation. */
export async function listEvidence(
  { database, seal }: Context,
  of: EvidenceOfSubject | EvidenceOfTargets,
): Promise<readonly AuthorisationEvidence[]> {
  const statement = 'kind' in of ? evidenceOfSubjectQuery(of) : evidenceOfTargetsQuery(of)
  const { rows } = await statement.execute(database.query)
  return rows.map(({ userSealed, ...evidence }) => ({
    ...evidence,
    userId: userSealed === null ? null : seal.open(userSealed, scaSealPurpose('user', evidence.sessionId)),
  }))
}

/** One authorisation of a session, with its user's id sealed. */
type StoredEvidence = {
  readonly sessionId: string
  /** Whose authorisation it is: an approval or a cancellation, for example. */
  readonly kind: ScaSubjectType
  readonly subjectId: string
  readonly outcome: ScaOutcome | null
  /** Business time at which the session was created. */
  readonly createdAt: Temporal.Instant
  readonly position: number
  readonly targetType: ScaTargetType
  readonly targetId: string
  readonly authorisationId: string | null
  readonly approach: ScaStepApproach | null
  readonly state: ScaStepState
  readonly scaStatus: string | null
  /** Empty where it is sealed, as salaries are. */
  readonly shown: readonly SummaryItem[]
  readonly userSealed: Buffer | null
  readonly ipAddress: string | null
  readonly userAgent: string | null
  readonly language: string | null
  readonly startedAt: Temporal.Instant | null
  readonly leftAt: Temporal.Instant | null
  readonly endedAt: Temporal.Instant | null
}

/** Those of an approval, a cancellation or a consent. */
type EvidenceOfSubject = {
  readonly partnerId: string
  readonly kind: ScaSubjectType
  readonly subjectId: string
}
/** Those of payments and of the baskets that they are signed in. */
type EvidenceOfTargets = { readonly partnerId: string; readonly targetIds: readonly string[] }

const EVIDENCE = sql`
  select s.id as "sessionId", s.kind, s.subject_id as "subjectId", s.outcome, s.created_at as "createdAt",
    t.position, t.target_type as "targetType", t.target_id as "targetId", t.authorisation_id as "authorisationId",
    t.approach, t.state, t.sca_status as "scaStatus", t.shown, t.user_sealed as "userSealed",
    t.ip_address as "ipAddress", t.user_agent as "userAgent", t.language, t.started_at as "startedAt",
    t.left_at as "leftAt", t.ended_at as "endedAt"
  from sca_sessions s join sca_steps t on t.partner_id = s.partner_id and t.sca_session_id = s.id`

/** In the order of creation. Exported for the test of its plan. */
export function evidenceOfSubjectQuery({ partnerId, kind, subjectId }: EvidenceOfSubject): RawBuilder<StoredEvidence> {
  return sql<StoredEvidence>`${EVIDENCE}
    where s.partner_id = ${partnerId} and s.kind = ${kind} and s.subject_id = ${subjectId} order by s.id, t.position`
}

/** Each with the sign-ins of its session, in the order of creation. Exported for the test of its plan. */
export function evidenceOfTargetsQuery({ partnerId, targetIds }: EvidenceOfTargets): RawBuilder<StoredEvidence> {
  const targets = sql`t.target_id = any(${[...targetIds]}::uuid[])`
  return sql<StoredEvidence>`${EVIDENCE}
    where s.partner_id = ${partnerId}
      and s.id in (select t.sca_session_id from sca_steps t where t.partner_id = ${partnerId} and ${targets})
      and (${targets} or t.target_type = 'sign-in') order by s.id, t.position`
}
