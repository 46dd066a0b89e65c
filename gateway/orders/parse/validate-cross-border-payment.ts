/** Validates a cross-border payment by the business rules, the rules of countries and those of exchange. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { FindAccount } from '../../consents/accounts/find-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { isSound } from '../../platform/http/validation/schema-validation.ts'
import { acceptCrossBorderConsentAccount } from './cross-border-debtor-validation.ts'
import { requiresExchange } from './cross-border-destination.ts'
import { checkCrossBorderRules } from './cross-border-payment-validation.ts'
import { validateExchange } from './exchange-validation.ts'
import { validateRegulatoryReporting } from './validate-regulatory-reporting.ts'
import type { ValidationContext } from './validation-context.ts'

/** The dependencies of the validation. */
export type CrossBorderValidationTools = {
  readonly validation: ValidationContext
  readonly findAccount: FindAccount
  readonly isSoundAt: (path: string) => boolean
}

/** Returns the errors for a 422. A closed exchange service is reported afterwards, as a 400. */
export async function validateCrossBorderPayment(
  context: Context,
  caller: ConsentCaller,
  order: CrossBorderPayment,
  { validation, findAccount, isSoundAt }: CrossBorderValidationTools,
): Promise<readonly ValidationError[]> {
  const { countryCode } = validation.bank
  const ruleErrors = checkCrossBorderRules(order, validation, isSoundAt)
  const orderErrors = await acceptCrossBorderConsentAccount(findAccount, caller, order, ruleErrors)
  const isValid = (path: string) => isSoundAt(path) && isSound(path, orderErrors)
  const areValid = (...paths: readonly string[]) => paths.every(isValid)
  const exchangeErrors =
    areValid('.amount', '.from.currency', '.dueDate') && requiresExchange(order)
      ? validateExchange(context, order, countryCode)
      : []
  const reportingFindings = areValid('.amount', '.regulatoryReporting')
    ? await validateRegulatoryReporting(context, order, countryCode)
    : []
  const reportingErrors = reportingFindings
    .filter(({ isWarning }) => !isWarning)
    .map(({ path, reason }) => ({ code: 'InvalidRequest', path, reason }) as const)
  return [...orderErrors, ...exchangeErrors, ...reportingErrors]
}
