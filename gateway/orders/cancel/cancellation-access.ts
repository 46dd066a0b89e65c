/** Says who may cancel a payment or payroll: checks a user, and finds the users whom a page offers it. */

import type { Consent, ConsentActor } from '../../consents/consent.ts'
import { requireAccountOnConsent } from '../../consents/require-consent.ts'
import type { Context } from '../../context.ts'
import { parseDebtorAccountNumber } from '../../countries/account-number.ts'
import { apiError, invalidRequest } from '../../platform/http/errors/api-error.ts'
import type { Payment } from '../payment.ts'
import { mismatchOf } from '../sign/approvable.ts'
import { consentsOfPayers, requirePayer } from '../sign/require-payer.ts'
import { type CancelledKind, cancellationTerms } from './cancellation.ts'
import { findOpenCancellation } from './cancellation-store.ts'

/** Throws 422 unless the payment or payroll is at the bank and of the company of the consent. */
export function requireInstructionOfConsent(
  caller: ConsentActor,
  kind: CancelledKind,
  instruction: Pick<Payment, 'bic' | 'organisationNumber'>,
): void {
  const mismatch = mismatchOf(caller, instruction, kind)
  if (mismatch !== undefined) {
    throw invalidRequest(`.${kind}Id`, mismatch)
  }
}

/** Throws `ACCESS_DENIED` unless the user of the consent ordered it, or may pay from its account. */
export async function requirePayingUser(
  context: Context,
  caller: ConsentActor,
  { debtorBban, consentId }: Pick<Payment, 'debtorBban' | 'consentId'>,
  currency: string,
): Promise<void> {
  const number = parseDebtorAccountNumber(caller.consent.countryCode, debtorBban)
  await requireAccountOnConsent(context, caller, { ...number, currency })
  await requirePayer(context, caller.consent, [{ debtorBban, currency, consentIds: [consentId] }])
}

/** The 409 for an order of which it is unknown whether the bank accepted it: it cannot be reported as cancelled. */
export function unknownOrderError(kind: CancelledKind, id: string, what: string): Error {
  const message = `It is unknown whether the bank accepted ${what}, so it cannot be cancelled. Follow the ${kind} with this ${kind}Id`
  return apiError('conflict', message, cancellationTerms[kind].named(id))
}

export type CancellationOffer =
  | { readonly kind: 'not-permitted'; readonly reason: string }
  /** One is in progress. */
  | { readonly kind: 'open'; readonly cancellationId: string }
  /** By the user of one of these consents, that of the order first. */
  | { readonly kind: 'permitted'; readonly consents: readonly Consent[] }

/** A payment or payroll that a page offers to cancel. */
export type OfferedInstruction = Parameters<typeof consentsOfPayers>[1] & {
  readonly id: string
  readonly kind: CancelledKind
  /** The consent that is offered first. */
  readonly firstConsentId: string
  /** Why it cannot be cancelled. */
  readonly rejection: string | undefined
}

/** Whether it can be cancelled now, and which of the company's users may do so. The bank's answers decide the rest. */
export async function findCancellationOffer(
  context: Context,
  instruction: OfferedInstruction,
): Promise<CancellationOffer> {
  const open = await findOpenCancellation(context.database, instruction)
  if (open !== undefined) {
    return { kind: 'open', cancellationId: open.id }
  }
  if (instruction.rejection !== undefined) {
    return { kind: 'not-permitted', reason: instruction.rejection }
  }
  const consents = await consentsOfPayers(context, instruction)
  const isFirst = ({ id }: Consent) => id === instruction.firstConsentId
  return consents.length === 0
    ? { kind: 'not-permitted', reason: 'No user who may pay from the account has a consent in force at the bank' }
    : { kind: 'permitted', consents: [...consents.filter(isFirst), ...consents.filter((each) => !isFirst(each))] }
}
