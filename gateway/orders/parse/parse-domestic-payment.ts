/** Parses a domestic payment against its bank: the order and its warnings, or every error. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import type { DomesticOrder } from '../../banks/connector/bank-order.ts'
import type { DebtorAccountNumber } from '../../countries/account-number.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import {
  asValidPayment,
  type DomesticPaymentParts,
  domesticOrderOf,
  parseDebtor,
  parseDomesticPaymentParts,
} from './domestic-payment-parts.ts'
import { domesticPaymentWarnings } from './domestic-payment-warnings.ts'
import {
  checkAmount,
  checkCreditorAccount,
  checkCurrency,
  checkDebtorAccount,
  checkDebtorCurrency,
  checkDebtorOrganisationNumber,
  type OrderLimits,
  orderLimitsOf,
} from './domestic-rules.ts'
import { checkDueDate } from './execution-day.ts'
import {
  checkAdditionalText,
  checkAddressCountry,
  checkAddressField,
  checkCreditorName,
  checkEndToEndId,
  checkName,
  checkRemittance,
} from './text-and-remittance-validation.ts'
import { type Rules, ruleErrorsOf, type ValidationContext } from './validation-context.ts'

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
  const errors = ruleErrorsOf(RULES, parts, { ...validation, limits: orderLimitsOf(parts, validation.bank) }, isSound)
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

/** What a rule is checked against: `limits` are those of the rail of the order. */
type DomesticRules = Rules<DomesticPaymentParts, ValidationContext & { readonly limits: OrderLimits }>

const RULES: DomesticRules = [
  ['.metadata.endToEndId', checkEndToEndId],
  ['.from.account.bban', checkDebtorAccount],
  [
    '.from.contactInformation.name',
    ({ ordered: { from } }, { bank }) => checkName(bank, from.contactInformation.name, 'Sender', null),
  ],
  ...addressRules('from'),
  ['.from.currency', checkDebtorCurrency],
  ['.from.organizationNumber', checkDebtorOrganisationNumber],
  ['.to.account.bban', checkCreditorAccount],
  ['.to.contactInformation.name', checkCreditorName],
  ...addressRules('to'),
  ['.amount.currency', checkCurrency],
  ['.amount.amount', checkAmount],
  ['.dueDate', checkDueDate],
  ['.remittanceInformation', checkRemittance],
  ['.remittanceInformation', checkAdditionalText],
]

function addressRules(side: 'from' | 'to'): DomesticRules {
  const path = `.${side}.contactInformation.address`
  const fields = ['streetName', 'buildingNumber', 'postCode', 'city'] as const
  return [
    ...fields.map((field): DomesticRules[number] => [
      `${path}.${field}`,
      ({ ordered }, { bank }) => checkAddressField(bank, side, field, ordered[side].contactInformation.address),
    ]),
    [`${path}.country`, ({ ordered }) => checkAddressCountry(ordered[side].contactInformation.address?.country)],
  ]
}
