/** Writes an order as banks are given it: numbers in the form of their country, money exact. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { CreditorAccount, DomesticOrder, Remittance } from '../../banks/connector/domestic-order.ts'
import { addressTexts, type PostalAddress } from '../../banks/connector/postal-address.ts'
import { senderNumber } from '../../countries/debtor-account-number.ts'
import { formOf } from '../../countries/denmark/fik.ts'
import { checkReference } from '../../countries/structured-reference.ts'
import { type Money, parseMoney } from '../../platform/money.ts'
import { receiverOf } from './resolve-creditor.ts'

/** The order of a domestic payment that has passed the rules; the debtor's IBAN is the bank's own where it told one. */
export function bankOrderOf(
  ordered: DomesticPayment,
  countryCode: string,
  debtorIban: string | null = null,
): DomesticOrder {
  const { bban: debtorBban, iban } = senderNumber(countryCode, ordered.from.account.bban)
  return {
    endToEndId: ordered.metadata.endToEndId,
    debtor: {
      bban: debtorBban,
      iban: debtorIban ?? iban,
      name: ordered.from.contactInformation.name,
      currency: ordered.from.currency,
    },
    creditor: {
      account: creditorAccountOf(ordered, countryCode),
      name: ordered.to.contactInformation.name,
      ...addressOf(ordered.to.contactInformation),
    },
    amount: moneyOfSound(ordered.amount),
    dueDate: Temporal.PlainDate.from(ordered.dueDate),
    remittance: remittanceOf(ordered, countryCode),
    purposeCode: ordered.purposeCode ?? null,
  }
}

/** Banks demand the country of an address; we do not guess it. */
function addressOf({ address }: DomesticPayment['to']['contactInformation']): { readonly address?: PostalAddress } {
  if (address?.country === undefined) {
    return {}
  }
  const filled = addressTexts(address).filter(([, text]) => text !== '')
  return { address: { ...Object.fromEntries(filled), country: address.country } }
}

function creditorAccountOf(ordered: DomesticPayment, countryCode: string): CreditorAccount {
  const receiver = receiverOf(ordered, countryCode)
  if (!receiver.ok) {
    throw new Error(`An account number got past the rules: it ${receiver.reason}`)
  }
  return receiver.account
}

function remittanceOf({ remittanceInformation }: DomesticPayment, countryCode: string): Remittance | null {
  switch (remittanceInformation?.type) {
    case 'message':
      return remittanceInformation
    case 'ocr': {
      const checked = checkReference(countryCode, remittanceInformation)
      return { type: 'ocr', value: checked.ok ? checked.reference : remittanceInformation.value }
    }
    case 'fik': {
      const form = formOf(remittanceInformation)
      if (form === undefined) {
        throw new Error('A payment form got past the rules')
      }
      const { cardType, paymentId = null, message = null } = form
      return { type: 'fik', cardType, paymentId, message }
    }
    case undefined:
      return null
  }
}

function moneyOfSound({ amount, currency }: DomesticPayment['amount']): Money {
  const money = parseMoney(amount, currency)
  if (money === undefined) {
    throw new Error('An amount got past the rules')
  }
  return money
}
