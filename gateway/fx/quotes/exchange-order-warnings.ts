/** Finds what a partner should look at in an order of exchange that passes the rules. */
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import type { ExchangeWarning } from '../../../contract/fx/fx-operations.ts'
import { balanceAsSeen } from '../../accounts/find-available-balance.ts'
import { checkAccountNumber } from '../../countries/account-number.ts'
import { destinationWarnings } from '../../countries/requirements/destination-problems.ts'
import { withSubject } from '../../platform/http/errors/api-error.ts'
import { type Money, printAmount } from '../../platform/money.ts'
import { isDueNow, serviceAt } from '../availability/service-hours.ts'
import type { FxContext } from '../fx-context.ts'
import { pathOf } from './destination-error-mapping.ts'
import { destinationOf, senderOf } from './exchange-order.ts'
import type { ExchangeAsked } from './exchange-request.ts'

/** An order with what it was read as, and what it costs. */
type Judged = {
  readonly partnerId: string
  readonly order: ExchangeOrder
  readonly asked: ExchangeAsked
  readonly cost: Money
}

export async function warningsOf(context: FxContext, judged: Judged): Promise<readonly ExchangeWarning[]> {
  const { order } = judged
  return [
    ...aboutSender(order),
    ...aboutReceiver(order),
    ...(await aboutBalance(context, judged)),
    ...aboutPurposeCode(order),
  ]
}

/** Genuine numbers exist that look wrong. */
function aboutSender({ from }: ExchangeOrder): readonly ExchangeWarning[] {
  const checked = checkAccountNumber(from.country, from.bban)
  return checked.ok && checked.warning !== undefined
    ? [{ code: 'AccountNumberUnverified', reason: `The account number ${checked.warning}`, path: '.from.bban' }]
    : []
}

function aboutReceiver(order: ExchangeOrder): readonly ExchangeWarning[] {
  return destinationWarnings(destinationOf(order)).map((warning) =>
    withSubject({
      code: ['iban', 'bban', 'bic'].includes(warning.part) ? 'AccountNumberUnverified' : 'DestinationUnverified',
      reason: warning.reason,
      path: pathOf(order, warning),
    }),
  )
}

/** Only where the money is taken so soon that nothing else will come in before. */
async function aboutBalance(
  context: FxContext,
  { partnerId, order, asked, cost }: Judged,
): Promise<readonly ExchangeWarning[]> {
  if (!isDueNow(serviceAt(context, asked.fundingCountry), asked.dueDate)) {
    return []
  }
  const { fundingCountry: countryCode, fundingCurrency: currency, company } = asked
  const account = { ...senderOf(order), currency }
  const available = await balanceAsSeen(context, { partnerId, bic: order.from.bic, countryCode, company, account })
  if (available === null || available.currency !== cost.currency || available.minor >= cost.minor) {
    return []
  }
  const reason = `The payment costs ${printAmount(cost)} ${cost.currency}, and ${printAmount(available)} are available on the account`
  return [{ code: 'BalanceTooLow', reason, path: '.amount' }]
}

function aboutPurposeCode({ purposeCode }: ExchangeOrder): readonly ExchangeWarning[] {
  const reason = 'Send it as additionalInformation of the type Purpose'
  return purposeCode === undefined ? [] : [{ code: 'DeprecatedField', reason, path: '.purposeCode' }]
}
