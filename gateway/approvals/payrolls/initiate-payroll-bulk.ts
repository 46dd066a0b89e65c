/** Takes several payrolls at once, hands each to its bank, and starts one approval over all of them: all of it, or nothing. */
import type { PayrollBulkAsked } from '../../../contract/payroll.ts'
import type { PayrollBulkInitiated, PayrollInitiated } from '../../../contract/payroll-shown.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { Invalid, refuse } from '../../foundation/http/refusal.ts'
import { newId } from '../../foundation/ids.ts'
import { giveUpPayrolls } from '../../payrolls/give-up-payrolls.ts'
import { initiatePayroll, type PayrollInitiation } from '../../payrolls/initiate-payroll.ts'
import { wayAt } from '../../payrolls/payroll.ts'
import { preferredOf } from '../../signing/signed-in-app.ts'
import type { ApprovalStarted } from '../begin-approval.ts'
import { beginPayrollApproval } from './begin-payroll-approval.ts'

/** With what each payroll of a bulk is ordered; no key is of one of them alone. */
export type BulkTools = Omit<PayrollInitiation, 'idempotent' | 'bulkId'>

/**
 * Whatever goes wrong with one has those before it withdrawn: whoever orders the bulk again pays nobody twice. Throws what
 * ordering a payroll throws, and what beginning an approval does.
 */
export async function initiatePayrollBulk(
  context: Context,
  caller: ConsentCaller,
  asked: PayrollBulkAsked,
  tools: BulkTools,
): Promise<PayrollBulkInitiated> {
  if (wayAt(tools.bank) !== 'bulk') {
    throw refuse(
      'UNSUPPORTED_PRODUCT_BY_BANK',
      `${tools.bank.name} takes no bulks of payrolls here; order each by itself`,
    )
  }
  const id = newId()
  const payrolls: PayrollInitiated[] = []
  try {
    for (const [n, payroll] of asked.payrolls.entries()) {
      const initiation = { ...tools, idempotent: null, bulkId: id }
      const initiated = await initiatePayroll(context, caller, payroll, initiation).catch((error: unknown) => {
        throw ofPayroll(n, error)
      })
      payrolls.push(initiated)
    }
    const { approval, sca } = await beginOver(context, caller, asked, { id, payrolls, bank: tools.bank })
    return {
      id,
      payrolls,
      status: approval.status,
      ...(sca?.type === 'redirect' ? { sca: { redirect: sca } } : {}),
    }
  } catch (error) {
    const ids = payrolls.map(({ payrollId }) => payrollId)
    await giveUpPayrolls(context, caller.partnerId, ids)
    throw error
  }
}

/** What the bank finds wrong with a payroll is wrong at its place in the bulk. */
function ofPayroll(n: number, error: unknown): unknown {
  return error instanceof Invalid
    ? new Invalid(error.problems.map((problem) => ({ ...problem, path: `.payrolls[${n}]${problem.path}` })))
    : error
}

type Ordered = Pick<BulkTools, 'bank'> & { readonly id: string; readonly payrolls: readonly PayrollInitiated[] }

/** The approval has the id of the bulk. */
async function beginOver(
  context: Context,
  caller: ConsentCaller,
  { callbackUrl, preferredScaMethod }: PayrollBulkAsked,
  { bank, id, payrolls }: Ordered,
): Promise<ApprovalStarted> {
  return await beginPayrollApproval(context, caller, {
    bank,
    id,
    callbackUrl,
    preferred: preferredOf(preferredScaMethod),
    payrolls: payrolls.map(({ payrollId }, n) => ({ id: payrollId, path: `.payrolls[${n}]` })),
  })
}
