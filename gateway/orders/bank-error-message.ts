/** Describes bank errors about payrolls in Havn's own words: those of a bank may repeat names, accounts and amounts. */
import {
  BankError,
  type BankErrorKind,
  type OrderError,
  UnreadableAnswerError,
  unavailabilityOf,
} from '../banks/connector/bank-error.ts'

const partByField: Readonly<Record<OrderError['field'], string>> = {
  debtorAccount: 'the debtor account',
  debtorName: 'the name of the debtor',
  creditorAccount: "the receiver's account",
  creditorName: "the receiver's name",
  creditorAgent: "the receiver's bank",
  creditorAddress: "the receiver's address",
  regulatoryReporting: 'the regulatory reporting',
  amount: 'the amount',
  remittance: 'the remittance information',
  dueDate: 'the due date',
  endToEndId: 'the endToEndId',
  other: 'a field of the order',
}

const causes: Readonly<Record<OrderError['cause'], string>> = {
  'too-long': ', which is too long',
  characters: ', which has characters that it does not support',
  invalid: '',
}

const textByKind: Readonly<Partial<Record<BankErrorKind, string>>> = {
  'ocr-rejected': 'The creditor requires a structured reference',
  'account-unknown': 'The bank does not know the debtor account',
  'due-date-rejected': 'The bank does not accept the due date',
  'access-denied': 'The bank does not permit the user to pay from this account',
  'unsupported-product': 'The bank does not offer such payments',
  'consent-invalid': 'The bank does not accept the consent',
  'token-invalid': 'The bank requires the user to sign in again',
  'authentication-busy': 'The bank is authenticating the user elsewhere',
  'too-many-reads': 'The bank accepts no more requests at the moment',
  unavailable: 'The bank cannot be reached at the moment',
  'unknown-resource': 'The bank does not hold the order',
  'expired-resource': 'The order has expired at the bank',
  'cancellation-rejected': 'The bank does not cancel the order',
  'basket-rejected': 'The bank does not sign these together',
  'outcome-unknown': 'The bank did not answer; the request may or may not have been executed',
  unsupported: 'The bank offers no supported way to sign this',
  'request-rejected': 'The bank rejects this kind of request',
  misconfigured: 'The bank rejects the configuration of this gateway',
}

/** Returns one sentence without a full stop. */
export function bankErrorMessage(error: Pick<BankError, 'kind' | 'validationErrors'>): string {
  const { kind, validationErrors } = error
  const parts = new Set(
    validationErrors.map(({ field, member, cause }) => `${member ?? partByField[field]}${causes[cause]}`),
  )
  return kind === 'order-rejected' && parts.size > 0
    ? `The bank does not accept ${[...parts].join('; nor ')}`
    : (textOfUnavailable(error) ?? textByKind[kind] ?? 'The bank does not accept the order')
}

function textOfUnavailable(error: unknown): string | undefined {
  const isExplained =
    error instanceof BankError && (error.laterCalls.isRateLimit || error instanceof UnreadableAnswerError)
  return isExplained ? unavailabilityOf(error) : undefined
}
