/** Takes a cross-border payment, hands it to the debtor's bank and keeps it; with exchange, what the bank gets is what funds it. */
import type { CrossBorderInitiated } from '../../../contract/payments/cross-border-operations.ts'
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import { requireAccountOnConsent } from '../../accounts/require-account.ts'
import type { CrossBorderPaymentProduct } from '../../banks/connector/connector.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { requirePayingAbroad } from '../../companies/require-company.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import type { FxContext } from '../../fx/fx-context.ts'
import { crossBorderOrderOf } from '../../orders/instructions/build-cross-border-order.ts'
import { situationAt } from '../../orders/instructions/validation-context.ts'
import { keepIntent } from '../../orders/submission/submission.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'
import { balanceWarning } from '../balance-warning.ts'
import { initiateWithExchange } from '../exchange/initiate-with-exchange.ts'
import { handOver } from '../hand-over.ts'
import type { Initiation } from '../initiate-domestic-payment.ts'
import { keepAcceptanceOf } from '../keep-acceptance.ts'
import { refusalOfCrossBorderOrder } from './cross-border-order-error.ts'
import { crossBorderWarnings } from './cross-border-warnings.ts'
import { requireExchangeService } from './orderable-exchange.ts'
import { isExchanged } from './requires-exchange.ts'

/**
 * The bank is asked once: after the intent is kept, and while no database connection is held.
 * Throws 503 with the payment's id when it is not known whether the bank took the order.
 */
export async function initiateCrossBorderPayment(
  context: FxContext,
  caller: ConsentCaller,
  ordered: CrossBorderPayment,
  initiation: Initiation,
): Promise<CrossBorderInitiated> {
  await requirePayingAbroad(initiation.findCompany, caller.consent)
  if (isExchanged(ordered)) {
    requireExchangeService(context, ordered, initiation.bank.countryCode)
    return await initiateWithExchange(context, caller, ordered, initiation)
  }
  return await initiateAtBank(context, caller, ordered, initiation)
}

async function initiateAtBank(
  context: Context,
  caller: ConsentCaller,
  ordered: CrossBorderPayment,
  initiation: Initiation,
): Promise<CrossBorderInitiated> {
  const { bank, findAccount } = initiation
  const product = requireCrossBorderPayments(context, bank)
  const { bban, currency } = { ...ordered.from.account, ...ordered.from }
  const account = await requireAccountOnConsent(findAccount, caller, { bban, currency })
  const order = crossBorderOrderOf(ordered, bank.countryCode, account.iban)
  const situation = situationAt(context.clock, bank, caller.consent)
  const warnings = [
    ...(await balanceWarning(context, caller, { ...order, account, localNow: situation.localNow })),
    ...(await crossBorderWarnings(context, ordered, situation)),
  ]
  const creditorNumber = order.creditor.account.number
  const asked = { type: 'CrossBorder', ordered, order, creditorNumber, warnings } as const
  const intent = await keepIntent(context, caller, asked, initiation)
  const taken = await handOver(context, caller, intent, { bank, product, refusalOf: refusalOfCrossBorderOrder })
  return await keepAcceptanceOf(context, intent, taken, initiation)
}

function requireCrossBorderPayments({ banks }: Context, bank: Bank): CrossBorderPaymentProduct {
  const { crossBorderPayments } = banks.connectorOf(bank)
  if (crossBorderPayments === undefined || !bank.profile.products.includes('PAYMENT_CROSS_BORDER')) {
    throw refuse('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} takes no payments across borders here`)
  }
  return crossBorderPayments
}
