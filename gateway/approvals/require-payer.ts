/** Checks that a bank lets a user pay from the accounts of orders: one who may only read them stops nothing. */
import { findAccountByBban } from '../consents/accounts/find-account.ts'
import { type Consent, isInForce } from '../consents/consent.ts'
import { consentIdsOfUser, consentsInForce } from '../consents/consent-lookup.ts'
import type { Context } from '../context.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { hasPaidFrom } from './payer-store.ts'

/** An order that is to be stopped, with the consents of those who ordered it or whose approval or cancellation it is. */
export type StoppedOrder = { readonly debtorBban: string; readonly consentIds: readonly string[] }

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
  for (const debtorBban of new Set(ofOthers.map((order) => order.debtorBban))) {
    const account = await findAccountByBban(context, consent, debtorBban)
    const { partnerId, bic } = consent
    const mayPay =
      account !== undefined &&
      (account.payable ?? (await hasPaidFrom(context.database, { partnerId, bic, debtorBban, consentIds: ownIds })))
    if (!mayPay) {
      return false
    }
  }
  return true
}

/** The consents in force of those users who may stop an order. */
export async function consentsOfPayers(
  context: Context,
  order: Pick<Consent, 'partnerId' | 'bic' | 'countryCode' | 'organisationNumber'> & {
    readonly debtorBban: string
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
