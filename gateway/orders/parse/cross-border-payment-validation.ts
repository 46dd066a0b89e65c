/** Validates the business rules of a cross-border payment by field; the contract validates the shapes. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { isSound } from '../../platform/http/validation/schema-validation.ts'
import { parseDay } from '../../platform/time-format.ts'
import { checkDebtorOrganisationNumber } from './account-validation.ts'
import { checkAmount, checkAmountCurrency, checkDebtorCurrency } from './cross-border-amount-validation.ts'
import { checkDebtorAccount, checkDebtorBic } from './cross-border-debtor-validation.ts'
import { validateDestination } from './cross-border-destination-validation.ts'
import {
  checkAddressText,
  checkDebtorReference,
  checkEndToEndId,
  checkMessage,
  checkName,
} from './cross-border-text-validation.ts'
import { checkDueDate } from './execution-day.ts'
import type { RuleResult, ValidationContext } from './validation-context.ts'

type Rule = (order: CrossBorderPayment, validation: ValidationContext) => RuleResult

/**
 * Returns the errors of all rules; fields with an invalid shape are skipped. Exchange and regulatory reporting are
 * validated separately.
 */
export function checkCrossBorderRules(
  order: CrossBorderPayment,
  validation: ValidationContext,
  isSoundAt: (path: string) => boolean,
): readonly ValidationError[] {
  const ruleErrors = rulesByPath.flatMap(([path, rule]) => {
    const result = isSoundAt(path) ? rule(order, validation) : undefined
    return result === undefined ? [] : [{ path, ...result }]
  })
  const found = [...ruleErrors, ...missingCreditorAccount(order, isSoundAt)]
  const isDestinationValid = ['.to', '.amount', '.from.currency', '.remittanceInformation'].every(isSoundAt)
  const destinationErrors = isDestinationValid ? validateDestination(order) : []
  // A field that a rule has rejected already gets no second error.
  return [...found, ...destinationErrors.filter(({ path }) => isSound(path, found))]
}

const rulesByPath: readonly (readonly [path: string, rule: Rule])[] = [
  ['.metadata.endToEndId', ({ metadata }, { bank }) => checkEndToEndId(bank, metadata.endToEndId)],
  ['.from.account.bic', checkDebtorBic],
  ['.from.account.bban', checkDebtorAccount],
  ['.from.contactInformation.name', (order, { bank }) => checkName(order, bank, order.from.contactInformation.name)],
  ...addressRules('from'),
  ['.from.currency', checkDebtorCurrency],
  ['.from.organizationNumber', checkDebtorOrganisationNumber],
  ['.to.contactInformation.name', (order, { bank }) => checkName(order, bank, order.to.contactInformation.name)],
  ...addressRules('to'),
  ['.amount.currency', checkAmountCurrency],
  ['.amount', checkAmount],
  ['.dueDate', ({ dueDate }, context) => checkDueDate(parseDay(dueDate), undefined, context)],
  ['.remittanceInformation', checkMessage],
  ['.remittanceInformation.debtorReference', checkDebtorReference],
]

/**
 * The destination as a whole is validated only where all of it has the right shape. Without a type either number will
 * do.
 */
function missingCreditorAccount(
  order: CrossBorderPayment,
  isSoundAt: (path: string) => boolean,
): readonly ValidationError[] {
  const account: unknown = Object(order.to).account
  if (typeof account !== 'object' || account === null) {
    return []
  }
  const isTypeKnown = isSoundAt('.to.account.type')
  const type = isTypeKnown ? order.to.account.type : 'bban'
  const isGiven = Object.hasOwn(account, type) || (!isTypeKnown && Object.hasOwn(account, 'iban'))
  return isGiven
    ? []
    : [{ code: 'InvalidBbanOrIban', reason: 'is missing; it is required with this type', path: `.to.account.${type}` }]
}

function addressRules(side: 'from' | 'to'): readonly (readonly [path: string, rule: Rule])[] {
  const fields = ['streetName', 'buildingNumber', 'postCode', 'city', 'country'] as const
  return fields.map((field) => {
    const rule: Rule = (order) => checkAddressText(order, side, field)
    return [`.${side}.contactInformation.address.${field}`, rule] as const
  })
}
