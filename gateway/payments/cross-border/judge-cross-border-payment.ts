/** Finds everything that is wrong with a cross-border payment: by our rules, the countries', and those of exchange. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { FindAccount } from '../../consents/find-account.ts'
import type { Context } from '../../context.ts'
import type { Situation } from '../../orders/instructions/validation-context.ts'
import type { Problem } from '../../platform/http/errors/api-error.ts'
import { isSound } from '../../platform/http/validation/schema-validation.ts'
import { withoutOverruledSender } from './cross-border-debtor-validation.ts'
import { crossBorderProblems } from './cross-border-payment-validation.ts'
import { exchangeProblems } from './orderable-exchange.ts'
import { reportingOf } from './reporting-of.ts'
import { isExchanged } from './requires-exchange.ts'

/** What judging works with. */
export type Judging = {
  readonly situation: Situation
  readonly findAccount: FindAccount
  readonly isSoundAt: (path: string) => boolean
}

/** The problems of the 422. What the exchange is closed for comes after them, as a 400. */
export async function judgeCrossBorderPayment(
  context: Context,
  caller: ConsentCaller,
  order: CrossBorderPayment,
  { situation, findAccount, isSoundAt }: Judging,
): Promise<readonly Problem[]> {
  const { countryCode } = situation.bank
  const ruled = crossBorderProblems(order, situation, isSoundAt)
  const own = await withoutOverruledSender(findAccount, caller, order, ruled)
  const isOpen = (path: string) => isSoundAt(path) && isSound(path, own)
  const areOpen = (...paths: readonly string[]) => paths.every(isOpen)
  const exchanged =
    areOpen('.amount', '.from.currency', '.dueDate') && isExchanged(order)
      ? exchangeProblems(context, order, countryCode)
      : []
  const reported = areOpen('.amount', '.regulatoryReporting') ? await reportingOf(context, order, countryCode) : []
  const unreported = reported
    .filter(({ isWarning }) => !isWarning)
    .map(({ path, reason }) => ({ code: 'InvalidRequest', path, reason }) as const)
  return [...own, ...exchanged, ...unreported]
}
