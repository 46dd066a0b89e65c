/** Raises and resolves operator tasks about a deal that needs manual action. */

import type { Context } from '../../context.ts'
import type { TaskKind } from '../../operators/operator-task.ts'
import { raiseTask, resolveTaskAutomatically } from '../../operators/raise-task.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import type { Deal, DealKey } from '../store/deal.ts'

/** Raises the task unless it is open already. */
export async function raiseDealTask(
  context: Context,
  { partnerId, id, paymentId, conversionId, payoutId, state }: Deal,
  kind: TaskKind,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const about = { paymentId, state, conversionId, payoutId, ...detail }
  await raiseTask(context, { partnerId, kind, subjectType: 'deal', subjectId: id, detail: about })
}

/** Resolves the open task, if any. */
export async function settleDealTask(
  context: ProgramContext,
  { partnerId, id }: DealKey,
  kind: TaskKind,
  resolution: string,
): Promise<void> {
  await resolveTaskAutomatically(context, { partnerId, kind, subjectId: id, subjectType: 'deal' }, resolution)
}
