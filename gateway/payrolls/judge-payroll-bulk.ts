/** Finds everything that is wrong with a bulk of payrolls. */
import { Type } from 'typebox'
import { PAYROLLS_PER_BULK_MAX, PayrollBulkAsked } from '../../contract/payrolls/payroll-request.ts'
import { checkCallbackUrl } from '../authorisations/callback-url-validation.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { FindAccount } from '../consents/find-account.ts'
import type { Context } from '../context.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'
import { bodyCheck, isSound, withTextProblems } from '../platform/http/validation/schema-validation.ts'
import { collectProblems } from './found-problems.ts'
import { type CheckedBody, judgeOne, judgingOf } from './judge-payroll.ts'
import { requirePayrollBulks } from './require-payroll-bulks.ts'

/** The bulk without its payrolls, which are checked one by one. */
const checkBulk = bodyCheck(
  Type.Object({
    ...PayrollBulkAsked.properties,
    payrolls: Type.Array(Type.Unknown(), { minItems: 1, maxItems: PAYROLLS_PER_BULK_MAX }),
  }),
)

/** Every problem of a bulk's body, at paths as `.payrolls[3].transactions[17].name`. Throws `UNSUPPORTED_PRODUCT_BY_BANK` where there are none. */
export async function judgePayrollBulk(
  context: Context,
  caller: ConsentCaller,
  { body, texts }: CheckedBody<PayrollBulkAsked>,
  findAccount: FindAccount,
): Promise<readonly Problem[]> {
  const judging = { ...(await judgingOf(context, caller, findAccount)), texts }
  const { bank } = judging.situation
  const besidePayrolls = texts.filter(({ path }) => !path.startsWith('.payrolls['))
  const shape = withTextProblems(checkBulk(body), besidePayrolls)
  const isSoundAt = (part: string) => isSound(part, shape)
  const { maxBulkSize } = bank.profile.constraints
  const tooMany =
    isSoundAt('.payrolls') && maxBulkSize !== null && body.payrolls.length > maxBulkSize
      ? [`holds ${body.payrolls.length} payrolls; ${bank.name} takes ${maxBulkSize} at once`]
      : []
  const found = collectProblems()
  found.add('', [
    ...shape,
    ...(isSoundAt('.callbackUrl') ? checkCallbackUrl(context.config, caller, body.callbackUrl) : []),
    ...tooMany.map((reason) => ({ code: 'InvalidRequest', reason, path: '.payrolls' }) as const),
  ])
  if (isSoundAt('.payrolls') && tooMany.length === 0) {
    for (const [number, payroll] of body.payrolls.entries()) {
      await judgeOne(found, `.payrolls[${number}]`, payroll, judging)
    }
  }
  const problems = found.listed(body)
  if (problems.length === 0) {
    await requirePayrollBulks(context, caller, bank)
  }
  return problems
}
