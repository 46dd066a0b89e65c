/** Builds the order of a domestic payment for the bank: account numbers in national form, exact amounts. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { CreditorAccount, DomesticOrder, Remittance } from '../../banks/connector/domestic-order.ts'
import { type PostalAddress, sendableAddress } from '../../banks/connector/postal-address.ts'
import { parseDebtorAccountNumber } from '../../countries/debtor-account-number.ts'
import { checkReference, parsePaymentForm } from '../../countries/structured-reference.ts'
import { type Money, parseMoney } from '../../platform/money.ts'
import { resolveCreditor } from './resolve-creditor.ts'

/** Requires a validated payment. The bank's own IBAN of the debtor takes precedence over the computed one. */
export function buildDomesticPaymentOrder(
  ordered: DomesticPayment,
  countryCode: string,
  debtorIban: string | null = null,
): DomesticOrder {
  const { bban: debtorBban, iban } = parseDebtorAccountNumber(countryCode, ordered.from.account.bban)
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
    amount: parseValidMoney(ordered.amount),
    dueDate: Temporal.PlainDate.from(ordered.dueDate),
    remittance: remittanceOf(ordered, countryCode),
    purposeCode: ordered.purposeCode ?? null,
  }
}

function addressOf({ address }: DomesticPayment['to']['contactInformation']): { readonly address?: PostalAddress } {
  const sent = sendableAddress(address)
  return sent === undefined ? {} : { address: sent }
}

function creditorAccountOf(ordered: DomesticPayment, countryCode: string): CreditorAccount {
  const receiver = resolveCreditor(ordered, countryCode)
  if (!receiver.ok) {
    throw new Error(`Expected a validated account number: it ${receiver.reason}`)
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
      const form = parsePaymentForm(countryCode, remittanceInformation)
      if (form === undefined) {
        throw new Error('Expected a validated payment form')
      }
      const { cardType, paymentId = null, message = null } = form
      return { type: 'fik', cardType, paymentId, message }
    }
    case undefined:
      return null
  }
}

function parseValidMoney({ amount, currency }: DomesticPayment['amount']): Money {
  const money = parseMoney(amount, currency)
  if (money === undefined) {
    throw new Error('Expected a validated amount')
  }
  return money
}
