/** Writes a domestic payment as a bank's product takes it, and reads back the order that the bank holds. */
import { createHash } from 'node:crypto'
import { type Money, printMoney } from '../../../../platform/money.ts'
import type { BulkElement } from '../../../bulk-order.ts'
import type { DomesticOrder, Remittance } from '../../../connector/domestic-order.ts'
import type { HeldOrder, PlacedOrder } from '../../../connector/order-at-bank.ts'
import type { PostalAddress } from '../../../connector/postal-address.ts'
import type { BankProfile, CarriedParts } from '../../../directory/bank.ts'
import { accountReference, creditorReference, numberExpected } from '../accounts/account-reference.ts'
import { signedMoney } from '../accounts/translate-accounts.ts'
import { type Dialect, dialectOf } from '../dialect.ts'
import type { PaymentHeld } from '../wire.ts'

/** Of the digest that stands in place of an end-to-end id's cut end: 32 bits. */
const DIGEST_CHARACTERS = 8

/** Longest piece that the standard allows in a list. */
const PIECE_MAX = 140

/** The body of a domestic payment. */
export function orderBody(order: DomesticOrder, dialect: Dialect): Record<string, unknown> {
  return {
    debtorAccount: accountReference(order.debtor, dialect),
    ...elementBody(order, dialect),
    requestedExecutionDate: order.dueDate.toString(),
  }
}

/** What it says of the receiver alone: all that a payment in a bulk says. */
export function elementBody(order: BulkElement, dialect: Dialect): Record<string, unknown> {
  const endToEndId = endToEndIdFor(order.endToEndId, dialect)
  return {
    ...(endToEndId === null ? {} : { endToEndIdentification: endToEndId }),
    instructedAmount: amountBody(order.amount),
    creditorAccount: creditorReference(order.creditor.account, dialect),
    creditorName: order.creditor.name,
    ...addressBody(order.creditor.address, dialect),
    ...(order.remittance === null ? {} : remittanceBody(order, order.remittance, dialect)),
    ...(order.purposeCode === null || !dialect.purposeCode ? {} : { purposeCode: order.purposeCode }),
  }
}

/** What of an order a bank with this profile is told. */
export function carriedByProfile(profile: BankProfile): CarriedParts {
  const dialect = dialectOf(profile)
  const { purposeCode, debtorReference, creditorAddress, crossBorder } = dialect
  return {
    endToEndId: (endToEndId) => endToEndIdFor(endToEndId, dialect),
    purposeCode,
    debtorReference: debtorReference !== null,
    creditorAddress: creditorAddress !== undefined,
    ...(crossBorder === undefined
      ? {}
      : {
          crossBorder: {
            endToEndId: (endToEndId) => endToEndIdFor(endToEndId, crossBorder),
            clearingCode: crossBorder.clearingCode !== null,
            regulatoryReporting: crossBorder.regulatoryReporting !== null,
          },
        }),
  }
}

/** The order that a bank holds, told by the numbers that were asked for where it is theirs. */
export function heldOrder(held: PaymentHeld, placed: PlacedOrder, countryCode: string): HeldOrder {
  const { debtorAccount, creditorAccount, instructedAmount } = held
  return {
    debtorBban: numberExpected(debtorAccount, placed.debtorBban, countryCode),
    creditorBban: numberExpected(creditorAccount, placed.creditorBban, countryCode),
    amount: instructedAmount === undefined ? null : signedMoney(instructedAmount.amount, instructedAmount.currency),
  }
}

/**
 * The end-to-end id in as many characters as the bank takes, null where it takes none. Two ids that differ stay
 * different, and the same one stays the same.
 */
export function endToEndIdFor(
  endToEndId: string,
  { endToEndIdMax: max }: Pick<Dialect, 'endToEndIdMax'>,
): string | null {
  if (max === null || endToEndId.length <= max) {
    return max === null ? null : endToEndId
  }
  const digest = createHash('sha256').update(endToEndId).digest('hex').slice(0, DIGEST_CHARACTERS)
  return `${endToEndId.slice(0, max - DIGEST_CHARACTERS - 1)}-${digest}`
}

/** An address in a bank's own words; nothing where its payments have no place for one. */
export function addressBody(
  address: PostalAddress | undefined,
  { creditorAddress: names }: Pick<Dialect, 'creditorAddress'>,
): Record<string, unknown> {
  if (address === undefined || names === undefined) {
    return {}
  }
  const { streetName, buildingNumber, city, postCode, country } = address
  return {
    creditorAddress: {
      ...(streetName === undefined ? {} : { [names.streetName]: streetName }),
      ...(buildingNumber === undefined ? {} : { [names.buildingNumber]: buildingNumber }),
      ...(city === undefined ? {} : { [names.city]: city }),
      ...(postCode === undefined ? {} : { [names.postCode]: postCode }),
      [names.country]: country,
    },
  }
}

function remittanceBody(order: BulkElement, remittance: Remittance, dialect: Dialect): Record<string, unknown> {
  switch (remittance.type) {
    case 'ocr':
      return referenceBody(remittance.value, dialect)
    case 'fik': {
      const { cardType, paymentId, message } = remittance
      const reference = paymentId === null ? cardType : `${cardType}/${paymentId}`
      return {
        ...referenceBody(reference, dialect),
        ...(message === null ? {} : messageBody(message, dialect)),
      }
    }
    case 'message':
      return { ...messageAt(order, remittance.value, dialect), ...debtorReferenceBody(remittance, dialect) }
  }
}

/** Some banks carry a message to a giro number as a reference of its own type. */
function messageAt({ creditor }: BulkElement, text: string, dialect: Dialect): Record<string, unknown> {
  const { giroReferenceType } = dialect.message
  const atGiro = creditor.account.type === 'bankgiro' || creditor.account.type === 'plusgiro'
  return atGiro && giroReferenceType !== undefined
    ? referenceBody(text, dialect, giroReferenceType)
    : messageBody(text, dialect)
}

function messageBody(text: string, { message }: Dialect): Record<string, unknown> {
  const many = message.member === 'remittanceInformationUnstructuredArray'
  return { [message.member]: many ? piecesOf(text, message.pieceMax ?? PIECE_MAX) : text }
}

/** Cut anywhere: the receiver's bank puts the pieces together again without anything in between. */
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

function debtorReferenceBody(
  { debtorReference }: { readonly debtorReference?: string },
  dialect: Dialect,
): Record<string, unknown> {
  return dialect.debtorReference === null || debtorReference === undefined
    ? {}
    : { [dialect.debtorReference]: debtorReference }
}

function amountBody(money: Money): { currency: string; amount: string } {
  const { amount, currency } = printMoney(money)
  return { currency, amount }
}
