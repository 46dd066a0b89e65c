/** Validates the business rules of a domestic payment by field; the contract validates the shapes. */
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { checkCreditorAccount, checkDebtorAccount } from './account-validation.ts'
import { checkAmount, checkCurrency, checkDebtorCurrency } from './amount-validation.ts'
import { checkDebtorOrganisationNumber } from './debtor-company-validation.ts'
import type { DomesticPaymentParts } from './domestic-payment-parts.ts'
import { checkDueDate } from './due-date-validation.ts'
import { type OrderLimits, orderLimitsOf } from './order-limits.ts'
import { checkAdditionalText, checkRemittance } from './remittance-validation.ts'
import { checkAddressCountry, checkAddressField, checkEndToEndId, checkName } from './text-validation.ts'
import type { RuleResult, ValidationContext } from './validation-context.ts'

type IsValid = (path: string) => boolean
/** The context of a rule: `limits` are those of the rail of the order. */
type RuleContext = ValidationContext & { readonly limits: OrderLimits }
type Rule = (parts: DomesticPaymentParts, context: RuleContext) => RuleResult

/** Returns the errors of all rules; fields with an invalid shape are skipped. */
export function validateDomesticPayment(
  parts: DomesticPaymentParts,
  validation: ValidationContext,
  isValid: IsValid,
): readonly ValidationError[] {
  const ruleContext = { ...validation, limits: orderLimitsOf(parts, validation.bank) }
  return rulesByPath.flatMap(([path, rule]) => {
    const result = isValid(path) ? rule(parts, ruleContext) : undefined
    return result === undefined ? [] : [{ path, ...result }]
  })
}

const rulesByPath: readonly (readonly [path: string, rule: Rule])[] = [
  ['.metadata.endToEndId', ({ ordered }, { bank }) => checkEndToEndId(bank, ordered.metadata.endToEndId)],
  ['.from.account.bban', ({ debtor }, context) => checkDebtorAccount(debtor, context)],
  [
    '.from.contactInformation.name',
    ({ ordered: { from } }, { bank }) => checkName(bank, from.contactInformation.name, 'Sender', null),
  ],
  ...addressRules('from'),
  ['.from.currency', ({ ordered }, { bank }) => checkDebtorCurrency(ordered, bank)],
  ['.from.organizationNumber', ({ ordered }, context) => checkDebtorOrganisationNumber(ordered, context)],
  ['.to.account.bban', checkCreditorAccount],
  [
    '.to.contactInformation.name',
    ({ ordered: { to } }, { bank, limits }) =>
      checkName(bank, to.contactInformation.name, 'Recipient', limits.recipientNameMax),
  ],
  ...addressRules('to'),
  ['.amount.currency', ({ ordered }, { bank }) => checkCurrency(ordered, bank)],
  ['.amount.amount', (parts, { bank, limits }) => checkAmount(parts, bank, limits)],
  ['.dueDate', ({ dueDate, ordered }, context) => checkDueDate(dueDate, ordered.purposeCode, context)],
  ['.remittanceInformation', (parts, { bank, limits }) => checkRemittance(parts, bank, limits)],
  [
    '.remittanceInformation',
    ({ ordered }, { bank, limits }) => checkAdditionalText(ordered.remittanceInformation, bank, limits),
  ],
]

function addressRules(side: 'from' | 'to'): readonly (readonly [path: string, rule: Rule])[] {
  const path = `.${side}.contactInformation.address`
  const fields = ['streetName', 'buildingNumber', 'postCode', 'city'] as const
  return [
    ...fields.map((field) => {
      const rule: Rule = ({ ordered }, { bank }) =>
        checkAddressField(bank, side, field, ordered[side].contactInformation.address)
      return [`${path}.${field}`, rule] as const
    }),
    [`${path}.country`, ({ ordered }) => checkAddressCountry(ordered[side].contactInformation.address?.country)],
  ]
}
