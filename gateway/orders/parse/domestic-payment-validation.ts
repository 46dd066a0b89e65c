/** Validates the business rules of a domestic payment by field; the contract validates the shapes. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { checkCreditorAccount, checkDebtorAccount } from './account-validation.ts'
import { checkAmount, checkCurrency, checkDebtorCurrency } from './amount-validation.ts'
import { checkDebtorOrganisationNumber } from './debtor-company-validation.ts'
import { checkDueDate } from './due-date-validation.ts'
import { type OrderLimits, orderLimitsOf } from './order-limits.ts'
import { checkAdditionalText, checkRemittance } from './remittance-validation.ts'
import { checkAddressCountry, checkAddressField, checkEndToEndId, checkName } from './text-validation.ts'
import type { RuleResult, ValidationContext } from './validation-context.ts'

type IsValid = (path: string) => boolean
/** The context of a rule: `limits` are those of the rail of the order. */
type RuleContext = ValidationContext & { readonly limits: OrderLimits }
type Rule = (order: DomesticPayment, context: RuleContext) => RuleResult

/** Returns the errors of all rules; fields with an invalid shape are skipped. */
export function validateDomesticPayment(
  order: DomesticPayment,
  validation: ValidationContext,
  isValid: IsValid,
): readonly ValidationError[] {
  const readable = withValidRemittance(order, isValid)
  const ruleContext = { ...validation, limits: orderLimitsOf(readable, validation.bank, isValid) }
  return rulesByPath.flatMap(([path, rule]) => {
    const result = isValid(path) ? rule(readable, ruleContext) : undefined
    return result === undefined ? [] : [{ path, ...result }]
  })
}

const rulesByPath: readonly (readonly [path: string, rule: Rule])[] = [
  ['.metadata.endToEndId', ({ metadata }, { bank }) => checkEndToEndId(bank, metadata.endToEndId)],
  ['.from.account.bban', checkDebtorAccount],
  [
    '.from.contactInformation.name',
    ({ from }, { bank }) => checkName(bank, from.contactInformation.name, 'Sender', null),
  ],
  ...addressRules('from'),
  ['.from.currency', (order, { bank }) => checkDebtorCurrency(order, bank)],
  ['.from.organizationNumber', checkDebtorOrganisationNumber],
  ['.to.account.bban', checkCreditorAccount],
  [
    '.to.contactInformation.name',
    ({ to }, { bank, limits }) => checkName(bank, to.contactInformation.name, 'Recipient', limits.recipientNameMax),
  ],
  ...addressRules('to'),
  ['.amount.currency', (order, { bank }) => checkCurrency(order, bank)],
  ['.amount.amount', (order, { bank, limits }) => checkAmount(order, bank, limits)],
  ['.dueDate', checkDueDate],
  ['.remittanceInformation', (order, { bank, limits }) => checkRemittance(order.remittanceInformation, bank, limits)],
  [
    '.remittanceInformation',
    (order, { bank, limits }) => checkAdditionalText(order.remittanceInformation, bank, limits),
  ],
]

function addressRules(side: 'from' | 'to'): readonly (readonly [path: string, rule: Rule])[] {
  const path = `.${side}.contactInformation.address`
  const fields = ['streetName', 'buildingNumber', 'postCode', 'city'] as const
  return [
    ...fields.map((field) => {
      const rule: Rule = (order, { bank }) =>
        checkAddressField(bank, side, field, order[side].contactInformation.address)
      return [`${path}.${field}`, rule] as const
    }),
    [`${path}.country`, (order) => checkAddressCountry(order[side].contactInformation.address?.country)],
  ]
}

/** Removes an invalid remittance, so that the rules on other fields can read the order. */
function withValidRemittance(order: DomesticPayment, isValid: IsValid): DomesticPayment {
  const { remittanceInformation: _remittance, ...rest } = { ...order }
  return isValid('.remittanceInformation') ? order : rest
}
