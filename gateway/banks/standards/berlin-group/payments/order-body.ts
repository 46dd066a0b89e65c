/** Builds the body of a domestic payment for a bank's product, and parses the order that the bank holds. */
import { formatAmount } from '../../../../platform/money.ts'
import type { SupportedOrderFields } from '../../../connector/bank.ts'
import type {
  BulkTransaction,
  DomesticOrder,
  OrderShownByBank,
  PostalAddress,
  Remittance,
  SubmittedOrder,
} from '../../../connector/bank-order.ts'
import type { BankProfile } from '../../../connector/bank-profile.ts'
import { endToEndIdFor } from '../../../connector/shorten-end-to-end-id.ts'
import { accountReference, debtorAccountReference, matchAccountNumber } from '../accounts/account-reference.ts'
import { parseSignedMoney } from '../accounts/translate-accounts.ts'
import { type Dialect, dialectOf } from '../dialect.ts'
import type { PaymentDetails } from '../wire.ts'

/** Maximum item length of lists in the standard. */
const PIECE_MAX = 140

export function paymentBody(order: DomesticOrder, dialect: Dialect): Record<string, unknown> {
  return {
    debtorAccount: debtorAccountReference(order.debtor, dialect),
    ...transactionBody(order, dialect),
    requestedExecutionDate: order.dueDate.toString(),
  }
}

/** The fields about the creditor: all that a payment in a bulk has. */
export function transactionBody(order: BulkTransaction, dialect: Dialect): Record<string, unknown> {
  const endToEndId = endToEndIdFor(order.endToEndId, dialect)
  const { purposeCode } = order
  const { address } = order.creditor
  const { creditorAddress: names } = dialect
  return {
    ...(endToEndId !== null && { endToEndIdentification: endToEndId }),
    instructedAmount: { currency: order.amount.currency, amount: formatAmount(order.amount) },
    creditorAccount: accountReference(order.creditor.account, dialect),
    creditorName: order.creditor.name,
    ...(address && names && { creditorAddress: addressBody(address, names) }),
    ...(order.remittance && remittanceBody(order, order.remittance, dialect)),
    ...(dialect.purposeCode && purposeCode !== null && { purposeCode }),
  }
}

/** The optional fields that are sent to banks with this profile. */
export function supportedFieldsOf(profile: BankProfile): SupportedOrderFields {
  const { endToEndIdMax, purposeCode, debtorReference, creditorAddress, crossBorder } = dialectOf(profile)
  return {
    endToEndIdMax,
    purposeCode,
    debtorReference: debtorReference !== null,
    creditorAddress: creditorAddress !== undefined,
    ...(crossBorder === undefined
      ? {}
      : {
          crossBorder: {
            endToEndIdMax: crossBorder.endToEndIdMax,
            clearingCode: crossBorder.clearingCode !== null,
            regulatoryReporting: crossBorder.regulatoryReporting !== null,
          },
        }),
  }
}

/** The content of an order at its bank, with the expected account numbers where they match. */
export function toOrderShownByBank(
  held: PaymentDetails,
  submitted: SubmittedOrder,
  countryCode: string,
): OrderShownByBank {
  const { debtorAccount, creditorAccount, instructedAmount } = held
  return {
    debtorBban: matchAccountNumber(debtorAccount, submitted.debtorBban, countryCode),
    creditorBban: matchAccountNumber(creditorAccount, submitted.creditorBban, countryCode),
    amount:
      instructedAmount === undefined ? null : parseSignedMoney(instructedAmount.amount, instructedAmount.currency),
  }
}

/** An address with the bank's field names. */
export function addressBody(
  { streetName, buildingNumber, city, postCode, country }: PostalAddress,
  names: NonNullable<Dialect['creditorAddress']>,
): Record<string, unknown> {
  return {
    [names.streetName]: streetName,
    [names.buildingNumber]: buildingNumber,
    [names.city]: city,
    [names.postCode]: postCode,
    [names.country]: country,
  }
}

function remittanceBody(order: BulkTransaction, remittance: Remittance, dialect: Dialect): Record<string, unknown> {
  switch (remittance.type) {
    case 'ocr':
      return referenceBody(remittance.value, dialect)
    case 'fik': {
      const { cardType, paymentId, message } = remittance
      const reference = paymentId === null ? cardType : `${cardType}/${paymentId}`
      return { ...referenceBody(reference, dialect), ...(message !== null && messageBody(order, message, dialect)) }
    }
    case 'message': {
      const { value, debtorReference: text } = remittance
      const { debtorReference: member } = dialect
      return { ...messageBody(order, value, dialect), ...(member !== null && text !== undefined && { [member]: text }) }
    }
  }
}

/** Some banks send a message to a giro number as a reference with a type. */
function messageBody({ creditor }: BulkTransaction, text: string, dialect: Dialect): Record<string, unknown> {
  const { giroReferenceType, member, pieceMax = PIECE_MAX } = dialect.message
  const atGiro = creditor.account.type === 'bankgiro' || creditor.account.type === 'plusgiro'
  if (atGiro && giroReferenceType !== undefined) {
    return referenceBody(text, dialect, giroReferenceType)
  }
  return { [member]: member === 'remittanceInformationUnstructuredArray' ? piecesOf(text, pieceMax) : text }
}

/** Split at any position: the creditor's bank joins the items without separator. */
function piecesOf(text: string, length: number): readonly string[] {
  const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  )
  return pieces.length === 0 ? [text] : pieces
}

function referenceBody(reference: string, dialect: Dialect, referenceType = dialect.reference?.type) {
  switch (dialect.reference?.form ?? 'string') {
    case 'string':
      return { remittanceInformationStructured: reference }
    case 'object':
      return { remittanceInformationStructured: { reference, referenceType } }
    case 'array':
      return { remittanceInformationStructuredArray: [{ reference, referenceType }] }
  }
}
