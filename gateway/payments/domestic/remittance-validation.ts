/** The rules on what a domestic payment says to its receiver, and to its sender. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { debtorReferenceMax } from '../../countries/field-lengths.ts'
import { checkReference } from '../../countries/structured-reference.ts'
import type { Finding } from '../../orders/instructions/validation-context.ts'
import { checkText } from '../text-rules.ts'
import type { OrderLimits } from './order-limits.ts'

type Remittance = DomesticPayment['remittanceInformation']

/** A message as the bank and the rail take it, or a reference that its country knows. */
export function checkRemittance(remittance: Remittance, bank: Bank, limits: OrderLimits): Finding {
  switch (remittance?.type) {
    case undefined:
      return undefined
    case 'message':
      return checkMessage(remittance.value, bank, limits, '.remittanceInformation.value')
    case 'ocr': {
      const checked = checkReference(bank.countryCode, remittance)
      return checked.ok ? undefined : invalid(`The reference ${checked.reason}`, '.remittanceInformation.value')
    }
    case 'fik': {
      const checked = checkReference(bank.countryCode, remittance)
      return checked.ok ? undefined : invalid(`The reference ${checked.reason}`, '.remittanceInformation')
    }
  }
}

/** What stands beside a reference: the text on a payment form, or the sender's own text beside a message. */
export function checkTextsBeside(remittance: Remittance, bank: Bank, limits: OrderLimits): Finding {
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

function checkMessage(text: string, bank: Bank, { messageMax, isToOtherBank }: OrderLimits, path: string): Finding {
  const length = [...text].length
  if (length > messageMax) {
    const limit = `${bank.name} takes ${messageMax}${isToOtherBank ? ' in payments to other banks' : ''}`
    return invalid(`The message has ${length} characters; ${limit}`, path)
  }
  const strange = checkText(bank, text)
  return strange === undefined ? undefined : { ...strange, path }
}

function checkDebtorReference(text: string | undefined, bank: Bank): Finding {
  const path = '.remittanceInformation.debtorReference'
  const [max, length] = [debtorReferenceMax(bank.countryCode), [...(text ?? '')].length]
  if (length > max) {
    return invalid(`The sender’s own text has ${length} characters; banks of ${bank.countryCode} take ${max}`, path)
  }
  const strange = checkText(bank, text ?? '')
  return strange === undefined ? undefined : { ...strange, path }
}

function invalid(reason: string, path: string): Finding {
  return { code: 'InvalidRemittanceInfo', reason, path }
}
