/** Parses and validates remittance information: a message or a structured reference. */

import type { BankProfile, ReferenceDemand } from '../../fixture.ts'
import { readPaymentForm } from '../../national/denmark.ts'
import { rulesOf } from '../../national/rules-by-country.ts'
import { hasLengthDigit } from '../../national/sweden.ts'
import { errorUnless, formatErrorMessage, type Xs2aErrorMessage } from '../../xs2a-error.ts'
import type { PaymentOrder, StructuredRemittance } from './payment-order.ts'
import { textErrors } from './payment-validation.ts'
import type { Creditor } from './resolve-parties.ts'

/** The type of a structured reference that is a message. */
const MESSAGE_TYPE = 'MSG'
const MESSAGE_MEMBERS = {
  text: 'remittanceInformationUnstructured',
  list: 'remittanceInformationUnstructuredArray',
} as const
const REFERENCE_MEMBERS = {
  text: 'remittanceInformationStructured',
  single: 'remittanceInformationStructured',
  list: 'remittanceInformationStructuredArray',
} as const

type RemittanceFields = Pick<
  PaymentOrder,
  | 'remittanceInformationUnstructured'
  | 'remittanceInformationUnstructuredArray'
  | 'remittanceInformationStructured'
  | 'remittanceInformationStructuredArray'
>

export type Remittance = { readonly message: string | null; readonly reference: string | null }

/** Reads it from whichever fields the bank uses. */
export function remittanceOf(order: RemittanceFields): Remittance {
  const structured = structuredOf(order)
  const isMessage = structured?.referenceType === MESSAGE_TYPE
  const message =
    order.remittanceInformationUnstructured ?? order.remittanceInformationUnstructuredArray?.join('') ?? null
  return {
    message: isMessage ? structured.reference : message,
    reference: isMessage ? null : (structured?.reference ?? null),
  }
}

/** The field in which the bank expects a reference. */
export function referenceMember(bank: BankProfile): string {
  return REFERENCE_MEMBERS[bank.reference.member]
}

/** Validates message and reference in themselves, independent of the creditor. */
export function validateRemittanceFields(
  bank: BankProfile,
  order: RemittanceFields,
  creditor: Creditor,
): readonly Xs2aErrorMessage[] {
  const validationErrors = [
    ...unsupportedFieldErrors(bank, order),
    ...messageErrors(bank, order, creditor),
    ...referenceErrors(bank, order, creditor),
  ]
  const { message, reference } = remittanceOf(order)
  return validationErrors.length === 0 && message !== null && reference !== null && !mayHaveBoth(creditor, reference)
    ? [formatErrorMessage(referenceMember(bank), 'A payment has a reference or a message, not both')]
    : validationErrors
}

/** The error when the creditor's required reference is missing; null otherwise. */
export function missingReferenceError(bank: BankProfile, { demand }: Creditor, order: RemittanceFields): string | null {
  const { reference } = remittanceOf(order)
  if (demand === null || demand.level === 'soft') {
    return null
  }
  const { words, isReference } = rulesOf(bank)
  if (reference === null) {
    return `The creditor accepts payments with a ${words.reference} only`
  }
  return isReference(reference) && hasDemandedLength(demand, reference)
    ? null
    : `The creditor does not accept the ${words.reference} ${reference}`
}

function hasDemandedLength({ level, lengths }: ReferenceDemand, reference: string): boolean {
  switch (level) {
    case 'length-digit':
      return hasLengthDigit(reference)
    case 'fixed-length':
      return lengths.includes(reference.length)
    default:
      return true
  }
}

function structuredOf(order: RemittanceFields): StructuredRemittance | undefined {
  const structured = order.remittanceInformationStructured ?? order.remittanceInformationStructuredArray?.[0]
  return typeof structured === 'string' ? { reference: structured } : structured
}

/** Fields that only other banks support. */
function unsupportedFieldErrors(bank: BankProfile, order: RemittanceFields): readonly Xs2aErrorMessage[] {
  const own: readonly string[] = [MESSAGE_MEMBERS[bank.message.member], REFERENCE_MEMBERS[bank.reference.member]]
  const all = [...Object.values(MESSAGE_MEMBERS), ...Object.values(REFERENCE_MEMBERS)]
  return all
    .filter((member) => order[member] !== undefined && !own.includes(member))
    .map((member) => formatErrorMessage(member, 'The product has no such field'))
}

function messageErrors(bank: BankProfile, order: RemittanceFields, creditor: Creditor): readonly Xs2aErrorMessage[] {
  const { member, max, toOthersMax, ownNumbers } = bank.message
  const isInside = creditor.isInside || ownNumbers.some((digits) => creditor.number.startsWith(digits))
  const longest = isInside || creditor.rail !== 'account' ? max : (toOthersMax ?? max)
  const path = MESSAGE_MEMBERS[member]
  const pieces = [order.remittanceInformationUnstructured ?? order.remittanceInformationUnstructuredArray ?? []].flat()
  return [
    ...errorUnless(
      pieces.every((piece) => piece.length <= longest),
      path,
      `The message is longer than ${longest}`,
    ),
    ...textErrors(bank, path, pieces.join('')),
  ]
}

function referenceErrors(bank: BankProfile, order: RemittanceFields, creditor: Creditor): readonly Xs2aErrorMessage[] {
  const structured = structuredOf(order)
  const path = referenceMember(bank)
  const { member, types } = bank.reference
  const isText = typeof order.remittanceInformationStructured === 'string'
  if (structured !== undefined && isText !== (member === 'text')) {
    return [formatErrorMessage(path, member === 'text' ? 'must be a text' : 'must be an object with a reference')]
  }
  if (structured?.referenceType !== undefined && !types.includes(structured.referenceType)) {
    return [formatErrorMessage(path, `The only types of reference are ${types.join(', ')}`)]
  }
  const { reference } = remittanceOf(order)
  if (creditor.rail === 'payment-form') {
    return paymentFormErrors(creditor, reference, path)
  }
  // The creditor's requirements are checked last.
  const isForReceiver = creditor.demand !== null
  const isSound = reference === null || isForReceiver || rulesOf(bank).isReference(reference)
  return errorUnless(isSound, path, `The ${rulesOf(bank).words.reference} is not valid`)
}

function paymentFormErrors(creditor: Creditor, reference: string | null, path: string): readonly Xs2aErrorMessage[] {
  const form = readPaymentForm(reference ?? '', creditor.number)
  if (typeof form === 'string') {
    return [formatErrorMessage(path, form)]
  }
  const { cardTypes } = creditor
  const isAccepted = cardTypes === null || cardTypes.includes(form.cardType)
  return errorUnless(isAccepted, path, `The creditor accepts payment forms of type ${cardTypes?.join(', ')}`)
}

/** Payment forms of some card types permit a message in addition to the payment id. */
function mayHaveBoth(creditor: Creditor, reference: string): boolean {
  const form = creditor.rail === 'payment-form' ? readPaymentForm(reference, creditor.number) : ''
  return typeof form !== 'string' && form.takesMessage
}
