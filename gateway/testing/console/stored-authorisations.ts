/** Stores a consent, and an approval and a cancellation of a payment with their authorisations, without a bank. */
import { scaSealPurpose } from '../../authorisations/authorisation/start-step-authorisation.ts'
import { newId } from '../../platform/ids.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'
import { KARI } from '../payments/sample-payments.ts'

type Gateway = Pick<TestGateway, 'context'>
type Key = { readonly partnerId: string; readonly id: string }

const SHOWN = JSON.stringify([
  [
    { label: 'amount', value: '1250.00 NOK', kind: 'amount' },
    { label: 'to', value: 'Granli Trelast AS', kind: 'text' },
    { label: 'to-account', value: '80501200011', kind: 'account' },
  ],
])

/** Their ids, by the names of the parameters in paths. */
export async function storeAuthorisedRecords(
  gateway: Gateway,
  { partnerId, id: paymentId }: Key,
): Promise<Readonly<Record<'consentId' | 'approvalId' | 'cancellationId', string>>> {
  const { pool } = gateway.context.database
  const at = gateway.context.clock.now()
  const [consentId, approvalId, cancellationId] = [newId(), newId(), newId()]
  const times = [at.toString(), at.add({ hours: 90 * 24 }).toString()]
  await pool.query(
    `insert into consents (partner_id, id, company_id, bic, country_code, organisation_number, status, user_id_masked,
       callback_url, valid_until, created_at, updated_at)
     values ($1, $2::uuid, $2::uuid, 'FJORNO22', 'NO', '987654325', 'ACCEPTED', '•••••••••45', '', $4, $3, $3)`,
    [partnerId, consentId, ...times],
  )
  await pool.query(
    `insert into consent_accounts (partner_id, consent_id, id, resource_id, stable_id, bban, bic, name, currency, type, payable)
     values ($1, $2::uuid, $2::uuid, 'r', 's', '80501100017', 'FJORNO22', 'Drift', 'NOK', 'Checking', true)`,
    [partnerId, consentId],
  )
  await pool.query(
    `insert into approvals (partner_id, id, consent_id, status, created_at, updated_at) values ($1, $2, $3, 'ACCEPTED', $4, $4)`,
    [partnerId, approvalId, consentId, at.toString()],
  )
  await pool.query(
    `insert into approval_payments (partner_id, approval_id, payment_id, position, bank_payment_id, order_digest, result)
     values ($1, $2, $3, 0, 'bank-1', 'digest', 'ACCEPTED')`,
    [partnerId, approvalId, paymentId],
  )
  await pool.query(
    `insert into cancellations (partner_id, id, payment_id, bic, consent_id, was_signed, bank_request_id, status,
       created_at, updated_at, requested_at)
     values ($1, $2::uuid, $3, 'FJORNO22', $4, true, $2::uuid, 'AUTHORIZATION_REQUIRED', $5, $5, $5)`,
    [partnerId, cancellationId, paymentId, consentId, at.toString()],
  )
  const subjects = [
    ['consent', consentId, consentId, 'signed'],
    ['approval', approvalId, paymentId, 'signed'],
    ['cancellation', cancellationId, paymentId, 'open'],
  ] as const
  for (const [kind, subjectId, targetId, state] of subjects) {
    await storeAuthorisation(gateway, { partnerId, id: consentId }, { kind, subjectId, targetId, state })
  }
  return { consentId, approvalId, cancellationId }
}

async function storeAuthorisation(
  { context }: Gateway,
  consent: Key,
  authorisation: Readonly<Record<'kind' | 'subjectId' | 'targetId' | 'state', string>>,
): Promise<void> {
  const { pool } = context.database
  const { kind, subjectId, targetId, state } = authorisation
  const [sessionId, at] = [newId(), context.clock.now().toString()]
  const link = context.seal.seal('https://havn.example/signing/link', `signing link ${sessionId}`)
  await pool.query(
    `insert into sca_sessions (partner_id, id, kind, subject_id, consent_id, bic, callback_url, link_hash, link_sealed,
       status, outcome, created_at, expires_at, step_seconds)
     values ($1, $2, $3, $4, $5, 'FJORNO22', '', '', $6, 'ended', $7, $8, $8, 600)`,
    [consent.partnerId, sessionId, kind, subjectId, consent.id, link, state === 'signed' ? 'success' : null, at],
  )
  await pool.query(
    `insert into sca_steps (partner_id, sca_session_id, position, target_type, target_id, authorisation_id, state,
       sca_status, shown, user_sealed, ip_address, user_agent, started_at, left_at, ended_at, approach, language)
     values ($1, $2, 0, $3, $4, 'auth-1', $5, $6, $7, $8, '192.0.2.7', 'Mozilla/5.0 (test)', $9, $9, $10, 'redirect', 'nb')`,
    [
      consent.partnerId,
      sessionId,
      kind === 'approval' ? 'payment' : kind,
      targetId,
      state,
      state === 'signed' ? 'finalised' : 'started',
      SHOWN,
      context.seal.seal(KARI, scaSealPurpose('user', sessionId)),
      at,
      state === 'signed' ? at : null,
    ],
  )
}
