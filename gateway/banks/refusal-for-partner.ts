/** Says a bank's no in the words of the interface. */
import { Invalid, type Problem, refuse } from '../platform/http/errors/api-error.ts'
import { type BankRefusal, type BankRefusalKind, TooManyReads } from './connector/bank-error.ts'

type Words = (refusal: BankRefusal) => Error

const wordsByKind: Readonly<Record<BankRefusalKind, Words>> = {
  'consent-invalid': ({ message }) => refuse('INVALID_CONSENT', `The bank does not accept the consent: ${message}`),
  'token-invalid': ({ message }) => refuse('INVALID_CONSENT', `The bank wants its user to sign in anew: ${message}`),
  'access-denied': ({ message }) => refuse('ACCESS_DENIED', `The bank denies access: ${message}`),
  'unsupported-product': ({ message }) =>
    refuse('UNSUPPORTED_PRODUCT_BY_BANK', `The bank does not offer this: ${message}`),
  unsupported: ({ message }) =>
    refuse('UNSUPPORTED_PRODUCT_BY_BANK', `The bank offers no way to sign this here: ${message}`),
  'authentication-busy': ({ message }) =>
    refuse('AUTHENTICATION_TEMPORARY_UNAVAILABLE', `The bank cannot authenticate the user now: ${message}`),
  'ocr-refused': ({ message }) => refuse('INVALID_OCR', `The receiver demands a reference: ${message}`),
  'account-unknown': ({ message }) => refuse('INVALID_ACCOUNT', `The bank does not know the account: ${message}`),
  'order-refused': (refusal) => new Invalid(refusal.problems.map(generalProblem)),
  'due-date-refused': ({ message }) => new Invalid([{ code: 'InvalidDueDate', reason: message, path: '.dueDate' }]),
  'unknown-resource': ({ message }) => refuse('conflict', `The bank does not hold this any more: ${message}`),
  'expired-resource': ({ message }) => refuse('conflict', `The bank has let this lapse: ${message}`),
  'basket-refused': ({ message }) => refuse('conflict', `The bank does not let these be signed together: ${message}`),
  'cancellation-refused': ({ message }) => refuse('conflict', `The bank does not cancel this: ${message}`),
  'too-many-reads': (refusal) =>
    refuse(
      'too-many-requests',
      'The bank allows no more reads today without the user; send the PSU headers when the user is there',
      { retryAfterSeconds: (refusal instanceof TooManyReads ? refusal.retryAfterSeconds : null) ?? 3600 },
    ),
  'period-refused': ({ message }) =>
    new Invalid([
      { code: 'InvalidRequest', reason: `The bank does not show these days: ${message}`, path: '.fromDate' },
    ]),
  unavailable: () =>
    refuse('unavailable', 'The bank cannot be reached at this moment; nothing was done', { retryAfterSeconds: 10 }),
  // Of orders and their cancellation it is told with the id (`outcomeUnknown`); this is of a basket for signing.
  'outcome-unknown': () =>
    refuse('unavailable', 'The bank did not answer; nothing was signed, and the request may be sent again', {
      retryAfterSeconds: 10,
    }),
  // Certificates, roles and registration are ours to mend: no partner can do anything about them.
  misconfigured: (refusal) => refusal,
}

/** The refusal a partner reads. */
export function refusalForPartner(refusal: BankRefusal): Error {
  return wordsByKind[refusal.kind](refusal)
}

function generalProblem({ field, text }: BankRefusal['problems'][number]): Problem {
  return { code: 'InvalidRequest', reason: `The bank does not accept it (${field}): ${text}`, path: '.' }
}
