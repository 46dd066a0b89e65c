/** Tells operators of a deal or of money that does not come to its end by itself, and takes that back once it does. */
import type { Context } from '../../context.ts'
import type { TaskKind } from '../../operators/operator-task.ts'
import { raiseTask, settleTask } from '../../operators/raise-task.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Deal, DealKey } from './deal.ts'

type Surroundings = Pick<Context, 'clock' | 'log'> & { readonly database: Queryable }

/** Raises a task about a deal unless it is raised already. */
export async function tellPeople(
  context: Surroundings,
  { partnerId, id, paymentId, conversionId, payoutId, state }: Deal,
  kind: TaskKind,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const about = { paymentId, state, conversionId, payoutId, ...detail }
  await raiseTask(context, { partnerId, kind, subjectType: 'deal', subjectId: id, detail: about })
}

/** Closes a task about a deal: it has found its end. */
export async function settleDealTask(
  context: Omit<Surroundings, 'log'>,
  { partnerId, id }: DealKey,
  kind: TaskKind,
  how: string,
): Promise<void> {
  await settleTask(context, { partnerId, kind, subjectId: id, subjectType: 'deal' }, how)
}
