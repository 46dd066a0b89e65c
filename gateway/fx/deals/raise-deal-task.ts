/** Tries calls about a deal again, and raises and resolves operator tasks about one that needs manual action. */

import type { Context } from '../../context.ts'
import type { TaskKind } from '../../operators/operator-task.ts'
import { raiseTask, resolveTaskAutomatically } from '../../operators/raise-task.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import type { FxProviderError } from '../providers/fx-provider-error.ts'
import { scheduleRetry } from '../providers/provider-retry.ts'
import type { Deal, DealKey } from '../store/deal.ts'
import { postponeDeal } from '../store/deal-transition-store.ts'

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

/** Tries again after a failed call to the provider; raises the task once an operator must act. */
export async function retryDealLater(
  context: Context,
  deal: Deal,
  error: FxProviderError,
  { task, due = 'dueAt' }: { readonly task: TaskKind | null; readonly due?: 'dueAt' | 'unwindAt' },
): Promise<void> {
  const { at, isStuck, ...retryState } = scheduleRetry(context.clock.now(), deal, error)
  if (isStuck && task !== null) {
    await raiseDealTask(context, deal, task, { errorKind: error.kind, attempts: retryState.attempts })
  }
  await postponeDeal(context.database, deal, { ...retryState, [due]: at })
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
