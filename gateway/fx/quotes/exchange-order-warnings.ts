/** Returns warnings about an exchange order that has passed validation. */

import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import type { ExchangeWarning } from '../../../contract/fx/fx-operations.ts'
import { findAvailableBalance } from '../../accounts/get-account-balance.ts'
import type { Context } from '../../context.ts'
import { checkAccountNumber } from '../../countries/account-number.ts'
import { destinationWarnings } from '../../countries/destinations/destination-validation.ts'
import { withSubject } from '../../platform/http/errors/api-error.ts'
import { formatAmount, type Money } from '../../platform/money.ts'
import { isDueNow, serviceStatusAt } from '../availability/service-hours.ts'
import { debtorOf, destinationOf, type ExchangeRequest } from './exchange-order.ts'
import { pathOf } from './provider-error-mapping.ts'

/** An order, the request parsed from it, and its cost. */
type ExchangeOrderWithCost = {
  readonly partnerId: string
  readonly order: ExchangeOrder
  readonly request: ExchangeRequest
  readonly cost: Money
}

export async function exchangeOrderWarnings(
  context: Context,
  input: ExchangeOrderWithCost,
): Promise<readonly ExchangeWarning[]> {
  const { order } = input
  return [
    ...senderWarnings(order),
    ...receiverWarnings(order),
    ...(await balanceWarnings(context, input)),
    ...purposeCodeWarnings(order),
  ]
}

/** Some valid account numbers fail the checks: they only cause a warning. */
function senderWarnings({ from }: ExchangeOrder): readonly ExchangeWarning[] {
  const checked = checkAccountNumber(from.country, from.bban)
  return checked.ok && checked.warning !== undefined
    ? [{ code: 'AccountNumberUnverified', reason: `The account number ${checked.warning}`, path: '.from.bban' }]
    : []
}

function receiverWarnings(order: ExchangeOrder): readonly ExchangeWarning[] {
  return destinationWarnings(destinationOf(order)).map((warning) =>
    withSubject({
      code: ['iban', 'bban', 'bic'].includes(warning.part) ? 'AccountNumberUnverified' : 'DestinationUnverified',
      reason: warning.reason,
      path: pathOf(order, warning),
    }),
  )
}

/** Only if the account is debited so soon that no other funds can arrive before. */
async function balanceWarnings(
  context: Context,
  { partnerId, order, request, cost }: ExchangeOrderWithCost,
): Promise<readonly ExchangeWarning[]> {
  if (!isDueNow(serviceStatusAt(context, request.fundingCountry), request.dueDate)) {
    return []
  }
  const { fundingCountry: countryCode, fundingCurrency: currency, company } = request
  const account = { ...debtorOf(order), currency }
  const available = await findAvailableBalance(context, {
    partnerId,
    bic: order.from.bic,
    countryCode,
    company,
    account,
  })
  if (available === null || available.currency !== cost.currency || available.minor >= cost.minor) {
    return []
  }
  const [costs, has] = [cost, available].map((money) => `${formatAmount(money)} ${cost.currency}`)
  const reason = `The payment costs ${costs}, but the account has only ${has} available`
  return [{ code: 'BalanceTooLow', reason, path: '.amount' }]
}

function purposeCodeWarnings({ purposeCode }: ExchangeOrder): readonly ExchangeWarning[] {
  const reason = 'Send it as additionalInformation of the type Purpose'
  return purposeCode === undefined ? [] : [{ code: 'DeprecatedField', reason, path: '.purposeCode' }]
}
