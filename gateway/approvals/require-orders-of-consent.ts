/** Makes sure that a caller may act on orders that somebody else may have had signed: same bank, company and accounts. */
import { isOnConsent } from '../accounts/require-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { accountFinder } from '../consents/find-account.ts'
import type { Context } from '../context.ts'
import type { Payment } from '../orders/payment.ts'
import { refuse } from '../platform/http/errors/api-error.ts'

/** Throws `ACCESS_DENIED`. */
export async function requireOrdersOfConsent(
  context: Context,
  caller: ConsentCaller,
  orders: readonly Pick<Payment, 'bic' | 'organisationNumber' | 'debtorBban'>[],
): Promise<void> {
  const { bic, organisationNumber } = caller.consent
  if (orders.some((order) => order.bic !== bic || order.organisationNumber !== organisationNumber)) {
    throw refuse('ACCESS_DENIED', 'It is at another bank, or of another company, than the consent')
  }
  const findAccount = accountFinder(context)
  for (const debtorBban of new Set(orders.map((order) => order.debtorBban))) {
    if (!(await isOnConsent(findAccount, caller, debtorBban))) {
      throw refuse(
        'ACCESS_DENIED',
        'The debtor account is not on this consent; GET /api/v2/accounts lists those that are',
      )
    }
  }
}
