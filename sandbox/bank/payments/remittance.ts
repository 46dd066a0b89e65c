/** Reads what an order says to its receiver, a message or a reference, and finds what is wrong with it. */

import type { BankProfile, ReferenceDemand } from '../fixture.ts'
import { readPaymentForm } from '../national/denmark.ts'
import { rulesOf } from '../national/rules-by-country.ts'
import { hasLengthDigit } from '../national/sweden.ts'
import { formatProblem, type RefusalMessage } from '../refusal.ts'
import type { PaymentOrder, StructuredRemittance } from './payment-order.ts'
import type { Creditor } from './resolve-parties.ts'

/** The type of a reference that is a message all the same. */
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

/** The part of an order that is for its receiver. */
type Telling = Pick<
  PaymentOrder,
  | 'remittanceInformationUnstructured'
  | 'remittanceInformationUnstructuredArray'
  | 'remittanceInformationStructured'
  | 'remittanceInformationStructuredArray'
>

/** What the receiver will read. */
export type Remittance = { readonly message: string | null; readonly reference: string | null }

/** Reads it from whichever members carry it. */
export function remittanceOf(order: Telling): Remittance {
  const structured = structuredOf(order)
  const isMessage = structured?.referenceType === MESSAGE_TYPE
  const message =
    order.remittanceInformationUnstructured ?? order.remittanceInformationUnstructuredArray?.join('') ?? null
  return {
    message: isMessage ? structured.reference : message,
    reference: isMessage ? null : (structured?.reference ?? null),
  }
}

/** Where the bank looks for a reference. */
export function referenceMember(bank: BankProfile): string {
  return REFERENCE_MEMBERS[bank.reference.member]
}

/** Finds what is wrong with message and reference by themselves, whatever the receiver demands. */
export function remittanceProblems(bank: BankProfile, order: Telling, creditor: Creditor): readonly RefusalMessage[] {
  const problems = [
    ...strayMembers(bank, order),
    ...messageProblems(bank, order, creditor),
    ...referenceProblems(bank, order, creditor),
  ]
  const { message, reference } = remittanceOf(order)
  return problems.length === 0 && message !== null && reference !== null && !mayHaveBoth(creditor, reference)
    ? [formatProblem(referenceMember(bank), 'A payment carries a reference or a message, not both')]
    : problems
}

/** What the receiver demands and the order lacks; null when it is content. */
export function unmetDemand(bank: BankProfile, { demand }: Creditor, order: Telling): string | null {
  const { reference } = remittanceOf(order)
  if (demand === null || demand.level === 'soft') {
    return null
  }
  const { words, isReference } = rulesOf(bank)
  if (reference === null) {
    return `The receiver takes payments with a ${words.reference} only`
  }
  return isReference(reference) && hasDemandedLength(demand, reference)
    ? null
    : `The receiver does not know the ${words.reference} ${reference}`
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

function structuredOf(order: Telling): StructuredRemittance | undefined {
  const structured = order.remittanceInformationStructured ?? order.remittanceInformationStructuredArray?.[0]
  return typeof structured === 'string' ? { reference: structured } : structured
}

/** Members that other banks have in place of this one's. */
function strayMembers(bank: BankProfile, order: Telling): readonly RefusalMessage[] {
  const own: readonly string[] = [MESSAGE_MEMBERS[bank.message.member], REFERENCE_MEMBERS[bank.reference.member]]
  const all = [...Object.values(MESSAGE_MEMBERS), ...Object.values(REFERENCE_MEMBERS)]
  return all
    .filter((member) => order[member] !== undefined && !own.includes(member))
    .map((member) => formatProblem(member, 'The product has no such member'))
}

function messageProblems(bank: BankProfile, order: Telling, creditor: Creditor): readonly RefusalMessage[] {
  const { member, max, toOthersMax, ownNumbers } = bank.message
  const isInside = creditor.isInside || ownNumbers.some((digits) => creditor.number.startsWith(digits))
  const longest = isInside || creditor.rail !== 'account' ? max : (toOthersMax ?? max)
  const path = MESSAGE_MEMBERS[member]
  const pieces = [order.remittanceInformationUnstructured ?? order.remittanceInformationUnstructuredArray ?? []].flat()
  return [
    ...(pieces.some((piece) => piece.length > longest)
      ? [formatProblem(path, `The message is longer than ${longest}`)]
      : []),
    ...(pieces.some((piece) => !rulesOf(bank).letters.test(piece))
      ? [formatProblem(path, 'The text holds characters that the bank does not accept')]
      : []),
  ]
}

function referenceProblems(bank: BankProfile, order: Telling, creditor: Creditor): readonly RefusalMessage[] {
  const structured = structuredOf(order)
  const path = referenceMember(bank)
  const { member, types } = bank.reference
  const isText = typeof order.remittanceInformationStructured === 'string'
  if (structured !== undefined && isText !== (member === 'text')) {
    return [formatProblem(path, member === 'text' ? 'must be a text' : 'must be an object with a reference')]
  }
  if (structured?.referenceType !== undefined && !types.includes(structured.referenceType)) {
    return [formatProblem(path, `The only types of reference are ${types.join(', ')}`)]
  }
  const { reference } = remittanceOf(order)
  if (creditor.rail === 'payment-form') {
    return formProblems(creditor, reference, path)
  }
  // What the receiver demands of a reference is asked after everything else.
  const isForReceiver = creditor.demand !== null
  return reference === null || isForReceiver || rulesOf(bank).isReference(reference)
    ? []
    : [formatProblem(path, `The ${rulesOf(bank).words.reference} is not valid`)]
}

function formProblems(creditor: Creditor, reference: string | null, path: string): readonly RefusalMessage[] {
  const form = readPaymentForm(reference ?? '', creditor.number)
  if (typeof form === 'string') {
    return [formatProblem(path, form)]
  }
  return creditor.cardTypes?.includes(form.cardType) === false
    ? [formatProblem(path, `The receiver takes payment forms of type ${creditor.cardTypes.join(', ')}`)]
    : []
}

/** Payment forms of some card types have room for a message beside the payment id. */
function mayHaveBoth(creditor: Creditor, reference: string): boolean {
  const form = creditor.rail === 'payment-form' ? readPaymentForm(reference, creditor.number) : ''
  return typeof form !== 'string' && form.takesMessage
}
