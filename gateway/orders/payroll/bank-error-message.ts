/** Says why a bank did not do what it was asked about a payroll, in words of our own: those of a bank may repeat names, accounts and amounts. */
import type { BankRefusal, BankRefusalKind, OrderProblem } from '../../banks/connector/bank-error.ts'

const partByField: Readonly<Record<OrderProblem['field'], string>> = {
  debtorAccount: 'the account that pays',
  debtorName: 'the name of the company that pays',
  creditorAccount: "the receiver's account",
  creditorName: "the receiver's name",
  creditorAgent: "the receiver's bank",
  creditorAddress: "the receiver's address",
  regulatoryReporting: 'the reporting',
  amount: 'the amount',
  remittance: 'the remittance information',
  dueDate: 'the due date',
  endToEndId: 'the endToEndId',
  other: 'a part of the order',
}

const causes: Readonly<Record<OrderProblem['cause'], string>> = {
  'too-long': ', which is too long',
  characters: ', which has characters that it does not know',
  invalid: '',
}

const textByKind: Readonly<Partial<Record<BankRefusalKind, string>>> = {
  'ocr-refused': 'The receiver demands a structured reference',
  'account-unknown': 'The bank does not know the account that pays',
  'due-date-refused': 'The bank does not accept the due date',
  'access-denied': 'The bank does not let the user pay from this account',
  'unsupported-product': 'The bank does not offer such payments',
  'consent-invalid': 'The bank does not accept the consent',
  'token-invalid': 'The bank wants its user to sign in anew',
  'authentication-busy': 'The bank is authenticating the user elsewhere',
  'too-many-reads': 'The bank takes no more requests at this moment',
  unavailable: 'The bank cannot be reached at this moment',
  'unknown-resource': 'The bank does not hold the order',
  'expired-resource': 'The bank let the order lapse',
  'cancellation-refused': 'The bank does not cancel the order',
  'basket-refused': 'The bank does not let these be signed together',
  'outcome-unknown': 'The bank did not answer, and may or may not have done what it was asked',
  unsupported: 'The bank offers no way to sign this here',
  misconfigured: 'The bank does not serve this gateway as it is set up',
}

/** One sentence without a full stop. */
export function refusalText({ kind, problems }: Pick<BankRefusal, 'kind' | 'problems'>): string {
  const parts = new Set(problems.map(({ field, member, cause }) => `${member ?? partByField[field]}${causes[cause]}`))
  return kind === 'order-refused' && parts.size > 0
    ? `The bank does not accept ${[...parts].join('; nor ')}`
    : (textByKind[kind] ?? 'The bank does not take the order')
}
