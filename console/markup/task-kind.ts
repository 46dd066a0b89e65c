/** Names the kinds of operator tasks in words. */
import type { TaskKind } from '../../gateway/operators/operator-task.ts'
import { CONSOLE_CATALOGUE, consoleText } from '../texts/console-texts.ts'

/** The compiler lists the kinds that have no text. */
const KINDS: Readonly<Record<TaskKind, string>> = CONSOLE_CATALOGUE.taskKinds

/** The code of a kind that only another release knows. */
export const taskKindText = (kind: TaskKind): string =>
  Object.hasOwn(KINDS, kind) ? consoleText(`taskKinds.${kind}`) : kind
