/** Parses a domestic payment against its bank: the order and its warnings, or every error. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import type { DomesticOrder } from '../../banks/connector/bank-order.ts'
import type { DebtorAccountNumber } from '../../countries/account-number.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { checkCreditorAccount, checkDebtorAccount, checkDebtorOrganisationNumber } from './account-validation.ts'
import {
  checkAmount,
  checkCurrency,
  checkDebtorCurrency,
  type OrderLimits,
  orderLimitsOf,
} from './amount-validation.ts'
import { domesticOrderOf } from './domestic-order.ts'
import {
  asValidPayment,
  type DomesticPaymentParts,
  parseDebtor,
  parseDomesticPaymentParts,
} from './domestic-payment-parts.ts'
import { domesticPaymentWarnings } from './domestic-payment-warnings.ts'
import { checkDueDate } from './execution-day.ts'
import {
  checkAdditionalText,
  checkAddressCountry,
  checkAddressField,
  checkEndToEndId,
  checkName,
  checkRemittance,
} from './text-and-remittance-validation.ts'
import type { RuleResult, ValidationContext } from './validation-context.ts'

/** A domestic payment as requested, and the order for its bank; the debtor's IBAN is the computed one. */
export type DomesticInstruction = {
  readonly ordered: DomesticPayment
  readonly order: DomesticOrder
  readonly warnings: readonly PaymentWarning[]
}

/** The instruction is undefined where a part is invalid that every order needs. */
export type ParsedDomesticPayment = {
  readonly errors: readonly ValidationError[]
  readonly debtor: DebtorAccountNumber
  readonly instruction: DomesticInstruction | undefined
}

/** What an order is built from. */
const MEMBERS = ['.metadata', '.from', '.to', '.amount', '.dueDate', '.remittanceInformation', '.purposeCode']

/** `isSound` states which fields have the right shape; no rule reads the others. */
export function parseDomesticPayment(
  ordered: DomesticPayment,
  validation: ValidationContext,
  isSound: (path: string) => boolean,
): ParsedDomesticPayment {
  const { countryCode } = validation.bank
  const debtor = parseDebtor(countryCode, isSound('.from.account.bban') ? ordered.from.account.bban : undefined)
  const parts = parseDomesticPaymentParts(ordered, countryCode, debtor, isSound)
  const errors = validateDomesticPayment(parts, validation, isSound)
  // An error in the debtor's number does not hold where the bank lists the account on the consent.
  const isReadable = MEMBERS.every(isSound) && errors.every(({ code }) => code === 'InvalidBBAN')
  const valid = isReadable ? asValidPayment(parts) : undefined
  const instruction = valid && {
    ordered,
    order: domesticOrderOf(valid),
    warnings: domesticPaymentWarnings(valid, validation),
  }
  return { errors, debtor, instruction }
}

type IsValid = (path: string) => boolean
/** What a rule is checked against: `limits` are those of the rail of the order. */
type RuleValidation = ValidationContext & { readonly limits: OrderLimits }
type Rule = (parts: DomesticPaymentParts, validation: RuleValidation) => RuleResult

/** Returns the errors of all rules; fields with an invalid shape are skipped. */
function validateDomesticPayment(
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
  ['.from.account.bban', ({ debtor }, validation) => checkDebtorAccount(debtor, validation)],
  [
    '.from.contactInformation.name',
    ({ ordered: { from } }, { bank }) => checkName(bank, from.contactInformation.name, 'Sender', null),
  ],
  ...addressRules('from'),
  ['.from.currency', ({ ordered }, { bank }) => checkDebtorCurrency(ordered, bank)],
  ['.from.organizationNumber', ({ ordered }, validation) => checkDebtorOrganisationNumber(ordered, validation)],
  ['.to.account.bban', checkCreditorAccount],
  [
    '.to.contactInformation.name',
    ({ ordered: { to } }, { bank, limits }) =>
      checkName(bank, to.contactInformation.name, 'Recipient', limits.recipientNameMax),
  ],
  ...addressRules('to'),
  ['.amount.currency', ({ ordered }, { bank }) => checkCurrency(ordered, bank)],
  ['.amount.amount', (parts, { bank, limits }) => checkAmount(parts, bank, limits)],
  ['.dueDate', ({ dueDate, ordered }, validation) => checkDueDate(dueDate, ordered.purposeCode, validation)],
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
