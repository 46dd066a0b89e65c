/** Finds what a user sees of an authorisation before deciding on it. */
import type { Authorisation } from '../authorisations/authorisation.ts'
import type { Consent } from '../consents/consent.ts'
import { consentById } from '../consents/consent-store.ts'
import type { Context } from '../context.ts'
import { paymentsIn } from '../payments/basket-store.ts'
import type { Payment } from '../payments/payment.ts'
import { paymentsByIds } from '../payments/payment-store.ts'

/** The payments to sign or to cancel; none of a consent. */
export async function paymentsToSign(
  { database }: Context,
  { subject, resource_id: id }: Authorisation,
): Promise<readonly Payment[]> {
  return subject === 'basket' ? await paymentsIn(database.query, id) : await paymentsByIds(database.query, [id])
}

export async function consentToGive(
  { database }: Context,
  { subject, bank, resource_id: id }: Authorisation,
): Promise<Consent | undefined> {
  return subject === 'consent' ? await consentById(database.query, bank, id) : undefined
}
