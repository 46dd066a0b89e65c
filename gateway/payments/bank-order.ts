/** Writes an order as banks are given it: numbers in the form of their country, money exact. */
import type { DomesticPayment } from '../../contract/domestic-payment.ts'
import type { DomesticOrder, Remittance } from '../banks/connector.ts'
import { checkAccountNumber } from '../countries/account-number.ts'
import { checkReference } from '../countries/structured-reference.ts'
import { type Money, parseMoney } from '../foundation/money.ts'

/** The order of a domestic payment that has passed the rules. */
export function bankOrderOf(ordered: DomesticPayment, countryCode: string): DomesticOrder {
  return {
    endToEndId: ordered.metadata.endToEndId,
    debtor: {
      bban: bbanOfSound(countryCode, ordered.from.account.bban),
      name: ordered.from.contactInformation.name,
      currency: ordered.from.currency,
    },
    creditor: {
      bban: bbanOfSound(countryCode, ordered.to.account.bban),
      name: ordered.to.contactInformation.name,
    },
    amount: moneyOfSound(ordered.amount),
    dueDate: Temporal.PlainDate.from(ordered.dueDate),
    remittance: remittanceOf(ordered, countryCode),
    purposeCode: ordered.purposeCode ?? null,
  }
}

function remittanceOf({ remittanceInformation }: DomesticPayment, countryCode: string): Remittance | null {
  switch (remittanceInformation?.type) {
    case 'message':
      return remittanceInformation
    case 'ocr': {
      const checked = checkReference(countryCode, remittanceInformation.value)
      return { type: 'ocr', value: checked.ok ? checked.reference : remittanceInformation.value }
    }
    case 'fik':
      throw new Error('A FIK reference got past the rules: no bank of the directory takes one')
    case undefined:
      return null
  }
}

function bbanOfSound(countryCode: string, text: string): string {
  const checked = checkAccountNumber(countryCode, text)
  if (!checked.ok) {
    throw new Error(`An account number got past the rules: it ${checked.reason}`)
  }
  return checked.bban
}

function moneyOfSound({ amount, currency }: DomesticPayment['amount']): Money {
  const money = parseMoney(amount, currency)
  if (money === undefined) {
    throw new Error('An amount got past the rules')
  }
  return money
}
