/** Builds the order of a domestic payment for the bank: account numbers in national form, exact amounts. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import {
  type DomesticOrder,
  type PostalAddress,
  type Remittance,
  sendableAddress,
} from '../../banks/connector/bank-order.ts'
import {
  asValidPayment,
  type ParsedDebtor,
  partsOfAcceptedPayment,
  type ValidDomesticPayment,
} from './domestic-payment-parts.ts'

/** The order, with the IBAN that is computed from the debtor's number. */
export function domesticOrderOf({
  ordered: { metadata, from, to, remittanceInformation, purposeCode },
  debtor: { bban, iban },
  creditor,
  rail,
  amount,
  dueDate,
  reference,
  form,
}: ValidDomesticPayment): DomesticOrder {
  return {
    endToEndId: metadata.endToEndId,
    rail,
    debtor: { bban, iban, name: from.contactInformation.name, currency: from.currency },
    creditor: { account: creditor.account, name: to.contactInformation.name, ...addressOf(to.contactInformation) },
    amount,
    dueDate,
    remittance: remittanceOf(remittanceInformation, { reference, form }),
    purposeCode: purposeCode ?? null,
  }
}

/** The bank's own IBAN of the debtor, null where it shows none, takes precedence over the computed one. */
export function withDebtorIban<Order extends Pick<DomesticOrder, 'debtor'>>(order: Order, iban: string | null): Order {
  return iban === null ? order : { ...order, debtor: { ...order.debtor, iban } }
}

/** The order of a payment that was accepted earlier, with the computed IBAN. Throws for one that was not. */
export function orderOfAcceptedPayment(
  ordered: DomesticPayment,
  countryCode: string,
  debtor?: ParsedDebtor,
): DomesticOrder {
  const valid = asValidPayment(partsOfAcceptedPayment(ordered, countryCode, debtor))
  if (valid === undefined) {
    throw new Error('Expected a payment that was validated')
  }
  return domesticOrderOf(valid)
}

function addressOf({ address }: DomesticPayment['to']['contactInformation']): { readonly address?: PostalAddress } {
  const sent = sendableAddress(address)
  return sent === undefined ? {} : { address: sent }
}

function remittanceOf(
  remittance: DomesticPayment['remittanceInformation'],
  { reference, form }: Pick<ValidDomesticPayment, 'reference' | 'form'>,
): Remittance | null {
  if (form !== undefined) {
    const { cardType, paymentId = null, message = null } = form
    return { type: 'fik', cardType, paymentId, message }
  }
  if (remittance?.type === 'message') {
    return remittance
  }
  return reference?.ok === true ? { type: 'ocr', value: reference.reference } : null
}
