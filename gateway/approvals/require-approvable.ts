/** Makes sure that payments can be approved together, by the user of the caller's consent. */
import { requireAccountOnConsent } from '../accounts/require-account.ts'
import { companyOf, requirePaying } from '../companies/require-company.ts'
import { isAccount } from '../consents/accounts/consent-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { accountsOn, type FindAccount } from '../consents/find-account.ts'
import type { Context } from '../context.ts'
import { findPaymentsOf } from '../orders/find-payments.ts'
import { type HeldPayment, isHeld, isOpenForSigning, isOutcomeUnknown, type Payment } from '../orders/payment.ts'
import { signedByNobody } from '../payments/signed-by-nobody.ts'
import { Invalid, type Problem, refuse } from '../platform/http/errors/api-error.ts'
import { tooManyPayments } from './plan-sca-steps.ts'

/** What is wrong with the list itself: a payment twice, be it once in capital letters. */
export function approvalListProblems(ids: readonly string[]): readonly Problem[] {
  const first = new Map(ids.map((id, n) => [id.toLowerCase(), n] as const).toReversed())
  return ids.flatMap((id, n) => {
    const reason = `is the same payment as .payments[${first.get(id.toLowerCase())}]`
    return first.get(id.toLowerCase()) === n
      ? []
      : [{ code: 'InvalidRequest', reason, path: `.payments[${n}]` } as const]
  })
}

/** Throws 422 at the first of more payments than can ever be approved together at the bank. */
export function requireCount(ids: readonly string[], basketSizeMax: number | null): void {
  const problems = tooManyPayments(ids.length, basketSizeMax)
  if (problems.length > 0) {
    throw new Invalid(problems)
  }
}

/** Where in the request an order was asked for, by its id. */
export type PathOf = (paymentId: string) => string

/** Orders in the order asked, and which of them their bank wants no signature for. */
export type Approvable = {
  readonly payments: readonly HeldPayment[]
  readonly signedByNobody: ReadonlySet<string>
  readonly pathOf: PathOf
}

/** Throws 403 for a company that may not pay, 404, 422 at `.payments[n]`, or `ACCESS_DENIED`. */
export async function requireApprovable(
  context: Context,
  caller: ConsentCaller,
  ids: readonly string[],
): Promise<Approvable> {
  await requirePaying((asked) => companyOf(context, asked), caller.consent)
  const payments = await findPaymentsOf(context, caller.partnerId, ids)
  const unneeded = await signedByNobody(context, caller.partnerId, payments)
  const problems = payments.flatMap((payment, n) => problemWith(caller, payment, unneeded.has(payment.id), n))
  if (problems.length > 0) {
    throw new Invalid(problems)
  }
  await requireAccounts(context, caller, payments)
  const placeById = new Map(payments.map(({ id }, n) => [id, n]))
  const pathOf: PathOf = (id) => `.payments[${placeById.get(id)}]`
  return { payments: payments.map(requireHeld), signedByNobody: unneeded, pathOf }
}

/** Throws `ACCESS_DENIED` unless the user of the caller's consent has the accounts that pay. */
export async function requireAccounts(
  context: Context,
  caller: ConsentCaller,
  payments: readonly {
    readonly debtorBban: string
    readonly ordered: { readonly from: { readonly currency: string } }
  }[],
): Promise<void> {
  const findAccount = await finderAmong(context, caller)
  for (const { debtorBban: bban, ordered } of payments) {
    await requireAccountOnConsent(findAccount, caller, { bban, currency: ordered.from.currency })
  }
}

function problemWith(
  { consent }: ConsentCaller,
  payment: Payment,
  isSignedByNobody: boolean,
  n: number,
): readonly Problem[] {
  const reason =
    reasonAgainst(consent, payment) ??
    (isSignedByNobody || isOpenForSigning(payment) ? undefined : `cannot be signed: it is ${payment.status}`)
  return reason === undefined ? [] : [{ code: 'InvalidRequest', reason, path: `.payments[${n}]` }]
}

function reasonAgainst(consent: ConsentCaller['consent'], payment: Payment): string | undefined {
  if (payment.bic !== consent.bic) {
    return `is a payment at ${payment.bic}, the consent is at ${consent.bic}`
  }
  if (payment.organisationNumber !== consent.organisationNumber) {
    return 'is a payment of another company than that of the consent'
  }
  return isOutcomeUnknown(payment) ? 'cannot be signed: whether the bank took it is not known' : undefined
}

async function finderAmong(context: Context, { consent }: ConsentCaller): Promise<FindAccount> {
  const accounts = await accountsOn(context, consent)
  return async (asked) => {
    const numbered = accounts.filter((account) => isAccount(account, asked))
    return numbered.find(({ currency }) => currency === asked.currency) ?? numbered[0] ?? null
  }
}

/** The order as one that its bank holds. Throws 409. */
export function requireHeld(payment: Payment): HeldPayment {
  if (!isHeld(payment)) {
    throw refuse('conflict', 'The payment changed while it was looked at')
  }
  return payment
}
