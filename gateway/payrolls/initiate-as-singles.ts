/** Keeps a payroll whose bank takes single payments alone; they are handed over behind the answer, as the user who is here. */
import type { PayrollAsked } from '../../contract/payrolls/payroll-request.ts'
import type { PayrollInitiated } from '../../contract/payrolls/payroll-response.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { keepWithAnswer } from './keep-with-answer.ts'
import type { InitiationHow } from './payroll-initiation.ts'
import { noteContent } from './payroll-store.ts'
import { equalWarnings } from './payroll-warnings.ts'
import { placeRest } from './place-payroll.ts'

export async function initiateAsSingles(
  context: Context,
  caller: ConsentCaller,
  ordered: PayrollAsked,
  how: InitiationHow,
): Promise<PayrollInitiated> {
  const { payroll, answer } = await keepWithAnswer(context, caller, ordered, how, async (transaction, begun, digest) =>
    equalWarnings(await noteContent(transaction, begun, digest)),
  )
  placeRest(context, caller, payroll)
  return answer
}
