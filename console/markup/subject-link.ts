/** Links to the page of what a request or an event is about, where the user may open it. */
import { html } from 'ghtml'
import type { ConsolePermission } from '../access/console-role.ts'
import { isPermitted } from '../access/console-role.ts'
import type { Viewer } from '../layout/viewer.ts'
import { consoleText } from '../texts/console-texts.ts'
import { idMarkup } from './copy/copy-button.ts'

const PAGES = {
  payment: ['/console/payments', 'payments.read'],
  payroll: ['/console/payrolls', 'payroll.read'],
  consent: ['/console/consents', 'payments.read'],
  approval: ['/console/approvals', 'payments.read'],
  cancellation: ['/console/cancellations', 'payments.read'],
  onboarding: ['/console/onboardings', 'payments.read'],
  exchange: ['/console/exchanges', 'payments.read'],
  subscription: ['/console/webhooks', 'developer.read'],
} as const satisfies Readonly<Record<string, readonly [path: string, permission: ConsolePermission]>>

export type SubjectType = keyof typeof PAGES

/** Approvals and cancellations of payrolls have no pages of their own. */
export function subjectLink(
  { type, id, isOfPayroll }: { readonly type: SubjectType; readonly id: string; readonly isOfPayroll: boolean },
  { session }: Pick<Viewer, 'session'>,
): string {
  const [path, permission] = PAGES[type]
  const hasPage = !isOfPayroll || (type !== 'approval' && type !== 'cancellation')
  const isLinked = hasPage && isPermitted(session.roles, permission)
  return html`${consoleText(`subjects.${type}`)} !${idMarkup(id, isLinked ? `${path}/${id}` : undefined)}`
}
