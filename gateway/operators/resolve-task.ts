/** Lets people close operator tasks: one person most of them, two where unknown money is closed. */
import type { Context } from '../context.ts'
import { type OperatorTask, taskKinds } from './operator-task.ts'
import { closeTask, findTask, listOpenTasks, proposeResolution, withdrawProposal } from './task-store.ts'
import { writeAudit } from './write-audit-entry.ts'

type Surroundings = Pick<Context, 'database' | 'clock'>

/** How a task ends. `taken` and `never-taken` decide an unknown outcome. */
export type Resolution =
  | { readonly how: 'taken'; readonly bankPaymentId: string }
  | { readonly how: 'never-taken' }
  | { readonly how: 'noted'; readonly note: string }

/** What resolving did: the task waits for a second person, or may be carried out and closed. */
export type Resolving = { readonly step: 'proposed' } | { readonly step: 'agreed'; readonly task: OperatorTask }

/** Why a resolution is not taken, for the operator to read. */
export class ResolutionRefused extends Error {}

const QUICKER = 'Somebody else was quicker; look at the task again'

/** The tasks that wait for a person, oldest first. */
export async function openTasks({ database }: Surroundings): Promise<readonly OperatorTask[]> {
  return await listOpenTasks(database)
}

/** One task, or a refusal that says there is none. */
export async function requireTask({ database }: Surroundings, id: string): Promise<OperatorTask> {
  const task = await findTask(database, id)
  if (task === undefined) {
    throw new ResolutionRefused(`There is no task ${id}`)
  }
  return task
}

/** Takes one person's word. With a task for two, the first proposes and another one must say the same. */
export async function agreeOnResolution(
  context: Surroundings,
  task: OperatorTask,
  operator: string,
  resolution: Resolution,
): Promise<Resolving> {
  if (task.status === 'resolved') {
    throw new ResolutionRefused(`The task was resolved by ${task.resolvedBy} already`)
  }
  const decides = resolution.how !== 'noted'
  const { people } = taskKinds[task.kind]
  if (decides !== (people === 2)) {
    throw new ResolutionRefused(
      decides
        ? `A task ${task.kind} is resolved with --note`
        : `A task ${task.kind} is resolved with --taken or --never-taken`,
    )
  }
  if (people === 1) {
    return { step: 'agreed', task }
  }
  return task.status === 'open'
    ? await propose(context, task, operator, resolution)
    : await confirm(context, task, operator, resolution)
}

/** Closes a task whose resolution has been carried out. */
export async function closeResolved(
  context: Surroundings,
  task: OperatorTask,
  operator: string,
  resolution: Resolution,
): Promise<void> {
  await closeTask(context.database, task, { by: operator, resolution, at: context.clock.real() })
  await audit(context, task, operator, 'task resolved', resolution)
}

async function propose(
  context: Surroundings,
  task: OperatorTask,
  operator: string,
  resolution: Resolution,
): Promise<Resolving> {
  if (!(await proposeResolution(context.database, task, { by: operator, resolution, at: context.clock.real() }))) {
    throw new ResolutionRefused(QUICKER)
  }
  await audit(context, task, operator, 'task resolution proposed', resolution)
  return { step: 'proposed' }
}

async function confirm(
  context: Surroundings,
  task: OperatorTask,
  operator: string,
  resolution: Resolution,
): Promise<Resolving> {
  // While the operator read the task, its proposal may have been withdrawn, or made anew by somebody else.
  const standing = await requireTask(context, task.id)
  if (standing.status !== 'proposed') {
    throw new ResolutionRefused(QUICKER)
  }
  if (isSamePerson(standing.proposedBy, operator)) {
    throw new ResolutionRefused('A second person must confirm; you made the proposal')
  }
  if (!isSame(standing.proposedResolution, resolution)) {
    await withdrawProposal(context.database, standing)
    await audit(context, standing, operator, 'task resolution contradicted', resolution)
    throw new ResolutionRefused(
      `${standing.proposedBy} proposed otherwise; the proposal is withdrawn, agree and begin anew`,
    )
  }
  return { step: 'agreed', task: standing }
}

async function audit(
  context: Surroundings,
  task: OperatorTask,
  operator: string,
  action: string,
  resolution: Resolution,
): Promise<void> {
  const subject = [task.subjectType, task.subjectId] as const
  const detail = { task: task.id, kind: task.kind, resolution }
  await writeAudit(context, { partnerId: task.partnerId, actor: `operator ${operator}`, action, subject, detail })
}

/** Names are typed by hand: case and blanks make no second person. */
function isSamePerson(first: string | null, second: string): boolean {
  return first?.trim().toLowerCase() === second.trim().toLowerCase()
}

function isSame(proposed: unknown, resolution: Resolution): boolean {
  const inOrder = (value: unknown) => JSON.stringify(Object.entries(value ?? {}).sort())
  return inOrder(proposed) === inOrder(resolution)
}
