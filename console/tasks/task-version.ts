/** Identifies the state of an operator task that a user has seen, so that a form notices that it has changed. */
import type { OperatorTask } from '../../gateway/operators/operator-task.ts'
import { hashToken } from '../../gateway/platform/ids.ts'

/** The name of the hidden field. */
export const SEEN_FIELD = 'seen'

export function versionOf({ status, proposedBySubject, proposedResolution }: OperatorTask): string {
  return hashToken(JSON.stringify([status, proposedBySubject, proposedResolution]))
}
