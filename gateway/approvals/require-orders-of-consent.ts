/** Checks that a caller may see or stop what another user started: same bank and company, and an account to pay from. */

import { isAccountOnConsent } from '../accounts/require-consent-account.ts'
import { accountFinder } from '../consents/accounts/find-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { parseDebtorAccountNumber } from '../countries/account-number.ts'
import type { Payment } from '../orders/payment.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { requirePayer, type StoppedOrder } from './require-payer.ts'

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
  const findAccount = accountFinder(context)
  for (const debtorBban of new Set(orders.map((order) => order.debtorBban))) {
    const number = parseDebtorAccountNumber(caller.consent.countryCode, debtorBban)
    if (!(await isAccountOnConsent(findAccount, caller, number))) {
      throw apiError(
        'ACCESS_DENIED',
        'The debtor account is not on this consent; GET /api/v2/accounts lists those that are',
      )
    }
  }
  await requirePayer(context, caller.consent, orders)
}
