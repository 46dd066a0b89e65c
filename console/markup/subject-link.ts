/** The pages of what requests, events, tasks and entries of the audit log are about, and links to them. */
import { html } from 'ghtml'
import type { ConsolePermission } from '../access/console-role.ts'
import { isPermitted } from '../access/console-role.ts'
import type { Viewer } from '../access/viewer.ts'
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
  { session }: Viewer,
): string {
  const [path, permission] = PAGES[type]
  const hasPage = !isOfPayroll || (type !== 'approval' && type !== 'cancellation')
  const isLinked = hasPage && isPermitted(session.roles, permission)
  return html`${consoleText(`subjects.${type}`)} !${idMarkup(id, isLinked ? `${path}/${id}` : undefined)}`
}

/** Below `/console`, by the type of a subject of tasks and of the audit log. */
const FOLDERS: Readonly<Record<string, string>> = {
  payment: 'payments',
  payroll: 'payrolls',
  onboarding: 'onboardings',
  consent: 'consents',
  deal: 'deals',
  receipt: 'deals/funds',
  client: 'credentials',
  'webhook subscription': 'webhooks',
  bank: 'banks',
}

/** The page of a subject for operators; undefined where its type has none. */
export function subjectPath(type: string, id: string): string | undefined {
  const folder = FOLDERS[type]
  return folder === undefined ? undefined : `/console/${folder}/${encodeURIComponent(id)}`
}
