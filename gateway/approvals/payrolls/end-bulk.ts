/** Ends a bulk that was not taken as a whole, and says what of it is carried out all the same. */
import type { PayrollBulkInitiated, PayrollInitiated } from '../../../contract/payrolls/payroll-response.ts'
import type { Context } from '../../context.ts'
import type { RowKey } from '../../foundation/due-rows.ts'
import { type BulkEnd, giveUpBulk } from '../../payrolls/bulks/give-up-bulk.ts'
import { Invalid, outcomeUnknown, Refusal, refuse } from '../../platform/http/errors/api-error.ts'

/** A bulk whose ordering broke off. */
export type BrokenOff = {
  readonly bulk: RowKey
  /** Those that the bank had taken, in their order. */
  readonly payrolls: readonly PayrollInitiated[]
  /** What was kept with the approval, if that was begun. */
  readonly kept: PayrollBulkInitiated | undefined
  readonly error: unknown
}

/** What broke off after the approval was kept breaks nothing. Throws what ended the bulk, or what is more important. */
export async function endBulk(context: Context, broken: BrokenOff): Promise<PayrollBulkInitiated> {
  const { bulk, kept, error } = broken
  const end = await giveUpBulk(context, bulk).catch((failure: unknown) => {
    context.log.error({ bulkId: bulk.id, error: failure, cause: error }, 'a bulk could not be given up yet')
    return undefined
  })
  if (end === undefined) {
    throw toldLater(broken)
  }
  if (end.state === 'taken' && kept !== undefined) {
    context.log.error({ bulkId: bulk.id, error }, 'what follows the approval of a bulk is left to a sweep')
    return kept
  }
  throw toldOf(end, broken)
}

/** A sweep ends the bulk. Where the bank took nothing of it and every answer is known, what ended it says all. */
function toldLater({ payrolls, error }: BrokenOff): unknown {
  const unknown = error instanceof Refusal ? error.extras.payrollId : undefined
  const payrollId = payrolls[0]?.payrollId ?? unknown
  const detail =
    'the bulk was not taken as a whole, and what the bank took of it is withdrawn within the hour. Do not order it again ' +
    'before its payrolls have ended'
  return payrollId === undefined ? error : outcomeUnknown({ payrollId }, detail)
}

/** Whoever orders the bulk again must know what would be paid twice. */
function toldOf({ standing: { carriedOut, unknown } }: BulkEnd, { payrolls, error }: BrokenOff): unknown {
  const [paid] = carriedOut
  if (paid !== undefined && error instanceof Invalid) {
    const problems = carriedOut.map(({ payrollId }) => {
      const n = payrolls.findIndex((payroll) => payroll.payrollId === payrollId)
      const reason = `is carried out by its bank without a signature, as payroll ${payrollId}; do not order it again`
      return { code: 'InvalidRequest', reason, path: n < 0 ? '.payrolls' : `.payrolls[${n}]` } as const
    })
    return new Invalid([...error.problems, ...problems])
  }
  if (paid !== undefined) {
    const message =
      'The bulk was not taken as a whole, but its bank carries out the payroll named here, which needs no signature. ' +
      'Do not order that again'
    return refuse('conflict', message, { payrollId: paid.payrollId })
  }
  const [unclear] = unknown
  if (unclear !== undefined) {
    const detail =
      'the bulk was cancelled, and what the bank took of it is withdrawn. Do not order it again before the payroll named ' +
      'here has ended'
    return outcomeUnknown({ payrollId: unclear.payrollId }, detail)
  }
  return error
}
