/** Finds out which of the first steps a partner has done, and on which resources the next ones act. */
import { sql } from 'kysely'
import type { Queryable } from '../../../gateway/platform/database/in-transaction.ts'

/** What a developer does first, in this order. */
export const FIRST_STEPS = ['token', 'consent', 'accepted', 'subscription', 'payment', 'signed', 'delivered'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

export type FirstStepsState = {
  readonly done: Readonly<Record<FirstStep, boolean>>
  /** The newest consent that its user has not decided on, the newest accepted one, and the newest unsigned payment. */
  readonly requestedConsent: string | null
  readonly acceptedConsent: string | null
  readonly unsignedPayment: string | null
}

/** Among so many of the newest ones. */
const NEWEST = 200

export async function findFirstSteps(database: Queryable, partnerId: string): Promise<FirstStepsState> {
  const { rows } = await sql<Record<FirstStep, boolean> & Omit<FirstStepsState, 'done'>>`
    with recent_consents as materialized (
        select id, status, created_at from consents where partner_id = ${partnerId}::uuid
        order by created_at desc, id desc limit ${NEWEST}),
      recent_payments as materialized (
        select signed, payroll_id from payments where partner_id = ${partnerId}::uuid
        order by created_at desc, id desc limit ${NEWEST})
    select
      exists (select from clients where partner_id = ${partnerId}::uuid and first_token_at is not null) as token,
      exists (select from recent_consents) as consent,
      exists (select from recent_consents where status = 'ACCEPTED') as accepted,
      exists (select from webhook_subscriptions where partner_id = ${partnerId}::uuid) as subscription,
      exists (select from recent_payments where payroll_id is null) as payment,
      exists (select from recent_payments where payroll_id is null and signed) as signed,
      exists (select from webhook_subscriptions s, lateral (
        select status from webhook_deliveries where partner_id = s.partner_id and subscription_id = s.id
        order by id desc limit ${NEWEST}) d
        where s.partner_id = ${partnerId}::uuid and d.status = 'Delivered') as delivered,
      (select id from recent_consents where status = 'AUTHORIZATION_REQUIRED'
        order by created_at desc, id desc limit 1) as "requestedConsent",
      (select id from recent_consents where status = 'ACCEPTED'
        order by created_at desc, id desc limit 1) as "acceptedConsent",
      (select id from payments where partner_id = ${partnerId}::uuid and status = 'Unsigned' and payroll_id is null
        order by created_at desc, id desc limit 1) as "unsignedPayment"`.execute(database.query)
  const [row] = rows
  const done = Object.fromEntries(FIRST_STEPS.map((step) => [step, row?.[step] === true])) as FirstStepsState['done']
  const { requestedConsent = null, acceptedConsent = null, unsignedPayment = null } = row ?? {}
  return { done, requestedConsent, acceptedConsent, unsignedPayment }
}
