/** Checks that a bank lets a user pay from the accounts of orders: one who may only read them stops nothing. */

import { sql } from 'kysely'
import { SIGNED_TARGETS } from '../../authorisations/sca-step-fragments.ts'
import { findAccountByBban } from '../../consents/accounts/find-account.ts'
import { type Consent, type ConsentCaller, isInForce } from '../../consents/consent.ts'
import { consentIdsOfUser, consentsInForce } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { Payment } from '../payment.ts'

/** An order that is to be stopped, with the consents of those who ordered it or whose approval or cancellation it is. */
export type StoppedOrder = {
  readonly debtorBban: string
  /** Of the account. */
  readonly currency: string
  readonly consentIds: readonly string[]
}

/** Throws `ACCESS_DENIED` unless each order is the user's own, or the bank has shown that the user may pay from its account. */
export async function requirePayer(context: Context, consent: Consent, orders: readonly StoppedOrder[]): Promise<void> {
  if (!(await isPayer(context, consent, orders))) {
    throw apiError(
      'ACCESS_DENIED',
      'The user neither ordered nor signed this, and the bank has accepted no payment of the user from the debtor account ' +
        'yet. Use the consent of a user who may pay from it',
    )
  }
}

export async function isPayer(context: Context, consent: Consent, orders: readonly StoppedOrder[]): Promise<boolean> {
  const ownIds = await consentIdsOfUser(context, consent)
  const ofOthers = orders.filter(({ consentIds }) => !consentIds.some((id) => ownIds.includes(id)))
  for (const { debtorBban, currency } of accountsOf(ofOthers)) {
    const account = await findAccountByBban(context, consent, { bban: debtorBban, currency })
    const { partnerId, bic } = consent
    const mayPay =
      account !== undefined &&
      (account.payable ??
        (await hasPaidFrom(context.database, { partnerId, bic, debtorBban, currency, consentIds: ownIds })))
    if (!mayPay) {
      return false
    }
  }
  return true
}

/** One order of each account. */
function accountsOf<Order extends Pick<StoppedOrder, 'debtorBban' | 'currency'>>(
  orders: readonly Order[],
): Iterable<Order> {
  return new Map(orders.map((order) => [`${order.debtorBban} ${order.currency}`, order])).values()
}

/** The consents in force of those users who may stop an order. */
export async function consentsOfPayers(
  context: Context,
  order: Pick<Consent, 'partnerId' | 'bic' | 'countryCode' | 'organisationNumber'> & {
    readonly debtorBban: string
    readonly currency: string
    readonly consentId: string
  },
): Promise<readonly Consent[]> {
  const found: Consent[] = []
  for (const consent of await consentsInForce(context, order)) {
    const isUsable = isInForce(consent, context.clock.now())
    if (isUsable && (await isPayer(context, consent, [{ ...order, consentIds: [order.consentId] }]))) {
      found.push(consent)
    }
  }
  return found
}

/** An account at a bank, and all consents of one user there. */
type AccountOfUser = {
  readonly partnerId: string
  readonly bic: string
  readonly debtorBban: string
  readonly currency: string
  readonly consentIds: readonly string[]
}

/**
 * Whether the bank has accepted an order of the user from the account, or a signature of the user on one. Approving
 * SCA-exempt orders takes no signature, and proves nothing.
 */
async function hasPaidFrom(
  database: Queryable,
  { partnerId, bic, debtorBban, currency, consentIds }: AccountOfUser,
): Promise<boolean> {
  const ids = sql`${[...consentIds]}::uuid[]`
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from payments p
      where p.partner_id = ${partnerId} and p.bic = ${bic} and p.debtor_bban = ${debtorBban}
        and p.currency = ${currency} and p.consent_id = any(${ids}) and p.bank_payment_id is not null and (p.signed or p.status <> 'Rejected')
    ) or exists (
      select from approvals a
      join ${SIGNED_TARGETS} on t.partner_id = a.partner_id and t.approval_id = a.id
      join approval_payments o on o.partner_id = a.partner_id and o.approval_id = a.id
        and coalesce(o.basket_id, o.payment_id) = t.target_id
      join payments p on p.partner_id = o.partner_id and p.id = o.payment_id
      where a.partner_id = ${partnerId} and a.consent_id = any(${ids})
        and t.partner_id = ${partnerId} and o.partner_id = ${partnerId}
        and p.partner_id = ${partnerId} and p.bic = ${bic} and p.debtor_bban = ${debtorBban}
        and p.currency = ${currency}
    ) as found`.execute(database.query)
  return rows[0]?.found === true
}

type OfCompany = Pick<Payment, 'bic' | 'organisationNumber'>

/** Throws `ACCESS_DENIED` for orders at another bank or of another company. */
export function requireSameCompany({ consent }: Pick<ConsentCaller, 'consent'>, orders: readonly OfCompany[]): void {
  const { bic, organisationNumber } = consent
  if (orders.some((order) => order.bic !== bic || order.organisationNumber !== organisationNumber)) {
    throw apiError('ACCESS_DENIED', 'The consent is at another bank or of another company')
  }
}

/** Throws `ACCESS_DENIED` unless the user may stop the signing or cancelling of these orders. */
export async function requireOrdersOfConsent(
  context: Context,
  caller: ConsentCaller,
  orders: readonly (OfCompany & StoppedOrder)[],
): Promise<void> {
  requireSameCompany(caller, orders)
  for (const { debtorBban, currency } of accountsOf(orders)) {
    if ((await findAccountByBban(context, caller.consent, { bban: debtorBban, currency })) === undefined) {
      throw apiError(
        'ACCESS_DENIED',
        'The debtor account is not on this consent; GET /api/v2/accounts lists those that are',
      )
    }
  }
  await requirePayer(context, caller.consent, orders)
}
