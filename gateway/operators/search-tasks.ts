/** Searches operator tasks by kind, status and partner. */
import type { Context } from '../context.ts'
import type { FoundTask, TaskFilter } from './operator-task.ts'
import { taskSearchQuery } from './task-search-store.ts'

/** Tasks that wait, the oldest first; resolved ones, the newest first. At most `limit`. */
export async function searchTasks(
  { database }: Context,
  filter: TaskFilter,
  limit: number,
): Promise<readonly FoundTask[]> {
  return (await taskSearchQuery(filter, limit).execute(database.query)).rows
}
