/** Measures how many operator tasks wait, by kind. */
import type { Context } from '../context.ts'
import { taskKinds } from './operator-task.ts'
import { countOpenTasks } from './task-store.ts'

/** Brings the gauge up to date; kinds of which none waits show as 0. */
export async function measureTasks({ database, metrics }: Pick<Context, 'database' | 'metrics'>): Promise<void> {
  const counts = new Map((await countOpenTasks(database)).map(({ kind, count }) => [kind as string, count]))
  for (const kind of Object.keys(taskKinds)) {
    metrics.openTasks.set({ kind }, counts.get(kind) ?? 0)
  }
}
