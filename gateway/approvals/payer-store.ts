/** Queries whether a bank has let a user pay from an account. */
import { type Kysely, sql } from 'kysely'
import type { Queryable } from '../platform/database/in-transaction.ts'

const raw = (database: Queryable): Kysely<unknown> => database.query

/** An account at a bank, and all consents of one user there. */
export type AccountOfUser = {
  readonly partnerId: string
  readonly bic: string
  readonly debtorBban: string
  readonly consentIds: readonly string[]
}

/**
 * Whether the bank has accepted an order of the user from the account, or a signature of the user on one. Approving
 * SCA-exempt orders takes no signature, and proves nothing.
 */
export async function hasPaidFrom(
  database: Queryable,
  { partnerId, bic, debtorBban, consentIds }: AccountOfUser,
): Promise<boolean> {
  const ids = sql`${[...consentIds]}::uuid[]`
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from payments p
      where p.partner_id = ${partnerId} and p.bic = ${bic} and p.debtor_bban = ${debtorBban}
        and p.consent_id = any(${ids}) and p.bank_payment_id is not null and (p.signed or p.status <> 'Rejected')
    ) or exists (
      select from approvals a
      join sca_sessions s on s.partner_id = a.partner_id and s.kind = 'approval' and s.subject_id = a.id
      join sca_steps t on t.partner_id = s.partner_id and t.sca_session_id = s.id
        and t.state in ('signed', 'signed-late')
      join approval_payments o on o.partner_id = a.partner_id and o.approval_id = a.id
        and coalesce(o.basket_id, o.payment_id) = t.target_id
      join payments p on p.partner_id = o.partner_id and p.id = o.payment_id
      where a.partner_id = ${partnerId} and a.consent_id = any(${ids})
        and s.partner_id = ${partnerId} and t.partner_id = ${partnerId} and o.partner_id = ${partnerId}
        and p.partner_id = ${partnerId} and p.bic = ${bic} and p.debtor_bban = ${debtorBban}
    ) as found`.execute(raw(database))
  return rows[0]?.found === true
}
