/** Checks that a caller may act on orders of another user: same bank, company and accounts. */
import { isAccountOnConsent } from '../accounts/require-account.ts'
import { accountFinder } from '../consents/accounts/find-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import type { Payment } from '../orders/payment.ts'
import { apiError } from '../platform/http/errors/api-error.ts'

/** Throws `ACCESS_DENIED`. */
export async function requireOrdersOfConsent(
  context: Context,
  caller: ConsentCaller,
  orders: readonly Pick<Payment, 'bic' | 'organisationNumber' | 'debtorBban'>[],
): Promise<void> {
  const { bic, organisationNumber } = caller.consent
  if (orders.some((order) => order.bic !== bic || order.organisationNumber !== organisationNumber)) {
    throw apiError('ACCESS_DENIED', 'The consent is at another bank or of another company')
  }
  const findAccount = accountFinder(context)
  for (const debtorBban of new Set(orders.map((order) => order.debtorBban))) {
    if (!(await isAccountOnConsent(findAccount, caller, debtorBban))) {
      throw apiError(
        'ACCESS_DENIED',
        'The debtor account is not on this consent; GET /api/v2/accounts lists those that are',
      )
    }
  }
}
