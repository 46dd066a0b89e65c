/** Says which rights credentials and webhook secrets confer: who acts on one must have them all. */
import type { EventFamily, EventType } from '../../contract/webhooks/event-types.ts'
import { eventFamilies } from '../../contract/webhooks/event-types.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { consoleText } from '../texts/console-texts.ts'
import { type ConsolePermission, isPermitted } from './console-role.ts'
import type { Viewer } from './viewer.ts'

/** Developers call the API: what every credential may do there is part of `developer.act`. Salaries are not. */
export function rightsOfClient({ payroll }: { readonly payroll: boolean }): readonly ConsolePermission[] {
  return payroll ? ['developer.act', 'payroll.read', 'payroll.act'] : ['developer.act']
}

const PAYROLL_SELECTIONS: readonly (EventFamily | EventType)[] = (
  ['PAYROLL_STATUS', 'PAYROLL_TRANSACTION_STATUS'] as const
).flatMap((family) => [family, ...eventFamilies[family]])

/** Who has the signing secret of a subscription, or chooses its URL, reads its events and can forge them. */
export function rightsOfSubscription({
  eventTypes,
}: {
  readonly eventTypes: readonly (EventFamily | EventType)[]
}): readonly ConsolePermission[] {
  const isOfPayrolls = eventTypes.some((type) => PAYROLL_SELECTIONS.includes(type))
  return isOfPayrolls ? ['developer.act', 'payroll.read'] : ['developer.act']
}

export function hasRights({ session }: Viewer, rights: readonly ConsolePermission[]): boolean {
  return rights.every((right) => isPermitted(session.roles, right))
}

/** Throws `forbidden` for a user who lacks one of the rights. */
export function requireRights(viewer: Viewer, rights: readonly ConsolePermission[]): void {
  if (!hasRights(viewer, rights)) {
    throw apiError('forbidden', consoleText('errors.rightsMissing'))
  }
}
