/** Finds everything that is wrong with a payroll, some payouts at a time, so that other requests are served meanwhile. */
import { Type } from 'typebox'
import { PayrollAsked, PayrollTransactionAsked } from '../../contract/payrolls/payroll-request.ts'
import { bankOf, isOnConsent } from '../accounts/require-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { FindAccount } from '../consents/find-account.ts'
import type { Context } from '../context.ts'
import { situationAt } from '../orders/instructions/validation-context.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'
import { replaceMistypedMembers } from '../platform/http/validation/replace-mistyped-fields.ts'
import { bodyCheck, isSound, problemsBelow, withTextProblems } from '../platform/http/validation/schema-validation.ts'
import { mapLettingOthersIn } from '../platform/yield-to-event-loop.ts'
import { collectProblems, type FoundProblems } from './found-problems.ts'
import { payoutProblems } from './payout-rules.ts'
import { mostPayouts, type PayrollSituation, wholeProblems } from './payroll-rules.ts'

/** The payroll without its payouts, which are checked one by one: there may be any number. */
const checkWhole = bodyCheck(
  Type.Object({ ...PayrollAsked.properties, transactions: Type.Array(Type.Unknown(), { minItems: 1 }) }),
)
const checkPayout = bodyCheck(PayrollTransactionAsked)

/** What judging works with. */
export type Judging = {
  readonly situation: PayrollSituation
  /** Whether the bank shows an account of this number on the consent. */
  readonly isOnConsent: (bban: string) => Promise<boolean>
  /** Problems of texts in themselves, at paths in the whole body. */
  readonly texts: readonly Problem[]
}

/** A request body with the problems already found in its texts. */
export type CheckedBody<Body> = { readonly body: Body; readonly texts: readonly Problem[] }

/** Every problem of a payroll's body. */
export async function judgePayroll(
  context: Context,
  caller: ConsentCaller,
  { body, texts }: CheckedBody<PayrollAsked>,
  findAccount: FindAccount,
): Promise<readonly Problem[]> {
  const judging = { ...(await judgingOf(context, caller, findAccount)), texts }
  const found = collectProblems()
  await judgeOne(found, '', body, judging)
  return found.listed(body)
}

/** By what payrolls that come now are judged. */
export async function judgingOf(
  context: Context,
  caller: ConsentCaller,
  findAccount: FindAccount,
): Promise<Omit<Judging, 'texts'>> {
  const situation = situationAt(context.clock, await bankOf(context, caller), caller.consent)
  return {
    situation: { ...situation, transactionsMax: context.config.payrollTransactionsMax },
    isOnConsent: (bban) => isOnConsent(findAccount, caller, bban),
  }
}

/** Adds what is wrong with the payroll at a path, which need not have the shape of one. */
export async function judgeOne(
  found: FoundProblems,
  path: string,
  payroll: PayrollAsked,
  judging: Judging,
): Promise<void> {
  const besidePayouts = problemsBelow(path, judging.texts).filter(({ path: at }) => !at.startsWith('.transactions['))
  const shape = withTextProblems(checkWhole(payroll), besidePayouts)
  const isSoundAt = (part: string) => isSound(part, shape)
  const ruled = wholeProblems(payroll, judging.situation, isSoundAt)
  const problems = [...shape, ...(await withoutOverruled(payroll, ruled, judging))]
  found.add(path, problems)
  // What nobody takes is not read either.
  const isTaken = isSoundAt('.transactions') && payroll.transactions.length <= mostPayouts(judging.situation).max
  if (isTaken) {
    await judgePayouts(found, path, payroll, { ...judging, from: isSoundAt('.from') ? payroll.from : undefined })
  }
}

async function judgePayouts(
  found: FoundProblems,
  path: string,
  { transactions }: PayrollAsked,
  { situation, texts, from }: Judging & { readonly from: PayrollAsked['from'] | undefined },
): Promise<void> {
  const positionById = new Map<string, number>()
  await mapLettingOthersIn(transactions, (payout, position) => {
    const shape = withTextProblems(checkPayout(payout), problemsBelow(`${path}.transactions[${position}]`, texts))
    const isSoundAt = (part: string) => isSound(part, shape)
    // A text would be taken apart into its characters.
    const isObject = isSoundAt('.')
    const ruled = isObject ? payoutProblems(replaceMistypedMembers(payout, shape), from, situation, isSoundAt) : []
    const twice = isSoundAt('.metadata.endToEndId') ? twiceProblems(positionById, payout, position) : []
    found.add(`${path}.transactions[${position}]`, [...shape, ...ruled, ...twice])
  })
}

/** Nobody could tell two payouts of one id apart afterwards. */
function twiceProblems(
  positionById: Map<string, number>,
  { metadata: { endToEndId } }: PayrollTransactionAsked,
  position: number,
): readonly Problem[] {
  const first = positionById.get(endToEndId)
  positionById.set(endToEndId, first ?? position)
  const reason = `is that of .transactions[${first}], too`
  return first === undefined ? [] : [{ code: 'InvalidRequest', reason, path: '.metadata.endToEndId' }]
}

/** The bank overrules our check of the account that pays: one that it shows on the consent is one. */
async function withoutOverruled(
  payroll: PayrollAsked,
  problems: readonly Problem[],
  { isOnConsent: isShown }: Judging,
): Promise<readonly Problem[]> {
  const isOther = ({ code }: Problem) => code !== 'InvalidBBAN'
  const isDoubted = !problems.every(isOther)
  return isDoubted && (await isShown(payroll.from.account.bban)) ? problems.filter(isOther) : problems
}
