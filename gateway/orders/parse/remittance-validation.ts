/** Validates the remittance information of a domestic payment and its text for the debtor. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { debtorReferenceMax } from '../../countries/field-lengths.ts'
import type { DomesticPaymentParts } from './domestic-payment-parts.ts'
import type { OrderLimits } from './order-limits.ts'
import { checkText } from './text-validation.ts'
import type { RuleResult } from './validation-context.ts'

type Remittance = DomesticPayment['remittanceInformation']

/** Validates a message by the limits of bank and rail, or a reference by the rules of its country. */
export function checkRemittance(
  { ordered, reference }: Pick<DomesticPaymentParts, 'ordered' | 'reference'>,
  bank: Bank,
  limits: OrderLimits,
): RuleResult {
  const remittance = ordered.remittanceInformation
  if (remittance?.type === 'message') {
    return checkMessage(remittance.value, bank, limits, '.remittanceInformation.value')
  }
  const path = remittance?.type === 'ocr' ? '.remittanceInformation.value' : '.remittanceInformation'
  return reference?.ok === false ? invalid(`The reference ${reference.reason}`, path) : undefined
}

/** Validates the additional text: that on a payment form, or the debtor's own text with a message. */
export function checkAdditionalText(remittance: Remittance, bank: Bank, limits: OrderLimits): RuleResult {
  switch (remittance?.type) {
    case 'message':
      return checkDebtorReference(remittance.debtorReference, bank)
    case 'fik': {
      const message = 'message' in remittance ? remittance.message : undefined
      return message === undefined ? undefined : checkMessage(message, bank, limits, '.remittanceInformation.message')
    }
    default:
      return undefined
  }
}

function checkMessage(text: string, bank: Bank, { messageMax, isToOtherBank }: OrderLimits, path: string): RuleResult {
  const length = [...text].length
  if (length > messageMax) {
    const limit = `${bank.name} accepts at most ${messageMax}${isToOtherBank ? ' in payments to other banks' : ''}`
    return invalid(`The message has ${length} characters; ${limit}`, path)
  }
  const unsupported = checkText(bank, text)
  return unsupported === undefined ? undefined : { ...unsupported, path }
}

function checkDebtorReference(text: string | undefined, bank: Bank): RuleResult {
  const path = '.remittanceInformation.debtorReference'
  const [max, length] = [debtorReferenceMax(bank.countryCode), [...(text ?? '')].length]
  if (length > max) {
    return invalid(
      `The sender’s own text has ${length} characters; banks of ${bank.countryCode} accept at most ${max}`,
      path,
    )
  }
  const unsupported = checkText(bank, text ?? '')
  return unsupported === undefined ? undefined : { ...unsupported, path }
}

function invalid(reason: string, path: string): RuleResult {
  return { code: 'InvalidRemittanceInfo', reason, path }
}
