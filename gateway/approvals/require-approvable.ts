/** Makes sure that payments can be approved together, by the user of the caller's consent. */
import { requireAccountOnConsent } from '../accounts/require-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { isAccount } from '../consents/consent-account.ts'
import { accountsOn, type FindAccount } from '../consents/find-account.ts'
import type { Context } from '../context.ts'
import { Invalid, type Problem, refuse } from '../foundation/http/refusal.ts'
import { companyOf, requirePaying } from '../onboarding/require-company.ts'
import { findPaymentsOf } from '../payments/find-payments.ts'
import { type HeldPayment, isHeld, isOpenForSigning, isOutcomeUnknown, type Payment } from '../payments/payment.ts'

/** So many authorisations are chained behind one address. */
const CHAINED_MAX = 10

/** What is wrong with the list itself: too long, or a payment twice, be it once in capital letters. */
export function approvalListProblems(ids: readonly string[]): readonly Problem[] {
  if (ids.length > CHAINED_MAX) {
    return [tooMany()]
  }
  const first = new Map(ids.map((id, n) => [id.toLowerCase(), n] as const).toReversed())
  return ids.flatMap((id, n) => {
    const reason = `is the same payment as .payments[${first.get(id.toLowerCase())}]`
    return first.get(id.toLowerCase()) === n
      ? []
      : [{ code: 'InvalidRequest', reason, path: `.payments[${n}]` } as const]
  })
}

/** The payments in the order asked. Throws 403 for a company that may not pay, 404, 422 at `.payments[n]`, or `ACCESS_DENIED`. */
export async function requireApprovable(
  context: Context,
  caller: ConsentCaller,
  ids: readonly string[],
): Promise<readonly HeldPayment[]> {
  await requirePaying((asked) => companyOf(context, asked), caller.consent)
  const payments = await findPaymentsOf(context, caller.partnerId, ids)
  const problems = payments.flatMap((payment, n) => problemWith(caller, payment, n))
  if (problems.length > 0) {
    throw new Invalid(problems)
  }
  const findAccount = await finderAmong(context, caller)
  for (const { debtorBban: bban, ordered } of payments) {
    await requireAccountOnConsent(findAccount, caller, { bban, currency: ordered.from.currency })
  }
  return payments.map(requireHeld)
}

function problemWith({ consent }: ConsentCaller, payment: Payment, n: number): readonly Problem[] {
  const reason = reasonAgainst(consent, payment)
  return reason === undefined ? [] : [{ code: 'InvalidRequest', reason, path: `.payments[${n}]` }]
}

function reasonAgainst(consent: ConsentCaller['consent'], payment: Payment): string | undefined {
  if (payment.bic !== consent.bic) {
    return `is a payment at ${payment.bic}, the consent is at ${consent.bic}`
  }
  if (payment.organisationNumber !== consent.organisationNumber) {
    return 'is a payment of another company than that of the consent'
  }
  if (isOutcomeUnknown(payment)) {
    return 'cannot be signed: whether the bank took it is not known'
  }
  return isOpenForSigning(payment) ? undefined : `cannot be signed: it is ${payment.status}`
}

function tooMany(): Problem {
  const reason = `This bank signs payments one at a time; ${CHAINED_MAX} at most may be approved together`
  return { code: 'InvalidRequest', reason, path: `.payments[${CHAINED_MAX}]` }
}

async function finderAmong(context: Context, { consent }: ConsentCaller): Promise<FindAccount> {
  const accounts = await accountsOn(context, consent)
  return async (asked) => {
    const numbered = accounts.filter((account) => isAccount(account, asked))
    return numbered.find(({ currency }) => currency === asked.currency) ?? numbered[0] ?? null
  }
}

function requireHeld(payment: Payment): HeldPayment {
  if (!isHeld(payment)) {
    throw refuse('conflict', 'The payment changed while it was looked at')
  }
  return payment
}
