/** Measures the number of open operator tasks, by kind. */
import type { Context } from '../context.ts'
import { taskAdvice } from './operator-task.ts'
import { countOpenTasks } from './raise-task.ts'

/** Updates the gauge; kinds without open tasks show as 0. */
export async function updateTaskMetrics({ database, metrics }: Context): Promise<void> {
  const counts = new Map((await countOpenTasks(database)).map(({ kind, count }) => [kind as string, count]))
  for (const kind of Object.keys(taskAdvice)) {
    metrics.openTasks.set({ kind }, counts.get(kind) ?? 0)
  }
}
