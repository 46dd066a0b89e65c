/** Finds out which of the first steps a partner has done. */
import { sql } from 'kysely'
import type { Queryable } from '../../../gateway/platform/database/in-transaction.ts'

/** What a developer does first, and whether the partner has done it. */
export type FirstSteps = Readonly<
  Record<'consent' | 'accepted' | 'payment' | 'signed' | 'subscription' | 'delivered', boolean>
>

export async function findFirstSteps(database: Queryable, partnerId: string): Promise<FirstSteps> {
  const { rows } = await sql<FirstSteps>`
    select
      exists (select from consents where partner_id = ${partnerId}) as consent,
      exists (select from consents where partner_id = ${partnerId} and status = 'ACCEPTED') as accepted,
      exists (select from payments where partner_id = ${partnerId} and payroll_id is null) as payment,
      exists (select from payments where partner_id = ${partnerId} and payroll_id is null and signed) as signed,
      exists (select from webhook_subscriptions where partner_id = ${partnerId}) as subscription,
      exists (select from webhook_subscriptions s join webhook_deliveries d
        on d.partner_id = s.partner_id and d.subscription_id = s.id and d.status = 'Delivered'
        where s.partner_id = ${partnerId}) as delivered`.execute(database.query)
  const [steps] = rows
  return (
    steps ?? { consent: false, accepted: false, payment: false, signed: false, subscription: false, delivered: false }
  )
}
